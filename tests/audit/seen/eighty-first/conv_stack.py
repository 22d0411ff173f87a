"""Output sizes and parameter counts of a small conv net, input 3 x 96 x 96."""


def out(n, k, s, p):
    return (n + 2 * p - k) // s + 1


layers = [  # k, s, p, c_in, c_out
    (7, 2, 3, 3, 32),
    (3, 2, 1, 32, 64),
    (3, 1, 1, 64, 64),
    (3, 2, 1, 64, 128),
]
n, total = 96, 0
for k, s, p, ci, co in layers:
    n = out(n, k, s, p)
    params = ci * co * k * k + co
    total += params
    print((co, n, n), params)
# (32, 48, 48) 4736
# (64, 24, 24) 18496
# (64, 24, 24) 36928
# (128, 12, 12) 73856
print(total)                 # 134016
flat = 128 * n * n
print(flat)                  # 18432
head = flat * 10 + 10
print(head, total + head)    # 184330 318346
