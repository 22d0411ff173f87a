# How much memory do embedding tables take?
# Rule: rows * width * bytes per number.

MiB = 2 ** 20


def table(rows, width, bytes_per=4):
    return rows * width * bytes_per


print(f"{table(50257, 768):,}")               # 154,389,504
print(f"{table(50257, 768) / MiB:.2f} MiB")   # 147.24 MiB
print(f"{table(1024, 768) / MiB:.2f} MiB")    # 3.00 MiB   positions
print(f"{table(50257, 768, 2) / MiB:.2f} MiB")    # 73.62 MiB   the same in fp16
print(f"{table(32000, 4096, 2) / MiB:.2f} MiB")   # 260.00 MiB
print(f"{table(128256, 4096, 2) / MiB:.2f} MiB")  # 1002.00 MiB

# Padding 50257 up to the next multiple of 64 makes matrix products faster:
rows = -(-50257 // 64) * 64
print(rows, rows - 50257)                     # 50304 47
# these 47 extra rows cost
print(f"{table(47, 768):,} bytes")            # 144,384 bytes

# A recommender with 10 million items and 64 numbers each, in fp32:
print(f"{table(10_000_000, 64) / 1e9:.2f} GB")    # 2.56 GB
# Product quantisation with 8 bytes per item (and small code books) instead:
print(f"{10_000_000 * 8 / 1e6:.0f} MB")       # 80 MB
# that is a factor of 256 / 8 = 32.

# Share of the embedding in a 124M model: 50257 * 768 = 38.6M, about 31 %.
print(f"{50257 * 768 / 124.4e6:.1%}")         # 31.0%
