# How much does a LoRA adapter train?  d_model 4096, 32 layers, rank 8 on W_q and W_v.
d_model = 4096
n_layers = 32
rank = 8

full = d_model * d_model                  # 16_777_216
per_matrix = rank * (d_model + d_model)   # 65_536

share = 100 * per_matrix / full           # 3.90625 percent of the matrix

per_layer = 2 * per_matrix                # 131_072
adapter = n_layers * per_layer            # 4_194_304

# in fp16 on disk
mebibytes = adapter * 2 / 2**20           # 8.0

# doubling the rank doubles everything
print(adapter * 2)                        # 8388608
