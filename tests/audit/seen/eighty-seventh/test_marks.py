"""Marks of the maths test of 9 October, group 2 (maximum 20 points)."""
from statistics import mean, median, pstdev

marks = [12, 15, 9, 18, 14, 15, 11, 10]

print(len(marks), sum(marks))  # 8 104
print(mean(marks))  # 13
print(median(marks))  # 13.0
print(round(pstdev(marks), 2))  # 2.83
print(max(marks) - min(marks))  # 9

# Passed means 12 points or more.
passed = [m for m in marks if m >= 12]
print(100 * len(passed) / len(marks))  # 50.0

# Final grade of one pupil: test 50 %, homework 30 %, oral 20 %
grade = 0.5 * 14 + 0.3 * 17 + 0.2 * 12
print(round(grade, 1))  # 14.5

# In group 1 (10 pupils) the mean was 14.8, so both groups together have
# (8 * 13 + 10 * 14.8) / 18 = 252 / 18 = 14
print((8 * 13 + 10 * 14.8) / 18)  # 14.0
