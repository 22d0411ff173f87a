"""What the tests share: every pair of variants of the transformer, traces of them, and central differences.

Sizes are different primes wherever a variant allows it, so that a swapped axis cannot pass.
"""

import itertools
import os
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import settings as hypothesis_settings

from regard.attending.masks import both, causal, padding, window
from regard.attending.positions import (
    DistanceBias,
    LearnedPositions,
    NoPositions,
    RotaryPositions,
    SinusoidalPositions,
)
from regard.attending.stretching import ByWavelength
from regard.models.glass import Glass
from regard.models.joining import Added, SideBySide
from regard.models.looking import Looking
from regard.models.parameters import checked, shapes
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
from regard.models.transformer import at_places, every_next_word, next_word, transformer
from regard.ops import Contract, Given, Map, Merge, Operation, Peak, Pick, Replace, Scatter, Split
from regard.trace import Labels, Step, Trace

# the same examples on every machine and every day
hypothesis_settings.register_profile("regard", derandomize=True, database=None, deadline=None)
hypothesis_settings.load_profile("regard")

# readline, which pytest imports, sets it for tests that run side by side: what is piped would be cut at 80 columns
os.environ.pop("COLUMNS", None)


@pytest.fixture
def figure(record_property: Callable[[str, object], None]) -> Callable[..., None]:
    """Says what a test has measured, for docs/security.md (scripts/security_table.py keeps it).

    Over the cases of a test, whole numbers are added up, and of others the largest counts.
    """

    def said(**numbers: float) -> None:
        for name, number in numbers.items():
            record_property(name, number)

    return said


EPSILON = 0.03  # of the norms: large enough that dropping it shows
REACH = 3  # of the distance bias: shorter than the text, so that far words share the last number
WORDS = ("the", "cat", "the", "4", "a,b", "naïve", "]")  # a repeated word, a number, odd signs
IDS = (3, 0, 3, 11, 5, 1, 7)

FACTORS: dict[str, dict[str, Any]] = {
    "norm": {"no-norm": NoNorm(), "layer": LayerNorm(EPSILON), "unbiased": LayerNorm(EPSILON, bias=False),
             "rms": RMSNorm(EPSILON), "around-one": RMSNormAroundOne(EPSILON)},
    "norm_order": {"before": "before", "after": "after", "around": "around"},
    "mlp": {"no-mlp": NoMLP(), "gelu": MLP(11, "gelu"), "tanh": MLP(11, "gelu_tanh"), "silu": MLP(11, "silu"),
            "gated": GatedMLP(11, "silu")},
    "positions": {"bag": NoPositions(), "learned": LearnedPositions(17, offset=2), "waves": SinusoidalPositions(),
                  "rotary": RotaryPositions(100.0), "distance": DistanceBias(REACH),
                  "partly": RotaryPositions(100.0, turns=4, stretch=ByWavelength(4.0, 0.1, 2.0, 20))},
    "mask": {"causal": causal, "both": both, "window": lambda n: window(n, 2), "padding": lambda n: padding(n, n - 2)},
    "heads": {"3of3": (3, 3), "3of1": (3, 1), "6of3": (6, 3)},
    "biases": {"biases": True, "unbiased-maps": False},
    "residual": {"residual": True, "no-residual": False},
    "output_projection": {"W_O": True, "no-W_O": False},
    "tied": {"tied": True, "untied": False},
    "scaling": {"root": "root", "width": "width", "none": "none"},
    "task": {"next": "next", "every": "every", "places": "places"},
    "segments": {"one-text": 0, "segments": 2},
    "embedding_norm": {"bare": NoNorm(), "normed-words": LayerNorm(EPSILON)},
    "roles": {"own": OwnRoles(), "biased": BiasedRoles(), "K=V": KeysAreValues(), "Q=K": QueriesAreKeys()},
    "joining": {"beside": SideBySide(), "added": Added()},
    "transform": {"direct": NoTransform(), "transform": Transform("gelu", EPSILON), "pooling": Pooling("tanh")},
    "arrangement": {"in-turn": "in turn", "beside": "beside", "one-norm": "beside, one norm"},
    "head_norm": {"bare-heads": NoNorm(), "normed-heads": LayerNorm(EPSILON)},
    "looking": {"alike": (), "near": (Looking(3), Looking(2, NoPositions()))},
    "cap": {"uncapped": None, "capped": 1.3},
    "logit_cap": {"open-logits": None, "capped-logits": 2.1},
    "scaling_width": {"by-head": 0, "by-5": 5},
    "embedding_scale": {"plain-words": 1.0, "large-words": 1.7},
    "word_width": {"wide-words": 0, "narrow-words": 5},
    "output_bias": {"no-b_out": False, "b_out": True},
    "layers": {"1layer": 1, "2layers": 2},
}  # fmt: skip


@dataclass(frozen=True)
class Variant:
    """One choice for every factor."""

    choices: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return " ".join(choice for _, choice in self.choices)

    def __getitem__(self, factor: str) -> Any:
        return FACTORS[factor][dict(self.choices)[factor]]

    def but(self, **changed: str) -> "Variant":
        return Variant(tuple((factor, changed.get(factor, choice)) for factor, choice in self.choices))

    @property
    def is_turned(self) -> bool:
        return isinstance(self["positions"], RotaryPositions)

    def settings(self) -> Settings:
        heads, kv_heads = self["heads"]
        kv_heads = heads if isinstance(self["roles"], QueriesAreKeys) else kv_heads
        head_width = 6 if self["positions"] == FACTORS["positions"]["partly"] else 4 if self.is_turned else 2
        stands = self["norm_order"] == "before" and self["residual"]  # attention and MLP beside each other need that
        return Settings(
            width=7 if self["output_projection"] else self["joining"].width(heads, head_width),
            heads=heads,
            kv_heads=kv_heads,
            head_width=head_width,
            reads=13,
            writes=13 if self["tied"] else 19,
            max_tokens=17,
            arrangement=self["arrangement"] if stands else "in turn",
            **{
                name: self[name]
                for name in (
                    "norm",
                    "norm_order",
                    "mlp",
                    "positions",
                    "biases",
                    "residual",
                    "output_projection",
                    "tied",
                    "scaling",
                    "layers",
                    "segments",
                    "embedding_norm",
                    "roles",
                    "joining",
                    "transform",
                    "head_norm",
                    "looking",
                    "cap",
                    "logit_cap",
                    "scaling_width",
                    "embedding_scale",
                    "word_width",
                    "output_bias",
                )
            },
        )


def all_pairs() -> list[Variant]:
    """Few variants in which every choice of a factor meets every choice of every other. Greedy, always the same."""
    names = list(FACTORS)
    wanted = {
        ((a, x), (b, y)) for a, b in itertools.combinations(names, 2) for x in FACTORS[a] for y in FACTORS[b]
    }  # fmt: skip
    generator = random.Random(7)
    found: list[Variant] = []
    while wanted:
        best, best_new, still = None, -1, sorted(wanted)
        for _ in range(60):
            (a, x), (b, y) = generator.choice(still)
            choices = {n: generator.choice(list(FACTORS[n])) for n in names} | {a: x, b: y}
            new = sum(pair in wanted for pair in itertools.combinations(choices.items(), 2))
            if new > best_new:
                best, best_new = choices, new
        assert best is not None
        wanted -= set(itertools.combinations(best.items(), 2))
        found.append(Variant(tuple(best.items())))
    return found


VARIANTS = all_pairs()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "variant" in metafunc.fixturenames:
        metafunc.parametrize("variant", VARIANTS, ids=str)


def random_arrays(settings: Settings, seed: int) -> dict[str, np.ndarray]:
    """Every parameter random, gains and biases too (a zero would hide a lost term), and no word quite impossible."""
    generator = np.random.default_rng(seed)
    return {
        name: generator.normal(1.0 if name.endswith("gain") else 0.0, 0.3, shape)
        for name, (_, shape) in shapes(settings).items()
    }


def segments_of(variant: Variant, tokens: int) -> list[int] | None:
    """The words of a text belong to two sentences in turn."""
    return [t % 2 for t in range(tokens)] if variant["segments"] else None


def places_in(tokens: int) -> list[int]:
    """Some places of a text, out of order, where something is predicted."""
    return [max(tokens - 2, 0), 0]


def build(
    variant: Variant,
    tokens: int = 5,
    seed: int = 1,
    ids: Sequence[int] | None = None,
    arrays: dict[str, np.ndarray] | None = None,
    visible: np.ndarray | None = None,
) -> Trace:
    """A run of a variant with random numbers."""
    settings = variant.settings()
    arrays = random_arrays(settings, seed) if arrays is None else arrays
    ids = IDS[:tokens] if ids is None else ids
    visible = variant["mask"](len(ids)) if visible is None else visible
    do = Glass()
    parameters = do.parameters(checked(settings, arrays))
    x = transformer(do, ids, parameters, settings, visible, segments_of(variant, len(ids)))
    targets = [(5 * i + 2) % settings.writes for i in ids]
    if variant["task"] == "every":
        every_next_word(do, x, parameters, targets, settings.logit_cap)
    elif variant["task"] == "places":
        places = places_in(len(ids))
        at_places(do, x, parameters, places, [targets[place] for place in places], settings.logit_cap)
    else:
        position = max(len(ids) - 3, 0)  # not the last one, so that reading the wrong one shows
        next_word(do, x, parameters, position, targets[position], settings.logit_cap)
    words = WORDS[: len(ids)]
    return Trace(tuple(do.steps), Labels(dict.fromkeys("TQK", words)), {"visible": visible, "ids": list(ids)})


# central differences


def _along(op: Operation, lifted: Sequence[bool]) -> Operation:
    """The same operation for many runs at once: one more axis, Z, on what differs between them."""
    if isinstance(op, Replace):
        return Replace(f"Z{op.letters}", (slice(None), *op.at), op.number)  # pyright: ignore[reportArgumentType]
    assert isinstance(op, Contract | Map | Merge | Peak | Pick | Scatter | Split), op
    inputs, _, output = op.spec.partition("->")
    letters = ("Z" + axes if many else axes for axes, many in zip(inputs.split(","), lifted))
    return replace(op, spec=f"{','.join(letters)}->Z{output}")


def many_runs(forward: Sequence[Step], changed: Step, values: np.ndarray, of: str) -> np.ndarray:
    """The number `of`, for each of many values of one step."""
    lifted = {changed: Step(changed.name, Given(values, f"Z{changed.axes}"))}
    result = next(s for s in forward if s.name == of)
    for step in forward:
        if step not in lifted and any(i in lifted for i in step.inputs):
            op = _along(step.op, [i in lifted for i in step.inputs])
            lifted[step] = Step(step.name, op, tuple(lifted.get(i, i) for i in step.inputs))
    return lifted[result].value if result in lifted else np.full(len(values), float(result.value))


def difference_quotients(trace: Trace, step: Step, of: str = "loss") -> np.ndarray:
    """How `of` changes with each cell of a step, by four evaluations around it, in float64."""
    x = step.value
    h = _distances(step.name, x)
    moved = np.eye(x.size).reshape(x.size, *x.shape) * h
    runs = many_runs(trace.forward, step, np.concatenate([x + by * moved for by in (-2, -1, 1, 2)]), of)
    left2, left, right, right2 = runs.reshape(4, *x.shape)
    return (left2 - 8 * left + 8 * right - right2) / (12 * h)


LEAST = 1e-5  # of the largest in the row: what is smaller moves nothing that float64 could see
EMPTY = 0.2  # for a row of nothing: a norm of what is read from it bends sharply there


def _distances(name: str, x: np.ndarray) -> np.ndarray:
    """How far to go from each cell. Shares and exponentials are divided by and logged: go by a part of their size."""
    if name.endswith("variance"):
        return 1e-3 * (x + EPSILON)
    if name.endswith("total"):
        return 1e-3 * np.where(x > 0, x, 1.0)
    if np.any(x > 0) and np.all(x >= 0):
        largest = x.max(axis=-1, keepdims=True) if x.ndim else x
        return 1e-3 * np.where(x > 0, np.maximum(x, LEAST * largest), np.where(largest > 0, 0.1 * largest, EMPTY))
    return np.full(x.shape, 3e-4)


def relative_error(gradient: np.ndarray, expected: np.ndarray) -> float:
    """Largest difference over the largest value; what float64 cannot resolve of a difference quotient is let go."""
    assert gradient.shape == expected.shape
    assert np.isfinite(gradient).all()
    if not gradient.size:
        return 0.0
    difference = float(np.abs(gradient - expected).max())
    # where a gradient is 0 whatever the numbers (b_K and softmax), norms of short vectors enlarge what rounding leaves
    unseen = 3e-11 if np.abs(gradient).max() > 1e-15 else 1e-8
    return max(0.0, difference - unseen) / max(float(np.abs(expected).max()), 1e-300)


@pytest.fixture(scope="session")
def trace_of() -> Callable[..., Trace]:
    return build


@pytest.fixture(scope="session")
def arrays_of() -> Callable[[Variant, int], dict[str, np.ndarray]]:
    return lambda variant, seed=1: random_arrays(variant.settings(), seed)


@pytest.fixture(scope="session")
def quotients() -> Callable[..., np.ndarray]:
    return difference_quotients


@pytest.fixture(scope="session")
def error_of() -> Callable[[np.ndarray, np.ndarray], float]:
    return relative_error


@pytest.fixture(scope="session")
def variants() -> list[Variant]:
    return VARIANTS


@pytest.fixture(scope="session")
def factors() -> dict[str, dict[str, Any]]:
    return FACTORS


@pytest.fixture(scope="session")
def plain_variant() -> Variant:
    """The least of all transformers: nothing but attention. `.but(mlp="gelu")` adds a part."""
    least = {
        "norm": "no-norm",
        "norm_order": "before",
        "mlp": "no-mlp",
        "positions": "bag",
        "mask": "causal",
        "heads": "3of3",
        "biases": "unbiased-maps",
        "residual": "residual",
        "output_projection": "W_O",
        "tied": "untied",
        "arrangement": "in-turn",
        "head_norm": "bare-heads",
        "looking": "alike",
        "cap": "uncapped",
        "logit_cap": "open-logits",
        "scaling_width": "by-head",
        "embedding_scale": "plain-words",
        "word_width": "wide-words",
        "output_bias": "no-b_out",
        "scaling": "root",
        "task": "next",
        "layers": "1layer",
        "segments": "one-text",
        "embedding_norm": "bare",
        "roles": "own",
        "joining": "beside",
        "transform": "direct",
    }
    return Variant(tuple(least.items()))
