# quantise.py -- how much do we lose with 4 bits? (tutorial 8, 2 June 2024)
weights = [0.42, -0.91, 1.40, 0.07, -0.33]

# symmetric 4-bit: integers from -7 to 7
scale = max(abs(w) for w in weights) / 7
print(round(scale, 4))          # 0.2

codes = [round(w / scale) for w in weights]
print(codes)                    # [2, -5, 7, 0, -2]

restored = [round(c * scale, 2) for c in codes]
print(restored)                 # [0.4, -1.0, 1.4, 0.0, -0.4]

errors = [round(r - w, 2) for r, w in zip(restored, weights)]
print(errors)                   # [-0.02, -0.09, 0.0, -0.07, -0.07]

mse = sum(e * e for e in errors) / len(errors)
print(round(mse, 5))            # 0.00366

# memory of a 1.1-billion-parameter model
params = 1_100_000_000
print(params * 16 / 8 / 1e9)    # 2.2
print(params * 4 / 8 / 1e9)     # 0.55

# On the dev set the loss rose from about 2.31 to about 2.36 (not computed here).
