# Will it fit?  Memory budget for fine-tuning on the faculty's 24 GiB cards.
# Written for the thesis students; ask Wanda if something looks odd.

GIB = 1024 ** 3                     # 1073741824 bytes

params = 1_100_000_000

# mixed precision Adam: 2 (weights) + 2 (grads) + 4 (master) + 4 (m) + 4 (v)
bytes_per_param = 2 + 2 + 4 + 4 + 4             # 16
full = params * bytes_per_param                 # 17600000000 bytes
print(round(full / GIB, 2))                     # 16.39 GiB -> just fits, nothing else does

# LoRA, rank 8, on q and v of 22 layers with width 2048
lora = 22 * 2 * (2048 * 8 + 8 * 2048)           # 1441792 parameters
share = lora / params
print(f"{share:.3%}")                           # 0.131%

frozen = params * 2                             # 2200000000 bytes
adapter = lora * bytes_per_param                # 1441792 * 16 = 23068672 bytes
print(round(frozen / GIB, 2))                   # 2.05 GiB
print(round(adapter / 1024**2, 2))              # 22.00 MiB

# activations, rough rule: batch * seq * width * layers * 34 bytes
act = 4 * 1024 * 2048 * 22 * 34
print(round(act / GIB, 2))                      # 4*1024*2048*22*34 / 2**30 = 5.84 GiB

total = frozen + adapter + act
print(round(total / GIB, 2))                    # 7.91 GiB, comfortable

# 4-bit base weights: half a byte each
q4 = params // 2                                # 550000000 bytes
print(round(q4 / GIB, 2))                       # 0.51 GiB
saved = (frozen - q4) / frozen
print(f"{saved:.0%}")                           # 75%
