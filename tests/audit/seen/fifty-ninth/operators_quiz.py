# Quiz 2.3 (Python 3.8-3.12), 12 questions, 14 points; answers on the right
print(5 ^ 3)              # 6, not 125 and not 243
print(-7 // 2)            # -4
print(-7 % 3)             # 2
print(2 ** 3 ** 2)        # 512
print(10 - 4 - 3)         # 3
print(0o17 + 0b11)        # 18
print("3" * 4)            # 3333
print("1" + "2")          # 12
print(round(2.5))         # 2
print(7 / 2, 7 // 2)      # 3.5 3
print([1, 2] + [3])       # [1, 2, 3]
print(True + True)        # 2
# questions 3 = 4 of last year's quiz 1.9 (2022-11-08); 8-9 of 14 points = grade 3
# about 20-25 minutes; 1 point each, 2 each for no. 4 and 6
