# How many weights does LoRA train?  (notes for the fine-tuning runbook)
d, r = 4096, 8
layers, targets = 32, 2            # q_proj and v_proj only

full = d * d
print(full)                        # 16777216
adapter = d * r + r * d
print(adapter)                     # 65536
print(adapter / full)              # 0.0390625

total = adapter * targets * layers
print(total)                       # 4194304
print(total * 2 / 2**20, "MiB")    # 8.0 MiB

# rank 64 instead of 8
big = 2 * d * 64 * targets * layers
print(big)                         # 33554432
print(big // total)                # 8
