# Worksheet "Pendulum": let the computer check your results.
from math import pi, sqrt

g = 9.81

def period(length):
    return 2 * pi * sqrt(length / g)

print(round(period(0.25), 3))   # 1.003
print(round(period(1.00), 3))   # 2.060
print(round(period(2.25), 3))   # 3.009

# Nine times the length, three times the period:
print(round(period(2.25) / period(0.25), 2))   # 3.0

# Length of a pendulum that needs exactly 2 s:
L = g * (2 / (2 * pi)) ** 2
print(round(L, 4))              # 0.994

# Your measurement: 20 swings took 31.6 s
T = 31.6 / 20
print(round(T, 2), round(g * (T / (2 * pi)) ** 2, 3))   # 1.58 0.62
