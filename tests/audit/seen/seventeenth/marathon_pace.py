#!/usr/bin/env python3
# How long will it take me?  Pace tables for the runners' evening.

DIST = {"10k": 10.0, "half": 21.0975, "full": 42.195}


def clock(sec):
    sec = round(sec)
    return f"{sec // 3600}:{sec % 3600 // 60:02d}:{sec % 60:02d}"


def table(minutes, seconds):
    per_km = 60 * minutes + seconds
    return {k: clock(per_km * d) for k, d in DIST.items()}


# 5:00 per km is 300 seconds; 42.195 * 300 = 12658.5 seconds
print(table(5, 0)["full"])      # 3:30:58

# 5:20 is 320 seconds
print(table(5, 20)["10k"])      # 0:53:20
print(table(5, 20)["half"])     # 1:25:31
print(table(5, 20)["full"])     # 3:45:02

# 6:15 is 375 seconds
print(table(6, 15)["10k"])      # 1:02:30
print(table(6, 15)["half"])     # 2:11:52

# speed at 5:20: 3600 / 320 = 11.25 km/h
print(3600 / 320)               # 11.25

# A kilometre is 0.6214 miles, so 5:20 per km is 320 / 0.6214 = 515
# seconds per mile, 8:35.
print(clock(320 / 0.6214))      # 0:08:35
