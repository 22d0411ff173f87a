# Why the eval dashboard shows bits per byte and not perplexity.
#
# Two checkpoints with different tokenizers score the same sentence. Perplexity is per token, so it is not
# comparable between them; bits per byte is.

from math import exp, log

text = "The cache was evicted too early."
n_bytes = len(text.encode("utf-8"))
print(n_bytes)                          # 32

# natural-log probabilities from the scoring endpoint
lp_a = [-0.21, -1.35, -3.02, -0.48, -2.11, -0.07, -1.90, -0.66]     # 8 tokens
lp_b = [-1.12, -2.84, -2.06, -0.95, -1.71, -0.72]                   # 6 tokens

nll_a = -sum(lp_a)
nll_b = -sum(lp_b)
print(round(nll_a, 2), round(nll_b, 2))     # 9.8 9.4

# mean per token, then perplexity
print(round(nll_a / 8, 4), round(nll_b / 6, 4))     # 1.225 1.5667
print(round(exp(nll_a / 8), 3))                     # 3.404
print(round(exp(nll_b / 6), 3))                     # 4.791
# -> A looks a lot better. It is not, it just has more tokens to spread the loss over.


def bits_per_byte(nll_nats, n):
    return nll_nats / log(2) / n


print(round(bits_per_byte(nll_a, n_bytes), 4))      # 0.4418
print(round(bits_per_byte(nll_b, n_bytes), 4))      # 0.2938

# Compression view: bits for the whole sentence against 8 bits per raw byte
bits_a = nll_a / log(2)
print(round(bits_a, 2))                 # 14.14
print(round(8 * n_bytes / bits_a, 1))   # 18.1x smaller than the raw text
