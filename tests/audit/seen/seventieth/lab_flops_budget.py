# Lab notebook: how long will the 138M run take?
layers, d, vocab = 16, 768, 32_000

per_block = 12 * d * d
print(per_block)                # 7077888
body = layers * per_block
print(body)                     # 113246208
emb = vocab * d
print(emb)                      # 24576000
n = body + emb
print(n)                        # 137822208

tokens = 20 * n                 # Chinchilla-ish
print(f"{tokens:.3e}")          # 2.756e+09
flops = 6 * n * tokens
print(f"{flops:.3e}")           # 2.279e+17

rate = 4 * 120e12               # four cards, 120 TFLOP/s each in practice
hours = flops / rate / 3600
print(f"{hours:.2f} h")         # 1.32 h
