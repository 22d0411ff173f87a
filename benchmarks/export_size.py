"""How large is one offline file of a deep run? A BERT-base shape, 12 layers × 12 heads × 128 tokens, random numbers.

`python benchmarks/export_size.py [FILE]` prints the bytes and what they hold; with FILE, the page is written there.
BertViz writes 107 MB for the same shape, and needs a network to open it.
"""

import base64
import sys
import time
import zlib
from pathlib import Path

from regard.attending.positions import LearnedPositions
from regard.models.model import Model
from regard.models.parameters import random_parameters
from regard.models.parts import MLP, LayerNorm
from regard.models.settings import Settings
from regard.session.recording import recorded
from regard.session.single_run import SingleRun, state_of
from regard.session.state import State
from regard.trace import Trace
from regard.views.offline import BUNDLE, offline_file

GOAL = 5_000_000
TOKENS, WORDS = 128, 2_000  # a smaller vocabulary than BERT's: the file holds its 50 most probable words either way


def bert_base(seed: int = 0) -> Trace:
    """128 different words through twelve layers of twelve heads that may look both ways."""
    settings = Settings(
        width=768,
        heads=12,
        layers=12,
        reads=WORDS,
        writes=WORDS,
        positions=LearnedPositions(512),
        norm=LayerNorm(),
        norm_order="after",
        embedding_norm=LayerNorm(),
        mlp=MLP(3072, "gelu"),
        biases=True,
        tied=True,
        max_tokens=512,
    )
    words = tuple(f"word{i}" for i in range(WORDS))
    parameters = random_parameters(settings, seed)
    model = Model("bert-base-shape", "BERT-base's shape, random numbers", settings, parameters, words, words, "both")
    return model.run(" ".join(words[7 * i] for i in range(TOKENS)))


def main() -> None:
    began = time.perf_counter()
    trace = bert_base()
    for step in trace.forward:
        _ = step.value
    ran = time.perf_counter()
    runs, state = SingleRun(trace), State(**state_of(trace))
    page = offline_file(lambda: None, runs, state)
    written = time.perf_counter()
    size = len(page)
    held = recorded(lambda: None, runs, state)["rounded"]
    packed = sum(len(array["numbers"]) for array in held.values())
    before = sum(len(zlib.decompress(base64.b64decode(array["numbers"]))) for array in held.values())
    bundle = sum((BUNDLE / name).stat().st_size for name in ("regard.js", "regard.css"))
    weights = sum(step.value.size for step in trace.forward if step.name.endswith(".weights"))
    print(f"offline file                 {size:>12,} bytes   (goal ≤ {GOAL:,}; BertViz 107 MB)")
    print(f"  the page itself            {bundle:>12,}")
    print(f"  rounded numbers, as base64 {packed:>12,}   {before:,} before")
    print(f"  everything else            {size - bundle - packed:>12,}")
    print(f"weights in it                {weights:>12,}   of 12 × 12 heads, 128 × 128")
    print(f"the run {ran - began:.1f} s, the file {written - ran:.1f} s")
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_bytes(page)
    sys.exit(size > GOAL)


if __name__ == "__main__":
    main()
