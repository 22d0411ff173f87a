"""Answer to 'how do I get the attention scores without torch?'"""
import numpy as np

q = np.array([0.5, -1.0, 2.0, 1.5])
K = np.array([[1.0, 0.0, 1.0, 0.0],
              [0.0, 2.0, 0.5, 1.0],
              [2.0, -1.0, 1.0, 3.0]])

raw = K @ q
print(raw)                      # [2.5 0.5 8.5]

scaled = raw / np.sqrt(len(q))  # divide by 2
print(scaled)                   # [1.25 0.25 4.25]

w = np.exp(scaled) / np.exp(scaled).sum()
print(w.round(4))               # [0.0466 0.0171 0.9362]

V = np.array([[1.0, 2.0], [0.0, -4.0], [3.0, 1.0]])
print((w @ V).round(3))         # [2.855 1.098]
