# adam_step.py -- two Adam updates you can follow with a calculator
# (c) 2023 teaching material, CC BY 4.0
#
# lr = 0.01, beta1 = 0.9, beta2 = 0.999, theta starts at 0.8.
# The gradients are 0.4 in the first step and -0.2 in the second.
#
# Step 1
#   m     = 0.9 * 0 + 0.1 * 0.4           = 0.04
#   v     = 0.999 * 0 + 0.001 * 0.4**2    = 0.00016
#   m_hat = 0.04 / (1 - 0.9)              = 0.4
#   v_hat = 0.00016 / (1 - 0.999)         = 0.16
#   step  = 0.01 * 0.4 / sqrt(0.16)       = 0.01
#   theta = 0.8 - 0.01                    = 0.79
#
# So the very first step is always about lr, however large the gradient. Had it
# been 400 instead of 0.4, theta would still be 0.79.
#
# Step 2
#   m     = 0.9 * 0.04 + 0.1 * (-0.2)           = 0.016
#   v     = 0.999 * 0.00016 + 0.001 * (-0.2)**2 = 0.00019984
#   m_hat = 0.016 / (1 - 0.81)                  = 0.0842
#   v_hat = 0.00019984 / (1 - 0.998001)         = 0.09997
#   step  = 0.01 * 0.0842 / 0.3162              = 0.00266
#   theta = 0.79 - 0.00266                      = 0.78734
import math


def adam(grads, theta, lr=0.01, b1=0.9, b2=0.999, eps=1e-8):
    m = v = 0.0
    for t, g in enumerate(grads, start=1):
        m = b1 * m + (1 - b1) * g
        v = b2 * v + (1 - b2) * g * g
        theta -= lr * (m / (1 - b1**t)) / (math.sqrt(v / (1 - b2**t)) + eps)
    return theta


print(round(adam([0.4, -0.2], 0.8), 5))  # 0.78734
