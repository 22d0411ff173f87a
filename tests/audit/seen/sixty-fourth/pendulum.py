# Lab course, experiment 2: the pendulum.
# Small angles only: T = 2 pi sqrt(L / g)

from math import pi, sqrt

g = 9.81    # m/s^2

print(round(2 * pi * sqrt(0.25 / g), 3))   # 1.003
print(round(2 * pi * sqrt(0.90 / g), 3))   # 1.903
print(round(2 * pi * sqrt(1.60 / g), 3))   # 2.513

# ten swings of the 0.90 m one, measured three times with a stopwatch
runs = [19.1, 18.9, 19.3]
mean = sum(runs) / len(runs)
print(round(mean, 2))                      # 19.1

# and back from the period to g
T = mean / 10
print(round(4 * pi**2 * 0.90 / T**2, 2))   # 9.74

# relative deviation from the book value, in percent
print(round(100 * (9.81 - 9.74) / 9.81, 1))  # 0.7
