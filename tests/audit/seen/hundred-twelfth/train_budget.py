"""Back-of-the-envelope for the 2.7B run. Every result is in the comment behind its line."""

GPUS = 64
PEAK = 989e12                 # H100 SXM, dense bf16, FLOP/s

n_params = 2.7e9
tokens = 54e9
tokens / n_params                              # 20.0 tokens per parameter

total = 6 * n_params * tokens                  # 8.748e+20 FLOP

# attention scores are not in 6ND: 12 * layers * d_model * context per token (forward and backward)
layers, d_model, ctx = 32, 2560, 2048
attn_per_token = 12 * layers * d_model * ctx   # 2.013e+09
attn_per_token / (6 * n_params)                # 0.124, so not negligible
total = total + attn_per_token * tokens        # 9.835e+20

mfu = 0.41
rate = GPUS * PEAK * mfu                       # 2.595e+16 FLOP/s
seconds = total / rate
hours = seconds / 3600                         # 10.5
gpu_hours = hours * GPUS                       # 674
cost = gpu_hours * 2.99                        # 2015 dollars

# batch
seqs, accum = 8, 2
tokens_per_step = GPUS * seqs * accum * ctx    # 2097152
steps = tokens / tokens_per_step               # 25749 (rounded)
seconds / steps                                # 1.47 s per step
tokens / seconds / GPUS                        # about 22,300 tokens/s on each GPU

# checkpoints: fp32 master weights and two Adam moments
ckpt_gb = n_params * 12 / 1e9                  # 32.4
n_ckpt = 25749 // 2500                         # 10
n_ckpt * ckpt_gb                               # 324.0 GB on the share
