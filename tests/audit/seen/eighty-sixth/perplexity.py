# perplexity.py -- small metrics demo for the reading group, 7 Feb 2024
#
# A toy model gives the five tokens of a sentence these probabilities.
import math

p = [0.5, 0.25, 0.125, 0.5, 0.25]

bits = [-math.log2(x) for x in p]
print(bits)                         # [1.0, 2.0, 3.0, 1.0, 2.0]
print(sum(bits))                    # 9.0
print(sum(bits) / len(bits))        # 1.8

ppl = 2 ** (sum(bits) / len(bits))
print(round(ppl, 3))                # 3.482

nats = -sum(math.log(x) for x in p) / len(p)
print(round(nats, 4))               # 1.2477
print(round(math.exp(nats), 3))     # 3.482, the same perplexity

# Unigram precision for BLEU: 5 of the 6 candidate words are in the reference,
# and 3 of the 5 bigrams.
p1, p2 = 5 / 6, 3 / 5
print(round(p1, 3), p2)             # 0.833 0.6
print(round(math.sqrt(p1 * p2), 4)) # 0.7071

# Brevity penalty with 6 candidate words against 7 in the reference:
bp = math.exp(1 - 7 / 6)
print(round(bp, 4))                 # 0.8465
print(round(bp * math.sqrt(p1 * p2), 4))   # 0.5986

# GPT-2 small is reported at about 29 on WikiText-2; ours is only a toy.
