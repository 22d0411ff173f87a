# ema.py -- exponential moving average of a loss curve
#
# beta = 0.9, started at the first value, six logged losses.

losses = [4.0, 3.0, 3.5, 2.5, 2.0, 2.0]
beta = 0.9


def ema(xs, beta):
    out = [xs[0]]
    for x in xs[1:]:
        out.append(beta * out[-1] + (1 - beta) * x)
    return out


smooth = ema(losses, beta)

# step   loss   smoothed
#   0    4.0    4.0000
#   1    3.0    3.9000     0.9 * 4.0000 + 0.1 * 3.0
#   2    3.5    3.8600     0.9 * 3.9000 + 0.1 * 3.5
#   3    2.5    3.7440     0.9 * 3.8600 + 0.1 * 2.5
#   4    2.0    3.5516     0.9 * 3.7240 + 0.1 * 2.0
#   5    2.0    3.3964     0.9 * 3.5516 + 0.1 * 2.0

for i, s in enumerate(smooth):
    print(i, f"{s:.4f}")

mean = sum(losses) / len(losses)
print(f"{mean:.3f}")      # prints 2.833, since 17 / 6 is about 2.83
