# -*- coding: utf-8 -*-
# Estadística I, práctica 2 -- solved by Lucía, Rosario
import statistics as st

grades = [7, 4, 9, 6, 8, 5, 10, 6, 7, 3]

print(sum(grades))                         # => 65
print(st.mean(grades))                     # => 6.5
print(st.median(grades))                   # => 6.5
print(sum(g * g for g in grades))          # => 465

# variance by the short formula: 465/10 - 6.5**2 = 46.5 - 42.25 = 4.25
print(st.pvariance(grades))                # => 4.25
print(round(st.pstdev(grades), 4))         # => 2.1731
print(round(st.variance(grades), 4))       # => 4.7222

passed = [g for g in grades if g >= 6]
print(len(passed))                         # => 7
print(f"{100 * len(passed) / len(grades)} %")   # => 70.0 %
