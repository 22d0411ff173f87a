"""Sizes that go well together, by name, and what `--set name=value` changes in them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from regard.attending.positions import LearnedPositions, NoPositions, RotaryPositions, SinusoidalPositions
from regard.models.joining import Added, SideBySide
from regard.models.parts import MLP, GatedMLP, LayerNorm, NoNorm, NoTransform, RMSNorm, Transform
from regard.models.roles import KeysAreValues, OwnRoles, QueriesAreKeys
from regard.models.settings import ORDERS, Settings
from regard.ops.scaling import SCALINGS
from regard.suggestions import NotFound, suggestion
from regard.text.bpe import SMALLEST
from regard.training.settings import TrainingSettings, setting

POSITIONS = ("learned", "rotary", "waves", "none")
NORMS = ("layer", "rms")
MLPS = ("gelu_tanh", "gelu", "silu", "swiglu")
ROLES = {"own": OwnRoles(), "keys-are-values": KeysAreValues(), "queries-are-keys": QueriesAreKeys()}
JOINING = {"side-by-side": SideBySide(), "added": Added()}
# settings that older runs were saved without; they had the usual ones
SINCE = ("roles", "joining", "scaling", "film_every")
# what a resumed run may change
WHEN_RESUMED = ("updates", "evaluate_every", "evaluate_batches", "save_every", "patience", "sharded", "film_every")


@dataclass(frozen=True)
class Sizes:
    """The model of a run: as GPT-2 is built, unless a part is changed."""

    width: int = setting(128, "numbers in the vector of a token")
    layers: int = setting(4, "blocks, one after the other")
    heads: int = setting(4, "attention heads in a layer")
    kv_heads: int = setting(0, "key/value heads in a layer; 0: as many as heads")
    vocabulary: int = setting(2048, "pieces of words that the tokenizer learns")
    positions: str = setting("learned", f"how it knows the order of words: one of {', '.join(POSITIONS)}")
    roles: str = setting("own", f"whether queries, keys and values have maps of their own: one of {', '.join(ROLES)}")
    joining: str = setting("side-by-side", f"how heads become one vector again: one of {', '.join(JOINING)}")
    scaling: str = setting("root", f"scores over √d_k, over d_k, or as they are: one of {', '.join(SCALINGS)}")
    norm: str = setting("layer", f"one of {', '.join(NORMS)}")
    mlp: str = setting("gelu_tanh", f"one of {', '.join(MLPS)}")
    biases: bool = setting(True, "whether maps add a bias")
    tied: bool = setting(True, "whether words are written with the table they are read with")
    norm_order: str = setting("before", f"where a block normalises: one of {', '.join(ORDERS)}")
    segments: int = setting(0, "kinds of text told apart by a vector, as BERT has two")
    embedding_norm: bool = setting(False, "whether the vectors of tokens are normalised first, as in BERT")
    transform: bool = setting(False, "one more map before the vocabulary, as in BERT")

    def __post_init__(self) -> None:
        choices = {"positions": POSITIONS, "roles": ROLES, "joining": JOINING, "scaling": SCALINGS, "norm": NORMS}
        for name, known in (choices | {"mlp": MLPS, "norm_order": ORDERS}).items():
            if getattr(self, name) not in known:
                raise NotFound(f"no {name} {getattr(self, name)!r}; {suggestion(getattr(self, name), known)}")

    def settings(self, vocabulary: int, window: int, writes: int | None = None) -> Settings:
        """The whole description of the model, once it is known how many pieces the text has, and how many classes."""
        places: dict[str, NoPositions] = {
            "learned": LearnedPositions(window), "rotary": RotaryPositions(), "waves": SinusoidalPositions(),
            "none": NoPositions(),
        }  # fmt: skip
        gated = self.mlp == "swiglu"
        norm = LayerNorm() if self.norm == "layer" else RMSNorm()
        return Settings(
            width=self.width,
            heads=self.heads,
            kv_heads=self.kv_heads or None,
            layers=self.layers,
            reads=vocabulary,
            writes=vocabulary if writes is None else writes,
            segments=self.segments,
            positions=places[self.positions],
            roles=ROLES[self.roles],
            joining=JOINING[self.joining],
            scaling=self.scaling,
            embedding_norm=norm if self.embedding_norm else NoNorm(),
            norm=norm,
            norm_order=self.norm_order,
            transform=Transform("gelu", LayerNorm().epsilon) if self.transform else NoTransform(),
            mlp=GatedMLP(self.width * 8 // 3, "silu") if gated else MLP(4 * self.width, self.mlp),
            biases=self.biases,
            tied=self.tied and writes is None,
            max_tokens=window,
        )


@dataclass(frozen=True)
class Plan:
    """The sizes of a model, and how it is trained."""

    sizes: Sizes
    training: TrainingSettings

    def __post_init__(self) -> None:
        settings = self.sizes.settings(self.sizes.vocabulary, self.training.window)  # what does not fit is said now
        if self.sizes.positions == "rotary" and settings.head_width % 2:
            raise ValueError(f"rotary positions turn pairs; the head width {settings.head_width} is odd")
        if not self.sizes.vocabulary >= SMALLEST:
            raise ValueError(
                f"vocabulary expects at least {SMALLEST} (every byte, the end, a mask), got {self.sizes.vocabulary}"
            )

    def data(self) -> dict[str, Any]:
        return {**asdict(self.sizes), **asdict(self.training)}

    @classmethod
    def of(cls, data: Any) -> "Plan":
        """The plan that `data` wrote down; whatever else came is a ValueError."""
        kinds = {f.name: f.type for part in (Sizes, TrainingSettings) for f in fields(part)}
        if isinstance(data, Mapping):
            usual = {f.name: f.default for part in (Sizes, TrainingSettings) for f in fields(part)}
            data = {**{name: usual[name] for name in SINCE}, **data}
        if not isinstance(data, Mapping) or set(data) != set(kinds):
            raise ValueError("the saved settings are not those of this version; train a new run in another folder")
        for name, value in data.items():
            if type(value) is not kinds[name] and not (kinds[name] is float and type(value) is int):
                raise ValueError(f"the saved setting {name} is {str(value)[:40]!r}, which cannot be")
        return PRESETS["small"].changed(data)

    def resumed_with(self, values: Mapping[str, Any]) -> "Plan":
        """The plan of a resumed run: its length may change, what it is may not."""
        before = self.data()
        for name, value in values.items():
            if name in before and name not in WHEN_RESUMED and value != before[name]:
                raise ValueError(
                    f"{name} was {before[name]} when the run began, got {value}; a resumed run may change "
                    f"{', '.join(WHEN_RESUMED)}; for anything else choose another folder with --out"
                )
        return self.changed(values)

    def changed(self, values: Mapping[str, Any]) -> "Plan":
        sizes, training = ({f.name for f in fields(part)} for part in (Sizes, TrainingSettings))
        if unknown := [name for name in values if name not in sizes | training]:
            raise NotFound(f"no setting {unknown[0]!r}; {suggestion(unknown[0], [*sorted(sizes), *sorted(training)])}")
        return Plan(
            replace(self.sizes, **{n: v for n, v in values.items() if n in sizes}),
            replace(self.training, **{n: v for n, v in values.items() if n in training}),
        )


PRESETS: dict[str, Plan] = {
    # seconds: every number of it fits on a screen
    "toy": Plan(
        Sizes(width=32, layers=2, heads=2, vocabulary=512),
        TrainingSettings(updates=300, batch=16, window=32, rate=3e-3, evaluate_every=50, evaluate_batches=4),
    ),
    # about three minutes on two cores; of 3 MB of text it learns to write words (benchmarks/samples.py)
    "small": Plan(
        Sizes(vocabulary=8192),
        TrainingSettings(updates=600, batch=16, window=128, rate=2e-3, optimiser="muon", evaluate_every=100,
                         evaluate_batches=8, save_every=100),
    ),
    # the shape of GPT-2 small, for a GPU
    "gpt2": Plan(
        Sizes(width=768, layers=12, heads=12, vocabulary=50_257),
        TrainingSettings(updates=20_000, batch=12, window=1024, accumulate=5, rate=6e-4, precision="bfloat16",
                         compile=True, evaluate_every=500, save_every=500),
    ),
}  # fmt: skip


def preset(name: str) -> Plan:
    if name not in PRESETS:
        raise NotFound(f"no preset {name!r}; {suggestion(name, PRESETS)}")
    return PRESETS[name]


def settings_listed(plan: Plan) -> list[tuple[str, str, str]]:
    """Every setting of a plan: its name, its value as `--set` takes it, and what it is.

    >>> settings_listed(PRESETS["toy"])[0]
    ('width', '32', 'numbers in the vector of a token')
    """
    values = plan.data()
    return [
        (field.name, _written(values[field.name]), field.metadata["about"])
        for part in (Sizes, TrainingSettings)
        for field in fields(part)
    ]


def _written(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def values_of(written: Sequence[str]) -> dict[str, Any]:
    """What `--set` says, each value of the type that the setting has.

    >>> values_of(["width=64", "rate=1e-3", "compile=yes"])
    {'width': 64, 'rate': 0.001, 'compile': True}
    """
    kinds: dict[str, Any] = {field.name: field.type for part in (Sizes, TrainingSettings) for field in fields(part)}
    values: dict[str, Any] = {}
    for one in written:
        name, sign, value = (part.strip() for part in one.partition("="))
        if not sign:
            raise ValueError(f"cannot read the setting {one!r}; write it like width=64")
        if name not in kinds:
            raise NotFound(f"no setting {name!r}; {suggestion(name, kinds)}")
        values[name] = _value(name, value, kinds[name])
    return values


def _value(name: str, written: str, kind: type) -> Any:
    if kind is bool:
        if written.lower() not in ("yes", "no", "true", "false", "1", "0"):
            raise ValueError(f"{name} expects yes or no, got {written!r}")
        return written.lower() in ("yes", "true", "1")
    try:
        return kind(written.replace(",", "") if kind is int else written)
    except ValueError:
        words = {int: "a whole number", float: "a number"}
        raise ValueError(f"{name} expects {words.get(kind, 'text')}, got {written!r}") from None
