# Units in the cache assignment.  GB is 10**9, GiB is 2**30 -- do not mix them up.
layers, heads, dim, tokens = 24, 16, 64, 2048     # "medium" config, file version 1.1

per_token = 2 * layers * heads * dim * 2          # 98304 bytes
total = per_token * tokens                        # 201326592
gib = total / 2**30                               # 0.1875
gb = round(total / 10**9, 3)                      # 0.201 (more, because a GB is smaller)

pages = tokens // 300                             # 6, the remainder does not fit
left = tokens % 300                               # 248
label = "1" + "2"                                 # '12', strings are not added
halves = [tokens >> k for k in range(1, 4)]       # [1024, 512, 256]
flags = 0b1010 | 0b0011                           # 11, which is 0b1011
tenth = 0.1 + 0.2                                 # 0.30000000000000004, as everybody knows
heads ^= 1                                        # 17, xor and not a power

# Sections 2.1-2.4 want 3-5 sentences each; task 2 counts 10 of 25 points (40 %).
# TODO 2024-05-17: retry with 8 KV heads, roughly half the memory (0.09 GiB or so)
