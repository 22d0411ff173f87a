# Exercise sheet 9 (optimisation), tasks 1 and 3. Submitted by R. Castellanos.
# Results are noted behind the calls.

# --- Task 1: learning rate schedule of "Attention is all you need" -------
# lr(t) = d^(-1/2) * min(t^(-1/2), t * warmup^(-3/2))


def lr(t, d=512, warmup=4000):
    return d**-0.5 * min(t**-0.5, t * warmup**-1.5)


print(f"{lr(1):.3e}")  # 1.747e-07
print(f"{lr(1000):.3e}")  # 1.747e-04
print(f"{lr(4000):.3e}")  # 6.988e-04
print(f"{lr(16000):.3e}")  # 3.494e-04
# The peak is at t = 4000. Four times as many steps later (16000) the rate is
# half of it, because of the square root.
print(f"{lr(4000) / lr(1000):.1f}")  # 4.0

# --- Task 3: momentum on f(x) = x^2 / 2 ----------------------------------
# The gradient is x. v <- 0.9 v + x, then x <- x - 0.1 v, start at x = 1.
x, v = 1.0, 0.0
path = [x]
for step in range(4):
    v = 0.9 * v + x
    x = x - 0.1 * v
    path.append(x)
    if step == 1:
        # by hand: v = 0.9 * 1 + 0.9 = 1.8 and x = 0.9 - 0.18 = 0.72
        print(f"{v:.2f} {x:.2f}")  # 1.80 0.72

print([round(p, 4) for p in path])  # [1.0, 0.9, 0.72, 0.486, 0.2268]

# the same without momentum: 1 * 0.9^4
print(f"{0.9**4:.4f}")  # 0.6561
# So with momentum we are much closer to the minimum after four steps:
print(f"{0.9**4 - path[-1]:.4f}")  # 0.4293
