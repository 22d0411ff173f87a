# Back-of-envelope numbers for the fine-tuning proposal.
# Every result in a comment is what the print on its left shows.

# --- LoRA -----------------------------------------------------------
d, rank, layers = 4096, 16, 32

full = d * d
print(full)                          # 16777216

lora = d * rank + rank * d
print(lora)                          # 131072

print(f"{100 * lora / full:.2f} %")  # 0.78 %

# adapters on q and v in every layer
trainable = 2 * layers * lora
print(trainable)                     # 8388608

# Adam keeps two fp32 moments per trainable weight
print(trainable * 2 * 4 / 2**20)     # 64.0 MiB

# --- Training the small model from scratch --------------------------
params = 1.3e9
tokens = 20 * params
print(f"{tokens:.2e}")               # 2.60e+10

flops = 6 * params * tokens
print(f"{flops:.3e}")                # 2.028e+20

# 8 cards, 312 TFLOP/s peak each, 40 % utilisation
rate = 8 * 312e12 * 0.40
print(f"{rate:.3e}")                 # 9.984e+14

seconds = flops / rate
print(round(seconds))                # 203125
print(f"{seconds / 3600:.1f} h")     # 56.4 h

# at 2.10 per card and hour
print(f"{8 * seconds / 3600 * 2.10:.2f}")   # 947.92
