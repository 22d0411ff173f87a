# How much memory does the key/value cache of a decoder take?

layers = 24
heads = 16
head_dim = 64
bytes_per_number = 2          # float16

width = heads * head_dim      # 16 * 64 = 1,024
per_token = 2 * layers * width * bytes_per_number
# keys and values: 2 * 24 * 1,024 * 2 = 49,152 bytes per token = 96 KiB

context = 2048
one_sequence = per_token * context
# 98,304 * 2,048 = 201,326,592 bytes = 192 MiB

batch = 32
whole_batch = one_sequence * batch
# 201,326,592 * 32 = 6,442,450,944 bytes = 6 GiB

print(per_token)              # 98304
print(one_sequence // 2**20)  # 192
print(whole_batch / 2**30)    # 6.0

# Grouped queries: only 4 key/value heads instead of 16
grouped = 2 * layers * 4 * head_dim * bytes_per_number
print(grouped)                # 24576
print(per_token / grouped)    # 4.0
# 24,576 * 2,048 * 32 = 1,610,612,736 bytes = 1.5 GiB, a saving of 75 %

# Weights for comparison: 12 * layers * width^2 = 12 * 24 * 1,048,576 = 301,989,888
# numbers, or 603,979,776 bytes = 576 MiB. The full cache is 6,144 / 576 = 10.7 times that.
