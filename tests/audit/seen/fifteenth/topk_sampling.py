"""Top-k and top-p (nucleus) sampling, what they keep."""

probs = {"tea": 0.40, "coffee": 0.25, "water": 0.15, "milk": 0.12, "soup": 0.08}


def renorm(d):
    s = sum(d.values())
    return {k: round(v / s, 4) for k, v in d.items()}


def top_k(d, k):
    keep = sorted(d, key=d.get, reverse=True)[:k]
    return renorm({t: d[t] for t in keep})


def top_p(d, p):
    keep, s = {}, 0.0
    for t in sorted(d, key=d.get, reverse=True):
        keep[t] = d[t]
        s += d[t]
        if s >= p - 1e-12:
            break
    return renorm(keep)


print(top_k(probs, 1))
# {'tea': 1.0}
print(top_k(probs, 2))
# {'tea': 0.6154, 'coffee': 0.3846}
print(top_k(probs, 3))
# {'tea': 0.5, 'coffee': 0.3215, 'water': 0.1875}
print(top_p(probs, 0.60))
# {'tea': 0.6154, 'coffee': 0.3846}
print(top_p(probs, 0.90))
# {'tea': 0.4348, 'coffee': 0.2717, 'water': 0.163, 'milk': 0.1304}

# top_p with 0.60 keeps two tokens, since 0.40 + 0.25 = 0.65 is the first
# sum to reach 0.60. With 0.90 it keeps four: 0.40 + 0.25 + 0.15 + 0.12 = 0.92.

# Temperature 0.5 squares the probabilities before normalising:
sq = {t: v * v for t, v in probs.items()}
print(round(sum(sq.values()), 4))        # 0.2658
print(renorm(sq)["tea"])                 # 0.602
