"""My time sheet for week 6, because the portal is down (again).

Contract: 39.0 hours a week, five days, so 7.8 hours = 7 h 48 min a day.
"""

week = [
    # day    from      to        break (min)
    ("Mon", (8, 0), (16, 45), 45),      # 480 min
    ("Tue", (8, 30), (17, 10), 30),     # 490 min
    ("Wed", (8, 15), (17, 0), 30),      # 465 min
    ("Thu", (9, 0), (16, 20), 20),      # 420 min
    ("Fri", (7, 50), (17, 0), 30),      # 520 min
]


def minutes(start, end, pause):
    return (end[0] - start[0]) * 60 + end[1] - start[1] - pause


def hm(m):
    sign = "-" if m < 0 else ""
    return f"{sign}{abs(m) // 60} h {abs(m) % 60:02d}"


total = 0
for day, a, b, p in week:
    total += minutes(a, b, p)

print(hm(total))                 # 40 h 05
print(hm(total - 39 * 60))       # 1 h 05    overtime this week
print(total / 60)                # 40.083333333333336 hours, decimal
print(hm(total // 5))            # 8 h 01    a day on average

# The account stood at -2 h 30 last Friday, so now it is
print(hm(-150 + total - 39 * 60))   # -1 h 25

# Breaks: 45 + 30 + 30 + 20 + 30 = 155 minutes. By law 30 minutes are due
# when working more than 6 hours, so Thursday was, strictly, 10 too short.
