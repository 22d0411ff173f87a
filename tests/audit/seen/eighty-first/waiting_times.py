# Waiting times at the clinic, minutes, ten patients on Monday
import statistics as st

wait = [4, 8, 6, 5, 3, 7, 9, 6, 12, 10]

print(sum(wait), len(wait))        # 70 10
print(sum(wait) / len(wait))       # 7.0
print(st.median(wait))             # 6.0
print(st.mode(wait))               # 6
print(max(wait) - min(wait))       # 9

# sum of squares, then the variance the short way
ss = sum(x * x for x in wait)
print(ss)                          # 560
print(ss / 10 - 7.0 ** 2)          # 7.0
print(round(st.stdev(wait), 3))    # 2.789   (n - 1 in the denominator)
print(round(st.stdev(wait) / 10 ** 0.5, 3))   # 0.882  standard error

# four of ten waited longer than the mean
print(sum(x > 7 for x in wait) / 10)   # 0.4
