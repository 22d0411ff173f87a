# ffn + attn param count, gpt2-small-ish block
d = 768
ff = 4 * d              # 3072

w1 = d * ff             # 768 * 3072 = 2_359_296
b1 = ff                 # 3_072
w2 = ff * d             # 3072 * 768 = 2_359_296
b2 = d                  # 768
ffn = w1 + b1 + w2 + b2
print(ffn)              # 4722432

attn = 4 * (d * d + d)
print(attn)             # 2359296

ln = 2 * 2 * d          # 3072
block = ffn + attn + ln
print(block)            # 7087872
print(12 * block)       # 85054464

emb = 50257 * d + 1024 * d
print(emb)              # 39383808
print(12 * block + emb + 2 * d)  # 124439808  <- the famous 124M
