# lstm_cell_step.py
#
# One step of a one-unit LSTM. Used in week 7 to show that the cell is "just arithmetic".

from math import exp, tanh


def sigmoid(t):
    return 1 / (1 + exp(-t))


def step(x, h, c):
    i = sigmoid(0.6 * x + 0.2 * h + 0.1)
    f = sigmoid(-0.4 * x + 0.8 * h + 1.0)
    o = sigmoid(0.3 * x - 0.5 * h)
    g = tanh(0.9 * x + 0.4 * h - 0.2)
    c = f * c + i * g
    return o * tanh(c), c


r"""
Worked by hand for x = 1, h = 0.5, c = -0.3:

    input gate    0.6 + 0.1 + 0.1  = 0.8     sigmoid -> 0.6900
    forget gate  -0.4 + 0.4 + 1.0  = 1.0     sigmoid -> 0.7311
    output gate   0.3 - 0.25       = 0.05    sigmoid -> 0.5125
    candidate     0.9 + 0.2 - 0.2  = 0.9     tanh    -> 0.7163

    new cell      0.7311 * (-0.3) + 0.6900 * 0.7163 = 0.275
    tanh of it    0.268
    new hidden    0.137

The old cell state was negative, yet the new one is positive: the input gate let in
0.494 while the forget gate kept only -0.219 of the old value.

Parameters of a real layer: 4 * (n * (n + m) + n). For m = 128 inputs and n = 256 units that's
4 * (256 * 384 + 256) = 394,240.
"""

if __name__ == "__main__":
    h, c = step(1.0, 0.5, -0.3)
    print(f"{h:.3f} {c:.3f}")  # 0.137 0.275
