"""Maths test of class 9b, 17 November: statistics for the parents' evening."""
from statistics import mean, median, pstdev

points = [12, 18, 25, 9, 21, 18, 30, 15, 24, 28]   # out of 30

print(len(points))                   # 10
print(sum(points))                   # 200
print(mean(points))                  # 20
print(median(points))                # 19.5
print(max(points) - min(points))     # 21

squares = [(x - 20) ** 2 for x in points]
print(squares)                       # [64, 4, 25, 121, 1, 4, 100, 25, 16, 64]
print(sum(squares) / len(points))    # 44.2
print(round(pstdev(points), 2))      # 6.51

# passed with at least 15 points
passed = [x for x in points if x >= 15]
print(len(passed))                   # 8
print(len(passed) / len(points))     # 0.8

# in percent of the 30 points
print([round(100 * x / 30) for x in sorted(points)])
# [30, 40, 50, 60, 60, 70, 80, 83, 93, 100]

# question 6 was a right triangle with legs 9 and 40
print((9 ** 2 + 40 ** 2) ** 0.5)     # 41.0
