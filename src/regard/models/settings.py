"""What a transformer is made of: sizes and parts, checked on creation."""

import math
from dataclasses import dataclass, field, replace

from regard.attending.positions import NoPositions
from regard.models.joining import Added, SideBySide
from regard.models.looking import Looking
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
from regard.models.roles import KeysAreValues, OwnRoles, QueriesAreKeys
from regard.ops.scaling import OfWidth, Scaling, scaling_named

ORDERS = ("before", "after", "around")
ARRANGEMENTS = ("in turn", "beside", "beside, one norm")


@dataclass(frozen=True)
class Settings:
    """Sizes and parts of one model.

    >>> Settings(width=8, heads=2, reads=5, writes=5).head_width
    4
    """

    width: int
    heads: int
    reads: int  # words that can be read
    writes: int  # words that can be written
    layers: int = 1
    kv_heads: int | None = None
    head_width: int = 0  # 0: width / heads
    segments: int = 0  # kinds of text, each marked by a vector of its own (BERT: first and second sentence)
    positions: NoPositions = field(default_factory=NoPositions)
    embedding_norm: NoNorm | LayerNorm | RMSNorm | RMSNormAroundOne = field(default_factory=NoNorm)
    roles: OwnRoles | KeysAreValues | QueriesAreKeys = field(default_factory=OwnRoles)
    joining: SideBySide | Added = field(default_factory=SideBySide)
    norm: NoNorm | LayerNorm | RMSNorm | RMSNormAroundOne = field(default_factory=NoNorm)
    # the norm comes before attention and MLP, after their sum with the stream, or before them and again after them
    norm_order: str = "before"
    mlp: NoMLP | MLP | GatedMLP = field(default_factory=NoMLP)
    transform: NoTransform | Transform | Pooling = field(default_factory=NoTransform)
    scaling: str = "root"  # as ops/scaling.py calls it
    biases: bool = False
    residual: bool = True
    output_projection: bool = True  # W_O
    tied: bool = False  # words are written with the same vectors they are read with
    max_tokens: int = 1024
    window: int = 0  # words read those less than this many positions away; 0: all that the mask lets them read
    arrangement: str = "in turn"  # the MLP reads what attention has added, or the same as attention, beside it
    head_norm: NoNorm | LayerNorm | RMSNorm | RMSNormAroundOne = field(default_factory=NoNorm)  # of each query and key
    scaling_width: int = 0  # what scores are divided by the root of; 0: the head width
    cap: float | None = None  # scores stay between ±cap, by a curve
    logit_cap: float | None = None  # and logits
    embedding_scale: float = 1.0  # what word vectors are multiplied by as they enter
    output_bias: bool = False  # a number for each word that can be written; a transform has one of its own
    word_width: int = 0  # of the word vectors, which are mapped to the stream's width and back; 0: the stream's
    looking: tuple[Looking, ...] = ()  # where layers differ in that: one for each, or fewer, in turn

    def __post_init__(self) -> None:
        for name in ("width", "heads", "reads", "writes", "layers", "max_tokens"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, got {getattr(self, name)}")
        if not self.head_width:
            if self.width % self.heads:
                raise ValueError(
                    f"the width {self.width} cannot be divided among {self.heads} heads; "
                    f"choose a multiple of {self.heads}, or give head_width"
                )
            object.__setattr__(self, "head_width", self.width // self.heads)
        if self.kv_heads is None:
            object.__setattr__(self, "kv_heads", self.heads)
        if not self.kv_heads or self.heads % self.kv_heads:
            raise ValueError(f"{self.heads} heads cannot share {self.kv_heads} key/value heads evenly")
        scaling_named(self.scaling)
        if self.norm_order not in ORDERS:
            raise ValueError(f"unknown norm order {self.norm_order!r}; choose one of {', '.join(ORDERS)}")
        if self.arrangement not in ARRANGEMENTS:
            raise ValueError(f"unknown arrangement {self.arrangement!r}; choose one of {', '.join(ARRANGEMENTS)}")
        if self.arrangement != "in turn" and not (self.norm_order == "before" and self.residual):
            raise ValueError("attention and MLP beside each other need norms before, and the stream that they add to")
        if self.tied and self.reads != self.writes:
            raise ValueError(f"tied embeddings need reads and writes to be equal, got {self.reads} and {self.writes}")
        for name in ("cap", "logit_cap", "embedding_scale"):
            if (number := getattr(self, name)) is not None and not 0 < number < math.inf:
                raise ValueError(f"{name} must be a number above 0, got {number}")
        if self.window < 0:
            raise ValueError(f"a window must be 0 or more, got {self.window}")
        if self.segments < 0:
            raise ValueError(f"segments must be 0 or more, got {self.segments}")
        if isinstance(self.roles, QueriesAreKeys) and self.kv_heads != self.heads:
            raise ValueError(
                f"where queries are keys, heads and kv_heads must be equal, got {self.heads} and {self.kv_heads}"
            )
        joined = self.joining.width(self.heads, self.head_width)
        if not self.output_projection and joined != self.width:
            raise ValueError(
                f"without W_O the joined heads must be as wide as the stream, {self.width}; "
                f"{self.heads} heads of {self.head_width} make {joined}"
            )

    @property
    def score_scaling(self) -> Scaling:
        way = scaling_named(self.scaling)
        return OfWidth(way, self.scaling_width) if self.scaling_width else way

    def of(self, layer: int) -> "Settings":
        """The same as one layer has it.

        >>> settings = Settings(width=8, heads=2, reads=5, writes=5, layers=3, looking=(Looking(4), Looking()))
        >>> [settings.of(layer).window for layer in range(3)]
        [4, 0, 4]
        """
        if not self.looking:
            return self
        own = self.looking[layer % len(self.looking)]
        return replace(self, looking=(), window=own.window, positions=own.positions or self.positions)
