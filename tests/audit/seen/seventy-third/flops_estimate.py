# Back-of-the-envelope training cost, 6 * N * D

n_params = 125_000_000
n_tokens = 2_500_000_000

flops = 6 * n_params * n_tokens
print(f"{flops:.3e}")         # 1.875e+19

per_second = 312e12 * 0.4     # A100 at 40 % utilisation
print(f"{per_second:.3e}")    # 1.248e+14

seconds = flops / per_second
print(round(seconds))         # 15024
print(round(seconds / 3600, 2))   # 4.17 hours

cost = seconds / 3600 * 1.80
print(f"{cost:.2f}")          # 7.51 dollars
