# Scoring a spam filter on 200 mails.
#
#                 predicted spam   predicted ham   sum
#   really spam               42              14    56
#   really ham                 8             136   144
#   sum                       50             150   200

tp, fn, fp, tn = 42, 14, 8, 136
n = tp + fn + fp + tn
print(n)
# -> 200

precision = tp / (tp + fp)
recall = tp / (tp + fn)
print(precision, recall)
# -> 0.84 0.75

f1 = 2 * precision * recall / (precision + recall)
print(round(f1, 4))
# -> 0.7925

accuracy = (tp + tn) / n            # 178 / 200 = 0.89
specificity = tn / (tn + fp)        # 136 / 144 = 0.9444

# The lazy filter that calls everything ham:
lazy = (fp + tn) / n
print(lazy)
# -> 0.72

# Chance agreement, and Cohen's kappa
pe = (56 * 50 + 144 * 150) / 200**2     # (2800 + 21600) / 40000 = 0.61
kappa = (0.89 - pe) / (1 - pe)
print(round(kappa, 3))
# -> 0.718
