"""Statistics I, sheet 2: mean, variance, standard deviation."""
from statistics import mean, median, pvariance, variance, stdev

data = [4, 8, 6, 5, 3, 7, 9]

total = sum(data)
print(total)                        # 39
print(len(data))                    # 7
print(total / len(data))            # 6.0
print(median(data))                 # 6

dev2 = [(x - 6) ** 2 for x in data]
print(dev2)                         # [4, 4, 0, 1, 9, 1, 9]
print(sum(dev2))                    # 28
print(sum(dev2) / 7)                # 4.0   <- population
print(round(sum(dev2) / 6, 3))      # 4.667 <- sample
print(round(stdev(data), 3))        # 2.16
