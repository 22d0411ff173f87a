# Decision trees: which question should we ask first?
# Tutor's solution to sheet 4.
#
# 16 pupils took the exam; 10 passed and 6 failed. We know two things about each of them.
#   attended regularly:  yes -> 8 passed, 2 failed     no -> 2 passed, 4 failed
#   slept well:          yes -> 4 passed, 0 failed     no -> 6 passed, 6 failed

from math import log2


def entropy(*counts):
    n = sum(counts)
    return sum(-c / n * log2(c / n) for c in counts if c > 0)


# Before any question
h = entropy(10, 6)
print(round(h, 4))                  # 0.9544

# Question 1: attended regularly?
print(round(entropy(8, 2), 4))      # 0.7219
print(round(entropy(2, 4), 4))      # 0.9183
rest1 = 10 / 16 * entropy(8, 2) + 6 / 16 * entropy(2, 4)
print(round(rest1, 4))              # 0.7956
print(round(h - rest1, 4))          # 0.1589

# Question 2: slept well?  All who slept well passed, so that side has entropy 0;
# the other side is 6 : 6, as uncertain as it can be.
print(entropy(6, 6))                # 1.0
rest2 = 4 / 16 * entropy(4, 0) + 12 / 16 * entropy(6, 6)
print(rest2)                        # 0.75
print(round(h - rest2, 4))          # 0.25

# Question 2 gains more information, so it goes to the top of the tree,
# even though question 1 looks more sensible to most teachers.
