# Viterbi vs. forward on "dogs fish sleep"          (lab 6, model solution)
# Two tags, N and V.  Work through the trellis on paper first, then run this.

start = {"N": 0.7, "V": 0.3}
trans = {"N": {"N": 0.3, "V": 0.7},
         "V": {"N": 0.8, "V": 0.2}}
emit = {"N": {"dogs": 0.5, "fish": 0.4, "sleep": 0.1},
        "V": {"dogs": 0.1, "fish": 0.5, "sleep": 0.4}}
words = "dogs fish sleep".split()


def run(combine):
    col = {t: start[t] * emit[t][words[0]] for t in "NV"}
    cols = [col]
    for w in words[1:]:
        col = {t: emit[t][w] * combine(col[s] * trans[s][t] for s in "NV")
               for t in "NV"}
        cols.append(col)
    return cols


# Paper version, Viterbi:
#   dogs   N: 0.7 * 0.5 = 0.35
#          V: 0.3 * 0.1 = 0.03
#   fish   N: 0.4 * max(0.35 * 0.3, 0.03 * 0.8) = 0.4 * 0.105 = 0.042
#          V: 0.5 * max(0.35 * 0.7, 0.03 * 0.2) = 0.5 * 0.245 = 0.1225
#   sleep  N: 0.1 * max(0.042 * 0.3, 0.1225 * 0.8) = 0.00126
#          V: 0.4 * max(0.042 * 0.7, 0.1225 * 0.2) = 0.4 * 0.0294 = 0.01176
# The best cell in the last column is V; following the pointers back: N N V.
best = run(max)[-1]["V"]

# Paper version, forward (the same with sums):
#   fish   N: 0.4 * (0.105 + 0.024) = 0.0516
#          V: 0.5 * (0.245 + 0.006) = 0.1255
#   sleep  N: 0.1 * (0.01548 + 0.1004) = 0.011588
#          V: 0.4 * (0.03612 + 0.0251) = 0.024488
total = sum(run(sum)[-1].values())      # 0.036076

print(round(best / total, 3))           # 0.326, so the best path is far from certain
