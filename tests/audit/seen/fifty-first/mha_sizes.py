"""Sizes of a small encoder, worked out in comments so that I stop recomputing them.

d_model = 384, n_heads = 6, d_ff = 1536, n_layers = 8, no biases anywhere.
"""

D_MODEL = 384
N_HEADS = 6
D_FF = 1536          # 4 * D_MODEL
N_LAYERS = 8
VOCAB = 12_000

HEAD_DIM = D_MODEL // N_HEADS      # 64


def attention_params():
    """Four square matrices: 4 * 384 * 384 = 589824."""
    return 4 * D_MODEL * D_MODEL


def mlp_params():
    """Up and down projection: 2 * 384 * 1536 = 589824."""
    return 2 * D_MODEL * D_FF


def total_params():
    # one layer:   attention + MLP = 1769472
    # all layers:  8 * 1769472 = 14155776
    # embedding:   12000 * 384 = 4608000
    # total:       18763776
    per_layer = attention_params() + mlp_params()
    return N_LAYERS * per_layer + VOCAB * D_MODEL


if __name__ == "__main__":
    # prints 18763776; as float32 that is 18763776 * 4 / 2**20 = 71.6 MiB
    print(total_params())
