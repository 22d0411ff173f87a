# How many parameters does LoRA train?  (notes of 7 Oct 2024)
#
# A d_out x d_in matrix gets two factors, d_out x r and r x d_in,
# so the extra cost is r * (d_in + d_out) instead of d_in * d_out.

d_model = 2048
n_layers = 24
rank = 8

full = d_model * d_model              # 4194304 per square matrix
extra = rank * (d_model + d_model)    # 8 * 4096 = 32768
print(full // extra)                  # 128 times fewer

# we adapt the query and value projections in each layer
trainable = n_layers * 2 * extra
print(trainable)                      # 1572864

frozen = 1_300_000_000                # the 1.3B base model, rounded
print(f"{100 * trainable / frozen:.3f} %")   # 0.121 %

# AdamW keeps two fp32 moments (2 * 4 bytes) per trained weight
state = trainable * 8
print(state, "bytes")                 # 12582912 bytes
print(state / 2**20, "MiB")           # 12.0 MiB

for r in (4, 16, 64):
    print(r, n_layers * 2 * r * 2 * d_model)
# 4 786432
# 16 3145728
# 64 12582912
