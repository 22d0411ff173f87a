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
On a GPU, `layer.looked()` and `layer.received()` (what each key gets, and a picture) do not wait: their numbers arrive
while the GPU goes on, and are there when they are asked for. So ask all layers first, and read the numbers then:

```python
import regard
import torch

layer = torch.nn.TransformerEncoderLayer(32, 4, batch_first=True)
model = torch.nn.TransformerEncoder(layer, 2).eval()
with torch.no_grad(), regard.watch(model) as seen:
    model(torch.randn(1, 50, 32))
found = [layer.looked() for layer in seen.layers]
entropy = [one.entropy.mean() for one in found]
```
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
