# Metrics of the toxicity classifier, recomputed from the confusion matrix on the test set.
# (The numbers after #> are what the interpreter shows.)
from math import sqrt

tp, fn = 84, 36      # toxic comments: found / missed
fp, tn = 28, 852     # harmless ones: wrongly flagged / let through

n = tp + fn + fp + tn
print(n)                                #> 1000

accuracy = (tp + tn) / n
print(round(accuracy, 3))               #> 0.936

# "93.6 % correct" sounds fine until you notice that never flagging anything
# already gets the 880 harmless comments right:
print((fp + tn) / n)                    #> 0.88

precision = tp / (tp + fp)              # 84 / 112
recall = tp / (tp + fn)                 # 84 / 120
print(precision, recall)                #> 0.75 0.7

f1 = 2 * precision * recall / (precision + recall)
print(round(f1, 4))                     #> 0.7241
# same thing straight from the counts: 168 / 232
print(round(2 * tp / (2 * tp + fp + fn), 4))    #> 0.7241

# false positive rate, 28 / 880
print(round(fp / (fp + tn), 4))         #> 0.0318

# 95 % interval for the recall (normal approximation, n = 120)
se = sqrt(recall * (1 - recall) / 120)
print(round(se, 4))                     #> 0.0418
print(round(recall - 1.96 * se, 3), round(recall + 1.96 * se, 3))   #> 0.618 0.782

# Matthews correlation; the denominator is sqrt(112 * 120 * 880 * 888)
mcc = (tp * tn - fp * fn) / sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
print(round(mcc, 3))                    #> 0.689
