"""Exponential moving average of the loss.

ema_t = 0.9 * ema_{t-1} + 0.1 * loss_t, starting from the first loss.
Half-life: ln 0.5 / ln 0.9, about 6.6 steps.
"""
losses = [4.0, 3.0, 3.5, 2.0]
ema = losses[0]
trace = [ema]
for x in losses[1:]:
    ema = 0.9 * ema + 0.1 * x
    trace.append(round(ema, 3))
print(trace)  # [4.0, 3.9, 3.86, 3.674]
print(sum(losses) / len(losses))  # 3.125

# The plain mean (3.125) is lower since it forgets the 4.0 faster: weight
# 1/4 here against 0.9**3 = 0.729 there.
n = 0
for i in range(1, 101):
    n += i
print(n)  # 5050
x = 2 ** 10  # 1024, not to be confused with the x of the loop
