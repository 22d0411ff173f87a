"""Rain gauge behind the school, week 19 (5-11 May 2025), in millimetres.

Measured at 7:30 each day by class 8C; gauge no. 2 was broken on the 9th.
"""
import statistics as st

rain = [0.0, 4.2, 11.6, 3.1, 0.0, 7.4, 1.7]

total = round(sum(rain), 1)
print(total)                           # 28.0
print(round(st.mean(rain), 2))         # 4.0
print(st.median(rain))                 # 3.1
print(round(st.pstdev(rain), 2))       # 3.92
print(max(rain) - min(rain))           # 11.6

dry = sum(1 for r in rain if r == 0)
print(dry, "of", len(rain))            # 2 of 7
print(f"{100 * dry / len(rain):.1f}%")  # 28.6%

# 1 mm on 1 square metre is 1 litre. The roof is 12.5 m x 8 m = 100 m2,
# so the week brought 28 * 100 = 2800 litres, or about 2.8 cubic metres.
barrel = 210  # litres
full, rest = divmod(2800, barrel)
print(full, rest)                      # 13 70
# i.e. 13 * 210 = 2730 litres in full barrels and 70 litres over
