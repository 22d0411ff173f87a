rate = 0.05
years = 3
capital = 1000 * (1 + rate) ** years
print(capital)  # 1157.625
print(rate * years)  # 0.25
