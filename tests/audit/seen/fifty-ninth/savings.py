# Maths club: compound interest
start = 1500.0
rate = 0.032

year1 = start * (1 + rate)
year2 = year1 * (1 + rate)
print(f"{year1:.2f}")          # -> 1548.00
print(f"{year2:.2f}")          # -> 1596.00

# ten years at once
ten = start * (1 + rate) ** 10
print(f"{ten:.2f}")            # -> 2055.36

# interest earned in those ten years
print(f"{ten - start:.2f}")    # -> 555.36

# simple interest for comparison: 10 * 0.032 * 1500 = 480
simple = 10 * rate * start
print(simple)                  # -> 480.0
