# The learning rate schedule of "Attention is all you need":
#
#     lr(step) = d_model^-0.5 * min(step^-0.5, step * warmup^-1.5)
#
# I always want to know what it means in actual numbers, so here they are.

d_model = 512
warmup = 4000


def lr(step, d=d_model):
    return d ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)


print(f"{d_model ** -0.5:.4f}")   # 0.0442
print(f"{warmup ** -1.5:.3e}")    # 3.953e-06

# linear part
print(f"{lr(100):.3e}")           # 1.747e-05
print(f"{lr(1000):.3e}")          # 1.747e-03
print(f"{lr(2000):.3e}")          # 3.494e-04

# the peak, where both arguments of min() agree
print(f"{lr(4000):.3e}")          # 6.988e-04

# square root decay: four times the steps, half the rate
print(f"{lr(16000):.3e}")         # 3.494e-04
print(f"{lr(100000):.3e}")        # 1.398e-04

# A wider model gets a smaller rate. With d_model = 1024 the peak is lower
# by the square root of 2:
print(f"{lr(4000, 1024):.3e}")    # 4.941e-04
