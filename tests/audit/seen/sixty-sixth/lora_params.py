"""How small is a LoRA adapter?  Back-of-envelope for our 24-layer model."""

d_model, d_ff, rank, layers = 1024, 4096, 8, 24


def lora(d_in, d_out, r=rank):
    return r * (d_in + d_out)


full = 4 * d_model * d_model
print(full)              # 4194304

attn = 4 * lora(d_model, d_model)
print(attn)              # 65536

mlp = lora(d_model, d_ff) + lora(d_ff, d_model)
print(mlp)               # 81920

print(layers * (attn + mlp))   # 1572864

print(f"{100 * attn / full:.4f} %")   # 1.5625 %
