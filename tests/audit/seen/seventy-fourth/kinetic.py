# Kinetic energy and braking distance of a car
m = 1250.0        # kg
v = 90 / 3.6      # m/s
print(v)          # 25.0

E = 0.5 * m * v ** 2
print(E)          # 39062.5

mu, g = 0.7, 9.81
F = mu * m * g
print(round(F, 1))        # 8583.8

s = E / F
print(round(s, 1))        # 45.5

# momentum
print(m * v)              # 31250.0
