"""The layouts that regard reads and writes, and which of them holds a model, said in words where none does."""

from regard.attending.positions import (
    DistanceBias,
    LearnedPositions,
    NoPositions,
    RotaryPositions,
    SinusoidalPositions,
)
from regard.models.huggingface.gpt2 import GPT2
from regard.models.huggingface.layout import Layout
from regard.models.huggingface.llama import LLAMA
from regard.models.parts import MLP, GatedMLP, LayerNorm, NoMLP, NoNorm, RMSNorm
from regard.models.settings import Settings

LAYOUTS: dict[str, Layout] = {layout.model_type: layout for layout in (GPT2, LLAMA)}

PARTS: dict[type, str] = {
    NoPositions: "no positions",
    LearnedPositions: "learned positions",
    SinusoidalPositions: "waves for positions",
    RotaryPositions: "rotary positions",
    DistanceBias: "a bias by distance",
    NoNorm: "no norm",
    LayerNorm: "layer norm",
    RMSNorm: "RMS norm",
    NoMLP: "no MLP",
    MLP: "a plain MLP",
    GatedMLP: "a gated MLP",
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
    "tied": "tied words: {}",
}


def layout_of(settings: Settings) -> Layout:
    """The layout that holds a model with these settings; else a ValueError says what does not fit.

    >>> from regard.models.english import settings
    >>> layout_of(settings()).said
    'Llama'
    >>> layout_of(Settings(4, 2, reads=3, writes=3, positions=DistanceBias(3), norm=LayerNorm(), mlp=MLP(8)))
    Traceback (most recent call last):
    ValueError: ... the nearest is GPT-2, with learned positions (here: a bias by distance)
    """
    differences = {layout: layout.differences(settings) for layout in LAYOUTS.values()}
    nearest = min(LAYOUTS.values(), key=lambda layout: len(differences[layout]))
    if not differences[nearest]:
        return nearest
    held, here = nearest.nearest(nearest.filled(settings)), nearest.filled(settings)
    told = ", ".join(f"{_said(held, name)} (here: {_said(here, name)})" for name in differences[nearest])
    raise ValueError(f"no Hugging Face layout holds this model; the nearest is {nearest.said}, with {told}")


def _said(settings: Settings, name: str) -> str:
    value = getattr(settings, name)
    if type(value) in PARTS:
        return PARTS[type(value)]
    word = {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value
    return SAID.get(name, f"{name} {{}}").format(word)
