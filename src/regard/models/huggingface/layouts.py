"""The layouts that regard reads and writes, and which of them holds a model; where none does, why not."""

from dataclasses import asdict, fields
from typing import Any

from regard.attending.positions import (
    DistanceBias,
    LearnedPositions,
    NoPositions,
    RotaryPositions,
    SinusoidalPositions,
)
from regard.models.huggingface.bert import BERT
from regard.models.huggingface.classes import CLASSES
from regard.models.huggingface.distilbert import DISTILBERT
from regard.models.huggingface.gemma import GEMMA2, GEMMA3
from regard.models.huggingface.gpt2 import GPT2
from regard.models.huggingface.layout import Layout
from regard.models.huggingface.llama import LLAMA
from regard.models.huggingface.mistral import MISTRAL
from regard.models.huggingface.neox import NEOX
from regard.models.huggingface.opt import OPT
from regard.models.huggingface.phi import PHI, PHI3
from regard.models.huggingface.qwen import QWEN2, QWEN3
from regard.models.huggingface.roberta import ROBERTA
from regard.models.huggingface.smollm3 import SMOLLM3
from regard.models.joining import Added, SideBySide
from regard.models.parts import (
    MLP,
    GatedMLP,
    LayerNorm,
    NoMLP,
    NoNorm,
    NoTransform,
    Pooling,
    RMSNorm,
    RMSNormAroundOne,
    Transform,
)
from regard.models.roles import BiasedRoles, KeysAreValues, OwnRoles, QueriesAreKeys
from regard.models.settings import Settings

ALL = (GPT2, LLAMA, BERT, QWEN2, MISTRAL, QWEN3, ROBERTA, DISTILBERT, OPT, NEOX, PHI, PHI3, GEMMA2, GEMMA3, SMOLLM3)
# models that answer with classes, by their class
CLASSIFYING: dict[str, Layout] = {layout.architecture: layout for layout in CLASSES}
LAYOUTS: dict[str, Layout] = {layout.model_type: layout for layout in ALL}

PARTS: dict[type, str] = {
    NoPositions: "no positions",
    LearnedPositions: "learned positions",
    SinusoidalPositions: "waves for positions",
    RotaryPositions: "rotary positions",
    DistanceBias: "a bias by distance",
    NoNorm: "no norm",
    LayerNorm: "layer norm",
    RMSNorm: "RMS norm",
    RMSNormAroundOne: "RMS norm with gains around 1",
    NoMLP: "no MLP",
    MLP: "a plain MLP",
    GatedMLP: "a gated MLP",
    NoTransform: "no transform",
    Transform: "a transform",
    Pooling: "a pooled text",
    OwnRoles: "maps of their own for q, k and v",
    BiasedRoles: "biases for q, k and v alone",
    KeysAreValues: "keys that are values",
    QueriesAreKeys: "queries that are keys",
    SideBySide: "heads side by side",
    Added: "heads added up",
}
SAID = {
    "norm_order": "norms {}",
    "scaling": "scores scaled by {}",
    "biases": "biases: {}",
    "residual": "residual: {}",
    "output_projection": "W_O: {}",
    "kv_heads": "{} key/value heads",
    "head_width": "heads of {} numbers",
    "heads": "{} heads",
    "writes": "{} words to write",
    "segments": "{} segments",
    "tied": "tied words: {}",
    "arrangement": "attention and MLP {}",
    "scaling_width": "scores scaled by a width of {} (0: that of a head)",
    "cap": "scores capped at {}",
    "logit_cap": "logits capped at {}",
    "embedding_scale": "words multiplied by {}",
    "output_bias": "a bias for each word: {}",
    "word_width": "words of {} numbers (0: as many as the stream)",
    "window": "a window of {} words",
    "looking": "layers that look {}",
}
OF = {"embedding_norm": " of the words", "head_norm": " of queries and keys"}
LOOKS = {"causal": "words that look back", "both": "words that look both ways"}


def layout_of(settings: Settings, mask: str = "causal") -> Layout:
    """The layout that holds a model with these settings; otherwise a ValueError says what does not fit.

    >>> from regard.models.english import settings
    >>> layout_of(settings()).said
    'Llama'
    >>> layout_of(Settings(4, 2, reads=3, writes=3, positions=DistanceBias(3), norm=LayerNorm(), mlp=MLP(8)))
    Traceback (most recent call last):
    ValueError: ... the nearest is GPT-2, with learned positions (here: a bias by distance)
    """
    here = {layout: layout.filled(settings) for layout in LAYOUTS.values()}
    differences = {layout: _differences(layout, here[layout], mask) for layout in LAYOUTS.values()}
    whole = [layout for layout in here if not differences[layout] and here[layout] == settings]  # nothing to fill in
    layout = whole[0] if whole else min(differences, key=lambda layout: len(differences[layout]))
    if differences[layout]:
        told = ", ".join(f"{theirs} (here: {ours})" for theirs, ours in differences[layout])
        raise ValueError(f"no Hugging Face layout holds this model; the nearest is {layout.said}, with {told}")
    return layout


def _differences(layout: Layout, settings: Settings, mask: str) -> list[tuple[str, str]]:
    """What it has in place of what is here, part by part."""
    held = layout.nearest(settings)
    names = [f.name for f in fields(settings) if getattr(settings, f.name) != getattr(held, f.name)]
    found = [_said(name, getattr(held, name), getattr(settings, name)) for name in names]
    return found if mask == layout.mask else [(LOOKS[layout.mask], LOOKS[mask]), *found]


def _said(name: str, theirs: Any, ours: Any) -> tuple[str, str]:
    if type(theirs) in PARTS:
        alike = type(theirs) is type(ours)  # then it is a number in them that differs
        first, second = (f"{PARTS[type(part)]}{f' {asdict(part)}' if alike else ''}" for part in (theirs, ours))
        return f"{first}{OF.get(name, '')}", second
    words = {True: "yes", False: "no", (): "alike"}
    first, second = (words[value] if isinstance(value, bool) or value == () else value for value in (theirs, ours))
    said = SAID.get(name, f"{name} {{}}")
    return said.format(first), said.format(second)
