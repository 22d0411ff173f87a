"""
Steps, epochs, tokens: the arithmetic behind a training config.

The corpus holds 1,200,000 sequences of 256 tokens, that is 307,200,000
tokens. We keep 5 percent for validation, so 60,000 sequences are held
out and 1,140,000 remain for training.

With a batch of 48 one epoch takes 23,750 steps, and the
three epochs we can afford take 72,150 steps. Warm-up is two percent of
that, or 1,425 steps.

On the old card a step takes 0.4 seconds. An epoch is then 9,500 seconds,
roughly 2.6 hours, and all three fit into a working day with almost nothing
to spare.
"""

SEQUENCES = 1_200_000
LENGTH = 256
BATCH = 48
EPOCHS = 3


def plan(sequences=SEQUENCES, held_out=0.05, batch=BATCH, epochs=EPOCHS):
    train = sequences - round(sequences * held_out)
    per_epoch = train // batch
    total = per_epoch * epochs
    return train, per_epoch, total, total * 2 // 100


def lr_at(step, peak=4e-4, warmup=1425):
    """Linear warm-up, then constant. Half way up, the rate is 2e-4."""
    return peak * min(1.0, step / warmup)


if __name__ == "__main__":
    for name, value in zip(("train", "per epoch", "total", "warm-up"), plan()):
        print(f"{name:10s}{value:12,d}")
