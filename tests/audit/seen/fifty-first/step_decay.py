# Step decay: halve the learning rate every 10 epochs, starting from 0.1.
#
#   epochs  0- 9   lr = 0.1
#   epochs 10-19   lr = 0.05
#   epochs 20-29   lr = 0.025
#   epochs 30-39   lr = 0.0125
#
# After 40 epochs we'd be at 0.00625, a sixteenth of the start.
#
# Data: 50,000 images, batch size 128, last incomplete batch dropped:
# 50000 // 128 = 390 steps per epoch, so 40 epochs are 15600 steps,
# and 80 images are skipped in each epoch (a different bunch every time).

BASE_LR = 0.1
DROP = 0.5
EVERY = 10


def lr_at(epoch: int) -> float:
    """Learning rate in a given (zero-based) epoch.

    >>> lr_at(0)
    0.1
    >>> lr_at(25)
    0.025
    >>> lr_at(39)
    0.0125
    """
    return BASE_LR * DROP ** (epoch // EVERY)


# Sum of the lr over the 40 epochs: 10 * (0.1 + 0.05 + 0.025 + 0.0125) = 1.875,
# an average of 0.046875 per epoch.
