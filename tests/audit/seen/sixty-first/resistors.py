# Physics club, sheet 8: two in parallel, one in series, 12 V battery
R1 = 60.0
R2 = 40.0
R3 = 16.0
U = 12.0

Rp = R1 * R2 / (R1 + R2)
print(Rp)        # -> 24.0 (ohm)
R = Rp + R3
print(R)         # -> 40.0 (ohm)
I = U / R
print(I)         # -> 0.3 (A)

U3 = R3 * I
Up = U - U3
print(round(U3, 2), round(Up, 2))   # -> 4.8 7.2 (V)
print(round(Up / R1, 2))            # -> 0.12 (A)
print(round(Up / R2, 2))            # -> 0.13 (A)

P = U * I
print(round(P, 2))                  # -> 3.6 (W)
