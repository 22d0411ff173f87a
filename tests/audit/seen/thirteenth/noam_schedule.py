"""The inverse-square-root schedule with warm-up.

    lr(step) = d ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)

>>> f"{lr(4000):.3e}"
'6.988e-04'
>>> f"{lr(1000):.3e}"
'1.747e-04'
>>> f"{lr(16000):.3e}"
'3.494e-04'
"""

D_MODEL = 512
WARMUP = 4000
# the peak is at step 4000: 1 / sqrt(512 * 4000) = 1 / 1431.1 = 0.000699
# at four times the warm-up, 16,000 steps, half of the peak is left

BATCH = 32 * 256            # 8,192 tokens
STEPS = 100_000
TOKENS = BATCH * STEPS      # 891,200,000


def lr(step, d=D_MODEL, warmup=WARMUP):
    return d ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)


def steps_for(tokens, batch=BATCH):
    """Steps needed to see that many tokens, rounded up.

    >>> steps_for(1_000_000)
    123
    >>> steps_for(8192 * 10)
    10
    """
    return -(-tokens // batch)


if __name__ == "__main__":
    print(round(lr(2000) / lr(4000), 3))        # -> 0.5
    print(round(lr(36000) / lr(4000), 4))       # -> 0.3333
    print(steps_for(10 ** 9))                   # -> 122071
