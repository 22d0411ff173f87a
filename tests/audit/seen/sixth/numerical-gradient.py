"""Central differences against the derivative by hand."""


def loss(w):
    return w**3


h = 0.01
slope = (loss(2 + h) - loss(2 - h)) / (2 * h)
print(round(slope, 4))  # 12.0001
print(3 * 2**2)  # 12
print(loss(2), loss(3))  # 8 27
