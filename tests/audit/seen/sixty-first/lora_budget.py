"""How small is LoRA really? d = 4096, r = 16, 32 layers, on q and v only."""
d = 4096
r = 16
layers = 32

full = d * d
print(f"{full:,}")            # 16,777,216
lora = d * r + r * d
print(f"{lora:,}")            # 131,072
print(full // lora)           # 128

total = layers * 2 * lora
print(f"{total:,}")           # 8,388,608
print(total * 4 / 1024 ** 2, "MiB in fp32")   # 32.0 MiB in fp32

# share of a model with 6.74e9 parameters, in percent
print(round(100 * total / 6.74e9, 3))         # 0.124
