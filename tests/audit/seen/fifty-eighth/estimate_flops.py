"""Rough training-time estimate, used in section 3 of the operator's guide.

Rule of thumb: training costs about 6 * N * D floating-point operations,
N parameters and D tokens. At 20 tokens per parameter, a model with
1.3 billion parameters wants 26 billion tokens.
"""

PARAMS = 1.3e9
TOKENS = 20 * PARAMS
PEAK = 989e12            # dense bf16 peak of one accelerator, FLOP/s
UTILISATION = 0.40       # measured on our cluster, 0.37 to 0.43 depending on the day

flops = 6 * PARAMS * TOKENS
rate = UTILISATION * PEAK

print(f"{flops:.3e} FLOP")               # 2.028e+20 FLOP
print(f"{rate / 1e12:.1f} TFLOP/s")      # 365.9 TFLOP/s
seconds = flops / rate
print(f"{seconds:,.0f} s on one device")  # 512,639 s on one device
print(f"{seconds / 3600:.1f} h")         # 142.4 h

for gpus in (8, 16, 32):
    print(f"{gpus:3d} GPUs: {seconds / 3600 / gpus:5.1f} h")
#   8 GPUs:  17.8 h
#  16 GPUs:   8.9 h
#  32 GPUs:   4.4 h
#
# In practice scaling is not perfect; on 32 GPUs we have seen 5 to 6 hours.
