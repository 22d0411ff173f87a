# %% [markdown]
# Tutorial 8: evaluation. 200 tweets were labelled by hand (hate speech: yes/no) and by our classifier.
# Model answer for question 2; the marks are for the reasoning, not for the decimals.

# %%
TP, FP, FN, TN = 45, 15, 9, 131
n = TP + FP + FN + TN
print(n)                       # 200

# %% accuracy looks great ...
acc = (TP + TN) / n            # 176 / 200
print(acc)                     # 0.88

# %% ... but "never hate speech" is not that bad either
base = (FP + TN) / n           # 146 / 200
print(base)                    # 0.73

# %% precision: of those we flagged, how many were right?
prec = TP / (TP + FP)          # 45 / 60
print(prec)                    # 0.75

# %% recall: of those we should have flagged, how many did we find?
rec = TP / (TP + FN)           # 45 / 54
print(round(rec, 4))           # 0.8333

# %% F1 is the harmonic mean; 2TP / (2TP + FP + FN) = 90 / 114 is the quicker way
f1 = 2 * prec * rec / (prec + rec)
print(round(f1, 4))            # 0.7895

# %% specificity and the false positive rate add up to one
spec = TN / (TN + FP)
print(round(spec, 4))          # 0.8973
print(round(1 - spec, 4))      # 0.1027

# %% Cohen's kappa: agreement beyond chance.
# Chance agreement: both say yes 60/200 * 54/200, both say no 140/200 * 146/200.
p_yes = 60 / 200 * 54 / 200    # 0.081
p_no = 140 / 200 * 146 / 200   # 0.511
pe = p_yes + p_no              # 0.592
kappa = (acc - pe) / (1 - pe)  # 0.288 / 0.408
print(round(kappa, 3))         # 0.706
