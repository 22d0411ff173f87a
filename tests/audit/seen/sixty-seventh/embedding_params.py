"""Embedding tables: how big?"""
vocab = 16_000
d = 320
max_len = 512

tok = vocab * d
print(tok)             # 5120000
pos = max_len * d
print(pos)             # 163840
print(tok + pos)       # 5283840

# tied output layer adds nothing, untied doubles the token table
print(2 * tok + pos)   # 10403840

# share of positions in the tied case, percent
print(round(100 * pos / (tok + pos), 2))   # 3.1

# in float32, megabytes
print((tok + pos) * 4 / 1e6)               # 21.13536
