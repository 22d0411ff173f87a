# Chapter 2, program 3: a perceptron learns the word "and"
#
# The output is 1 if w1*x1 + w2*x2 + b is greater than 0, otherwise 0.
# After each example we add (target - output) times the input to the
# weights, and (target - output) to the bias. All start at 0.

examples = [((0, 0), 0), ((0, 1), 0), ((1, 0), 0), ((1, 1), 1)]
w1 = w2 = b = 0

for epoch in range(1, 7):
    errors = 0
    for (x1, x2), target in examples:
        output = 1 if w1 * x1 + w2 * x2 + b > 0 else 0
        d = target - output
        w1, w2, b = w1 + d * x1, w2 + d * x2, b + d
        errors += abs(d)
    print("epoch", epoch, "errors", errors, "weights", w1, w2, "bias", b)

# epoch 1 errors 1 weights 1 1 bias 1
# epoch 2 errors 3 weights 2 1 bias 0
# epoch 3 errors 3 weights 2 1 bias -1
# epoch 4 errors 2 weights 2 2 bias -1
# epoch 5 errors 1 weights 2 1 bias -2
# epoch 6 errors 0 weights 2 1 bias -2

# In the sixth epoch nothing is wrong any more, so we may stop. In all,
# the perceptron has made 10 mistakes. Let us look at the four sums:
for (x1, x2), target in examples:
    print(x1, x2, w1 * x1 + w2 * x2 + b)

# 0 0 -2
# 0 1 -1
# 1 0 0
# 1 1 1
#
# Only the last sum is greater than 0. The third one lies exactly on the
# border, which is allowed, but not very safe.
