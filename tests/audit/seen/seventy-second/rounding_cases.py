# Test data for the number formatter. Ticket 2.5 / 3.5, spec section 4.1.2, rev. 7
# Reviewed 03/04/2024 by two people; covers cases 11-17 of 40.

print(round(2.5), round(3.5))        # 2 4   (ties go to even, not 3 and 4)
print(0.1 + 0.2)                     # 0.30000000000000004
print(0.1 + 0.2 == 0.3)              # False
print(7 // 2, -7 // 2)               # 3 -4
print(-7 % 3)                        # 2
print(1 / 3)                         # 0.3333333333333333
print(f"{2 / 3:.2f}")                # 0.67
print(f"{1234567.891:,.1f}")         # 1,234,567.9
print(f"{0.0625:.0%}")               # 6%  (exactly 6.25)
print(int("17", 8), 0x1F, 0b101)     # 15 31 5
print(10 ** -3)                      # 0.001
print("3" + "4")                     # 34, strings
print(5 ^ 3)                         # 6 (xor; 5 ** 3 is 125)

# expected runtime 1-2 s; before 1.7 it was 3x that on Windows 10
