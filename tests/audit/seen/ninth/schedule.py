"""Warm-up and inverse square root decay, as in "Attention Is All You Need".

lrate = d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)

With d_model = 512 and warmup = 4000 the peak is at step 4000, where both
arguments agree: 4000**-0.5 is about 0.0158. The peak rate is about 7.0e-4.
"""


def lrate(step, d_model=512, warmup=4000):
    return d_model ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)


if __name__ == "__main__":
    print(f"{lrate(4000):.2e}")    # 6.99e-04
    print(f"{lrate(1000):.2e}")    # 1.75e-04  (a quarter of the peak)
    print(f"{lrate(16000):.2e}")   # 3.49e-04  (half of it)
    print(f"{lrate(100000):.2e}")  # 1.40e-04
    # 100k steps at 0.4 s/step = 40,000 s, a bit more than 11 hours
    # TODO(2024-07): compare with cosine, see issue 88
