"""Splits of the 1500 m final, county meeting, 8 June 2024 (lane draw 1-12)."""

# seconds for 400, 400, 400 and 300 m
splits = [62.4, 64.1, 63.7, 44.8]

total = sum(splits)
print(round(total, 1))  # 235.0

minutes, seconds = divmod(total, 60)
print(f"{int(minutes)}:{seconds:.1f}")  # 3:55.0

# average speed, 1500 / 235.0
print(round(1500 / total, 2), "m/s")  # 6.38 m/s
print(round(1500 / total * 3.6, 1), "km/h")  # 23.0 km/h

# what each part would be as a pace per kilometre
for s, m in zip(splits, [400, 400, 400, 300]):
    print(m, "m:", round(s / m * 1000, 1), "s/km")
# 400 m: 156.0 s/km
# 400 m: 160.2 s/km
# 400 m: 159.2 s/km
# 300 m: 149.3 s/km

# personal best was 3:58.2 = 3 * 60 + 58.2 = 238.2 s, so the gain is
print(round(238.2 - total, 1), "s")  # 3.2 s
print(round((238.2 - total) / 238.2 * 100, 2), "%")  # 1.34 %

# goal for 2025: under 3:52
print(3 * 60 + 52)  # 232
