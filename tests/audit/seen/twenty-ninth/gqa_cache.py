"""Size of the key/value cache for MHA, GQA and MQA.

Worked example for the docs (see also docs/serving.rst, section 3.1).

Model: 40 layers, head dimension 128, fp16, i.e. 2 bytes per number.
The leading 2 is for keys plus values.

    MHA, 32 KV heads:  2 * 40 * 32 * 128 * 2 = 655,360 bytes per token
    GQA,  8 KV heads:  2 * 40 *  8 * 128 * 2 = 163,840 bytes per token
    MQA,  1 KV head:   2 * 40 *  1 * 128 * 2 = 20,840 bytes per token

For a context of 4096 tokens this is 2.5 GiB, 640 MiB and 80 MiB.
"""

from dataclasses import dataclass

__version__ = "0.3.2"


@dataclass
class Config:
    n_layer: int = 40
    n_kv_head: int = 32
    head_dim: int = 128
    bytes_per: int = 2


def cache_bytes(cfg: Config, n_tokens: int) -> int:
    # 655,360 * 4096 = 2,684,354,560 bytes for the default config,
    # and 2,684,354,560 / 1024**3 = 2.5 GiB
    return 2 * cfg.n_layer * cfg.n_kv_head * cfg.head_dim * cfg.bytes_per * n_tokens


if __name__ == "__main__":
    # On an 80 GB card with 26 GB of weights there's room for roughly
    # 20 MHA sequences. Saving with GQA: 1 - 8/32 = 75 %.
    for kv in (32, 8, 1):
        print(kv, cache_bytes(Config(n_kv_head=kv), 4096) / 2**20, "MiB")
