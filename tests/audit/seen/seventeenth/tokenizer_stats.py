"""What does a tokeniser do to my three test sentences?

tiktoken 0.5.1, encodings "gpt2" (50,257 entries) and "cl100k_base"
(100,277).  The counts below were pasted from a run on 14 December; the
rest is computed from them.
"""

chars = [52, 118, 240]
gpt2 = [12, 31, 77]
cl100k = [11, 27, 58]

print(sum(chars))                          # 410
print(sum(gpt2), sum(cl100k))              # 120 96

# characters per token, sentence by sentence
print([round(c / t, 2) for c, t in zip(chars, gpt2)])     # [4.33, 3.81, 3.12]
print([round(c / t, 2) for c, t in zip(chars, cl100k)])   # [4.73, 4.37, 4.14]

# the mean of the three quotients is NOT the quotient of the sums:
mean = sum(c / t for c, t in zip(chars, gpt2)) / 3
print(round(mean, 2))                      # 3.75
print(round(sum(chars) / sum(gpt2), 2))    # 3.42

# how much shorter is the newer one?
saved = 1 - sum(cl100k) / sum(gpt2)
print(f"{saved:.0%}")                      # 20%

# "about four characters per token" is the rule of thumb for English.  My
# third sentence is Polish, hence 240/77, a little over three.

# price: 120 tokens at 0.50 dollars per million
print(120 * 0.50 / 1e6)                    # 6e-05

# context of 8192 tokens, in pages of 500 tokens
print(8192 // 500, "full pages,", 8192 % 500, "tokens left")   # 16 full pages, 192 tokens left

# A colleague's estimate was 30 pages (he had 16k in mind, where 16384/500
# gives 32.8).
