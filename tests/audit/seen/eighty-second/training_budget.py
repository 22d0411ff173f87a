# How long will the small run take?  Back-of-the-envelope, J. Ortiz, 2024-03-07
# Rule of thumb: training costs 6 FLOPs per parameter and token (forward 2, backward 4).

params = 125_000_000
tokens = 10_000_000_000

micro_batch = 16
seq_len = 1024
grad_accum = 4
gpus = 8

tokens_per_step = micro_batch * seq_len * grad_accum * gpus
print(tokens_per_step)                 # 524288

steps = tokens // tokens_per_step
print(steps)                           # 19073

flops = 6 * params * tokens
print(f"{flops:.2e}")                  # 7.50e+18

per_gpu = 312e12 * 0.40                # A100 peak (bf16), 40% utilisation
seconds = flops / (per_gpu * gpus)
print(round(seconds))                  # 7512
print(round(seconds / 3600, 2))        # 2.09

# Memory for the model state: weights 4 B, gradients 4 B, Adam 8 B per parameter
state = params * (4 + 4 + 8)
print(state / 1e9)                     # 1.5

price = 1.80                           # dollars per GPU hour
print(round(seconds / 3600 * gpus * price, 2))   # 30.05
# Tokens per parameter: 80, i.e. four times the "20 per parameter" rule from 2022.
