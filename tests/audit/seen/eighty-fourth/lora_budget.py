# How many weights does LoRA train?  Notes for the 7B run, config r16-v3.
d_model = 4096
d_ff = 11008
layers = 32
rank = 16

# one square projection: A is (16, 4096), B is (4096, 16)
square = rank * (d_model + d_model)
print(square)                        # 131072

# an MLP projection, 4096 -> 11008
mlp = rank * (d_model + d_ff)
print(mlp)                           # 241664

# q, k, v, o and the three MLP matrices in every layer
per_layer = 4 * square + 3 * mlp
print(per_layer)                     # 1249280
total = layers * per_layer
print(f"{total:,}")                  # 39,976,960

full = 6_738_415_616                 # all weights of the model
print(f"{100 * total / full:.2f}%")  # 0.59%

# Adam keeps two fp32 moments per trained weight: 2 * 4 = 8 bytes
print(total * 8 / 1e6)               # 319.81568
print(full * 2 / 1e9)                # 13.476831232

# scaling alpha / r with alpha = 32
print(32 / rank)                     # 2.0
