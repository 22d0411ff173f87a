"""Reader survey of the manual: 240 questionnaires sent."""
sent = 240
answers = {"very good": 33, "good": 57, "fair": 21, "poor": 9}

n = sum(answers.values())
print(n)                     # 120
print(n / sent)              # 0.5

share = {k: round(100 * a / n, 1) for k, a in answers.items()}
print(share)
# {'very good': 27.5, 'good': 47.5, 'fair': 17.5, 'poor': 7.5}

weights = [4, 3, 2, 1]
mean = sum(w * a for w, a in zip(weights, answers.values())) / n
print(mean)                  # 2.95

happy = answers["very good"] + answers["good"]
assert happy == 90           # 33 + 57
print(happy / n)             # 0.75
