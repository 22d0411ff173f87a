"""A language model with nothing but counting (worksheet for the computing class).

The whole text is two sentences:  <s> the cat sat on the mat </s>   <s> the dog sat </s>
"""
from collections import Counter
from math import log2

sentences = ["<s> the cat sat on the mat </s>".split(),
             "<s> the dog sat </s>".split()]

pairs = Counter((a, b) for s in sentences for a, b in zip(s, s[1:]))
firsts = Counter(a for s in sentences for a in s[:-1])

print(sum(pairs.values()))                    # 11
print(firsts["the"], firsts["sat"])           # 3 2


def p(a, b):
    """Probability that b follows a."""
    return pairs[a, b] / firsts[a]


print(p("<s>", "the"))                        # 1.0  every sentence starts with "the"
print(round(p("the", "cat"), 4))              # 0.3333
print(p("sat", "</s>"))                       # 0.5

# A sentence that never occurred:  <s> the cat sat </s>
new = "<s> the cat sat </s>".split()
prob = 1.0
for a, b in zip(new, new[1:]):
    prob *= p(a, b)
# 1 * 1/3 * 1 * 1/2
print(round(prob, 4))                         # 0.1667

# Perplexity: 2 to the power of the average surprise, here over 4 steps.
bits = -log2(prob)
print(round(bits, 3))                         # 2.585
print(round(bits / 4, 3))                     # 0.646
print(round(2 ** (bits / 4), 3))              # 1.565

# Task: what is the probability of "<s> the mat sat </s>"? Explain the answer.
print(p("mat", "sat"))                        # 0.0
