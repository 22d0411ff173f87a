# Exercise 2.4: a bigram model, counted by hand
# (Language Technology, autumn term 2022, about 45 minutes)
import math

text = "<s> a b a c a b b a </s>".split()
pairs = list(zip(text, text[1:]))
print(len(text), len(pairs))  # 10 9

after_a = [y for x, y in pairs if x == "a"]
print(after_a)  # ['b', 'c', 'b', '</s>']
print(after_a.count("b") / len(after_a))  # 0.5

# P(b|a) = 2/4, P(a|b) = 2/3, P(c|a) = 1/4
probs = [0.5, 2 / 3, 0.25]

logs = [math.log2(p) for p in probs]
print([round(v, 3) for v in logs])  # [-1.0, -0.585, -2.0]
print(round(sum(logs), 3))  # -3.585

h = -sum(logs) / len(logs)
print(round(h, 3))  # 1.195
print("perplexity", round(2 ** h, 3))  # perplexity 2.289

# add-one smoothing with 4 possible successors (a, b, c, </s>)
print((2 + 1) / (4 + 4))  # 0.375
print(round((2 + 1) / (3 + 4), 4))  # 0.4826
