"""Writes docs/models.md: every family of models that the tests watch, and how far its weights are from the formula's.

    python scripts/models_table.py

Each family is made tiny and with random parameters, nothing is downloaded; it is run as it is, watched, and once more
by its own eager attention, which shows its weights.
"""

import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/models.md"
BEGIN = """# Models that can be watched

`regard.watch(model)` keeps what attention computed inside any model that calls torch's
`scaled_dot_product_attention`, `nn.MultiheadAttention` or transformers' attention, and changes none of its outputs.
Only torch's encoder layers have a fast path that nobody can look into: while they are watched they run without it, and
their outputs are those that they have without it, up to 1e-6 from the fast path's.
*In glass* are families whose folders `--model FOLDER` opens, so that every number of a run opens, gradients included.

The table is written by `python scripts/models_table.py`: tiny models with random parameters, torch {torch},
transformers {transformers}, on the CPU. *Differs* is the largest difference of any weight from the one that the
model's own eager attention shows, rounded up to a power of ten; `pytest tests/watching` asks much more of each.

| family | class | kernel | outputs the same, bit for bit | differs | in glass |
|---|---|---|---|---|---|
"""
END = """
What cannot be watched is named with its layer and the reason, in `seen.missed`: a model loaded with
`attn_implementation="flash_attention_2"` or `"flex_attention"` does not say what it read (load it with `"sdpa"`), and
layers beyond the `budget` are not kept. torch's function is seen under any name that a model has for it; a layer that
is called attention and computes it by a formula of its own (nanoGPT without `flash`, timm with `fused_attn` off) is
named as not seen. A compiled model runs as it was written while it is watched.

What is kept of a layer are its queries, keys and values, the log-sum-exp and eight rows of its output. Tensors that
nobody else has, and nobody will write into, are kept as they are: that a model hands them over and never looks at them
again is read from its source, and who else holds them is counted (`watching/handing_over.py`); of all others a copy is
made. A cache of keys and values is somebody else: with `use_cache=False` nothing at all is copied.
On a GPU a call of a model of transformers that has no mask is only noted while the model runs; when somebody looks,
like calls of many layers are made again as one (`watching/noting.py`). That must give what the model got: a layer whose
tensors somebody has written into since is named in `seen.missed`, and `keep="memory"` copies at once.
`seen.looked()` and `seen.received()` (what each key gets, and a picture) ask a GPU once for many layers, and do not
wait: their numbers arrive while the GPU goes on, and are there when they are asked for.

```python
import regard
import torch

layer = torch.nn.TransformerEncoderLayer(32, 4, batch_first=True)
model = torch.nn.TransformerEncoder(layer, 2).eval()
with torch.no_grad(), regard.watch(model) as seen:
    model(torch.randn(1, 50, 32))
entropy = [layer.entropy.mean() for layer in seen.looked()]
```

## What it costs

`python benchmarks/watch.py`, a model of SmolLM2-135M's shape with random numbers, as multiples of the same model
unwatched; medians, from the least to the most. *Looked at*: everything there is to ask of every layer, afterwards. On a
CPU the goals were 1.05 watched and 1.8 looked at; on a GPU see below.

| | 512 tokens | 2,048 | 8,192 | 32,768 | 131,072 |
|---|---|---|---|---|---|
| CPU, float32, one thread: watched | 1.03 (1.01–1.19) | 0.96 (0.93–1.08) | 1.03 (0.98–1.08) | | |
| looked at | 1.42 (1.33–1.59) | 1.36 (1.29–1.42) | 1.69 (1.60–1.81) | | |
| eager with `output_attentions=True` | 1.23 (1.18–1.34) | 2.60 (2.55–3.02) | | | |
| H200, bfloat16: watched | | 1.05 (0.97–1.08) ¹ | 1.01 (1.00–1.08) ¹ | 1.012 (1.003–1.024) | 1.001 (0.991–1.002) |
| looked at | | 1.37 (1.09–1.63) | 1.68 (1.38–2.00) | 1.75 (1.73–1.77) | |
| received and map | | 1.31 (1.22–1.42) | 1.60 (1.32–1.79) | 1.46 (1.46–1.48) | |
| received and map, layers dropped | | 2.16 (2.00–2.46) | 2.09 (1.85–2.34) | 1.47 (1.46–1.52) | 1.621 (1.613–1.622) |

¹ Seven runs of 15 to 41 turns, on as many machines: 1.03 to 1.07 at 2,048 tokens and 1.01 to 1.08 at 8,192, where the
goals were 1.05 and 1.02. Up to 8,192 tokens this model is as fast as Python can ask for its kernels (18 to 43 ms, of
which the GPU works 5 and 18), and one machine's Python is half as fast as another's. While it runs a call is therefore
only noted, which takes 15 to 25 µs a layer; who watches, whose the tensors are and what the log-sum-exp is are found
out for all layers at once when somebody looks. Before, that was done while it ran: 1.16 to 1.22 and 1.17 to 1.20. Tried
and taken out: to note the log-sum-exp too, by making each call as the first one was made, past transformers' function
(1.08 to 1.11 and 1.02 to 1.07, received and map 1.38 and 1.49). Received and map of all layers miss their goal at 8,192
tokens (1.35): of 20 ms more, the attention that is made again takes the GPU 6, looking 4, numbers that come over 1.4,
and Python the rest. Eager attention is 2.4 to 2.6 times as slow as the unwatched model on a CPU at 2,048 tokens, so
that nothing which lets the model compute can be three times as fast as it.
"""


@torch.no_grad()
def row(family: Any) -> str:
    from tests.watching.test_families import attentions, outputs

    import regard
    from regard.models.huggingface.layouts import LAYOUTS

    model, inputs = family.made(), family.inputs()
    before = outputs(model(**inputs))
    with regard.watch(model) as seen:
        during = outputs(model(**inputs))
    same = all(torch.equal(x, y) for x, y in zip(before, during, strict=True))
    shown = attentions(family.made("eager")(**inputs, output_attentions=True))
    worst = max(float(np.abs(seen[i].dense() - x).max()) for i, x in enumerate(shown))
    kernels = ", ".join(sorted({layer.kernel.replace("_", " ") for layer in seen.layers}))
    glass = "yes" if model.config.model_type in LAYOUTS else "not yet"
    up_to = 10.0 ** math.ceil(math.log10(max(worst, 1e-9)))
    return f"| {family.name} | `{family.model}` | {kernels} | {'yes' if same else 'NO'} | ≤ {up_to:.0e} | {glass} |"


def main() -> None:
    sys.path.insert(0, str(ROOT))
    from tests.watching.families import FAMILIES

    versions = {"torch": torch.__version__.partition("+")[0], "transformers": transformers.__version__}
    page = BEGIN.format(**versions) + "\n".join(row(family) for family in FAMILIES) + "\n" + END
    PAGE.write_text(page, encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)}: {len(FAMILIES)} families")


if __name__ == "__main__":
    main()
