"""Perplexity, bits per byte, and how they hang together.

A test set of 1,000,000 bytes was split into 250,000 tokens by tokeniser A
and into 200,000 tokens by tokeniser B. Model A has a loss of 2.40 nats per
token, model B of 2.90. Which is better?
"""
import math

BYTES = 1_000_000
runs = {"A": (250_000, 2.40), "B": (200_000, 2.90)}

for name, (tokens, loss) in runs.items():
    total = tokens * loss
    bpb = total / math.log(2) / BYTES
    print(f"{name}: ppl {math.exp(loss):.2f}, total {total:,.0f} nats, {bpb:.4f} bits per byte")
# A: ppl 11.02, total 600,000 nats, 0.8656 bits per byte
# B: ppl 18.17, total 580,000 nats, 0.8368 bits per byte

# So B is better, although its perplexity per token looks far worse. Compare
# totals, never per-token values, when the tokenisers differ. By words, with
# about 170,000 of them, perplexity would be in the range of 30 to 35:
for name, (tokens, loss) in runs.items():
    print(round(math.exp(tokens * loss / 170_000), 1))
# 34.1
# 30.3

# Numbers one meets (do not compare them with each other, see above):
#   WikiText-103, GPT-2 1.5B, zero-shot, per word: 17.48
#   Penn Treebank, same model: 35.76
#   enwik8: 0.93 bits per character for the 1.5B, 0.99 for Transformer-XL
#   WikiText-2: 18.34
# A perplexity of 17.48 means ln 17.48 = 2.861 nats per word.
# gzip gets around 2.9 bits per byte on English, xz roughly 2.0 to 2.3.
