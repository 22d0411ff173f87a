"""Counting tokens and money.

Prices are per 1,000 tokens (list of 2024-03-01).
"""
PRICE_IN = 0.0005
PRICE_OUT = 0.0015


def cost(n_in, n_out):
    return n_in / 1000 * PRICE_IN + n_out / 1000 * PRICE_OUT


# 40,000 in and 10,000 out: 40 * 0.0005 + 10 * 0.0015 = 0.02 + 0.015 = 0.35
print(round(cost(40_000, 10_000), 4))  # 0.035

text = "the more the merrier"
words = text.split()
print(len(words))  # 4
print(len(set(words)))  # 3
print(len(text))  # 20

docs = [120, 340, 95, 445]
print(sum(docs))  # 1000
print(sum(docs) / len(docs))  # 255.0
