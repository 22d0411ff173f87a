"""The learning-rate schedule of "Attention is all you need".

    lr(step) = d_model ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)

People call it the Noam schedule. First it climbs on a straight line, then it
falls with the inverse square root of the step.
"""

D_MODEL = 512
WARMUP = 4000


def lr(step: int) -> float:
    return D_MODEL ** -0.5 * min(step ** -0.5, step * WARMUP ** -1.5)


if __name__ == "__main__":
    # The constant in front: one over the root of 512
    print(round(D_MODEL ** -0.5, 4))      # 0.0442

    # Warm-up. Twice the steps, twice the rate.
    print(f"{lr(1):.2e}")                 # 1.75e-07
    print(f"{lr(1000):.2e}")              # 1.75e-04
    print(f"{lr(2000):.2e}")              # 3.49e-04

    # The top of the hill is where both branches of min() meet, at step 4000:
    # (512 * 4000) ** -0.5, that is 1 / sqrt(2048000) = 1 / 1431.08
    print(f"{lr(4000):.2e}")              # 6.99e-04

    # On the way down four times the steps mean half the rate.
    print(f"{lr(8000):.2e}")              # 4.94e-04
    print(f"{lr(16000):.2e}")             # 3.49e-04
    print(f"{lr(64000):.2e}")             # 1.75e-04
    print(f"{lr(100000):.2e}")            # 1.40e-04

    # The paper trained its base model for 100,000 steps, so warm-up was
    print(f"{WARMUP / 100_000:.0%}")      # 4%
