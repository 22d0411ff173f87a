"""The drawings of views/figure.py, one function each: they fill a matplotlib Figure. Imported when one is asked for."""

import io
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, LinearSegmentedColormap, Normalize, PowerNorm, TwoSlopeNorm
from matplotlib.figure import Figure

from regard.lens.logit_lens import logit_lens
from regard.ops.notation import format_in_column
from regard.trace import Step, Trace
from regard.trace.names import layer_of
from regard.views.focus import Focus
from regard.views.ink import WEIGHT, K, Q, V

SHARES = LinearSegmentedColormap.from_list("shares", ["#FFFFFF", WEIGHT, "#5C1F45"])
SIGNED = LinearSegmentedColormap.from_list("signed", [K, "#FFFFFF", Q])
INK, GREY, HAIR = "#1B1E22", "#62686F", "#D9D9D4"
MOST_NUMBERS = 12  # words up to which every cell has its number
MOST_CELLS = 64  # of a side up to which every cell is a shape of its own; beyond, one picture
MOST_WORDS = 40  # along an axis
MOST_BARS = 16
LONGEST = 16  # signs of a word
NAMED = 0.06  # of the longest arrow: shorter ones have no room for a name


class Drawn(Figure):
    """A figure that a notebook shows by itself."""

    def _repr_svg_(self) -> str:
        from regard.views.figure import write

        held = io.StringIO()
        write(self, held, "svg")
        return held.getvalue()


def weights(drawn: Figure, trace: Trace, focus: Focus) -> None:
    values = trace.array(focus.step("weights"))[focus.head]
    drawn.set_size_inches(*_sides(values.shape))
    axes = drawn.subplots()
    cells = _matrix(axes, trace, values, SHARES, Normalize(0, _above(values)))
    axes.set_title(f"Weights of {focus.place}")
    _limits(drawn, axes, cells, "weight")


def blame(drawn: Figure, trace: Trace, focus: Focus) -> None:
    name = focus.step("masked.grad")
    if name not in trace.steps:
        raise ValueError("blame needs the word that should follow; say which (next)")
    values = trace.array(name)[focus.head]
    drawn.set_size_inches(*_sides(values.shape))
    axes = drawn.subplots()
    most = float(np.abs(values).max()) or 1.0
    cells = _matrix(axes, trace, values, SIGNED, TwoSlopeNorm(0, -most, most))
    axes.set_title(f"Blame of each score, {focus.place}\nvermilion: more attention would lower the loss")
    _limits(drawn, axes, cells, "∂loss/∂score")


def row(drawn: Figure, trace: Trace, focus: Focus) -> None:
    values = trace.array(focus.step("weights"))[focus.head, focus.row]
    words = [_said(trace.labels.shown("K", i)) for i in range(len(values))]
    shown = sorted(np.argsort(-values, kind="stable")[:MOST_BARS].tolist())
    drawn.set_size_inches(4.2, 0.9 + 0.19 * len(shown))
    axes = drawn.subplots()
    _bars(axes, [words[i] for i in shown], values[shown], WEIGHT)
    rest = (
        f"; {len(values) - len(shown)} more words have {1 - values[shown].sum():.2f}"
        if len(shown) < len(values)
        else ""
    )
    axes.set_title(f"“{words[focus.row]}” reads, {focus.place}{rest}")
    axes.set_xlabel("weight")


def heads(drawn: Figure, trace: Trace, focus: Focus) -> None:
    layers = [s for s in trace.forward if s.name == f"{layer_of(s.name)}.weights"]
    most = max(_above(step.value) for step in layers)
    columns = max(step.shape[0] for step in layers)
    side = min(0.75, 6.5 / columns)
    drawn.set_size_inches(max(3.4, side * columns + 1.2), max(1.6, side * len(layers) + 0.9))
    grid = drawn.subplots(len(layers), columns, squeeze=False)
    scale = PowerNorm(0.5, 0, most)
    for number, step in enumerate(layers):
        for head in range(columns):
            axes = grid[number, head]
            axes.set_xticks([])
            axes.set_yticks([])
            if head >= step.shape[0]:
                axes.axis("off")
                continue
            axes.imshow(step.value[head], cmap=SHARES, norm=scale, interpolation="nearest", aspect="equal")
            is_shown = (number, head) == (focus.layer, focus.head)
            for spine in axes.spines.values():
                spine.set(visible=True, color=INK if is_shown else HAIR, linewidth=1.2 if is_shown else 0.4)
            if number == 0:
                axes.set_title(str(head), color=GREY, loc="center", fontsize=7)
        grid[number, 0].set_ylabel(f"layer {number}", rotation=0, ha="right", va="center", color=GREY, fontsize=7)
    drawn.suptitle(f"Weights of all heads; framed: {focus.place}", x=0.01, ha="left", fontsize=8.5)
    bar = drawn.colorbar(grid[0, 0].images[0], ax=grid.ravel().tolist(), fraction=0.03, pad=0.02)
    _ticks(bar, 0.0, most)
    bar.set_label("weight; colour grows with its root")
    drawn.supxlabel("in each: query, which reads ↓   key, which is read →", fontsize=7.5, color=GREY)


def vectors(drawn: Figure, trace: Trace, focus: Focus) -> None:
    """Left, the query among the keys: a large q·k is a key that lies along q. Right, α·v from tip to tip."""
    labels = trace.labels
    queries, keys = (_of_head(step, trace, focus) for step in trace.step(focus.step("scores")).inputs[:2])
    query = queries[focus.row]
    read = trace.step(focus.step("context")).inputs
    values = _of_head(next(step for step in read if step.name != focus.step("weights")), trace, focus)
    shares = trace.array(focus.step("weights"))[focus.head, focus.row]
    shown = sorted(np.argsort(-shares, kind="stable")[:MOST_BARS].tolist())
    drawn.set_size_inches(6.6, 3.4)
    left, right = drawn.subplots(1, 2)
    flat, told = _plane(np.vstack([query, keys[shown]]))
    for position, tip in zip(shown, flat[1:]):
        _arrow(left, np.zeros(2), tip, K, _said(labels.shown("K", position)))
    _arrow(left, np.zeros(2), flat[0], Q, f"q of {_said(labels.shown('Q', focus.row))}", heavy=True)
    left.set_title(f"q (blue) among the keys (vermilion){told}")
    total = (shares[:, None] * values).sum(axis=0)
    flat, told = _plane(np.vstack([total, shares[shown, None] * values[shown]]))
    lengths = np.linalg.norm(flat[1:], axis=1)
    tip = np.zeros(2)
    for position, step, length in zip(shown, flat[1:], lengths):
        share = f"{shares[position]:.2f}·{_said(labels.shown('K', position))}"
        is_long = length >= NAMED * float(np.linalg.norm(flat, axis=1).max())
        _arrow(right, tip, tip + step, V, share if is_long else "")
        tip = tip + step
    _arrow(right, np.zeros(2), flat[0], WEIGHT, "context", heavy=True)
    short = "; the shortest without names" if (lengths < NAMED * np.linalg.norm(flat, axis=1).max()).any() else ""
    right.set_title(f"α·v, tip to tip (green), make the context{short}{told}")
    for axes in (left, right):
        axes.set_aspect("equal", adjustable="datalim")
        axes.axhline(0, color=HAIR, linewidth=0.5, zorder=0)
        axes.axvline(0, color=HAIR, linewidth=0.5, zorder=0)
        axes.margins(0.18)
        axes.autoscale_view()
    drawn.suptitle(f"{focus.place}", x=0.01, ha="left", fontsize=8.5, color=GREY)


def logits(drawn: Figure, _: Trace, focus: Focus) -> None:
    found = focus.found
    ranked = sorted(found.candidates, key=lambda c: -c.probability)
    shown = [c for place, c in enumerate(ranked) if place < 12 or c.word == found.target]
    words = [_said(c.word) for c in shown]
    drawn.set_size_inches(5.4, 0.9 + 0.19 * len(shown))
    left, right = drawn.subplots(1, 2, sharey=True)
    _bars(left, words, [c.logit for c in shown], GREY)
    _bars(right, words, [c.probability for c in shown], GREY)
    for place, candidate in enumerate(shown):
        if candidate.word == found.predicted:
            left.get_yticklabels()[place].set_fontweight("bold")
        if candidate.word == found.target:
            for bars in (left, right):
                bars.patches[place].set(edgecolor=K, linewidth=1.4)
    right.tick_params(labelleft=False)
    target = f"; outlined: {_said(found.target)}, which should follow" if found.target is not None else ""
    left.set_title(f"The next word: bold is predicted{target}")
    left.set_xlabel("logit")
    right.set_xlabel(f"probability, of {len(found.candidates):,} words")


def lens(drawn: Figure, trace: Trace, _: Focus) -> None:
    layers = logit_lens(trace, top=5)
    shares = np.array([[c.probability for c in layer.candidates] for layer in layers])
    drawn.set_size_inches(1.2 + 0.95 * shares.shape[1], 0.9 + 0.24 * len(layers))
    axes = drawn.subplots()
    scale = Normalize(0, 1)
    axes.imshow(shares, cmap=SHARES, norm=scale, aspect="auto")
    for place in np.ndindex(shares.shape):
        candidate = layers[place[0]].candidates[place[1]]
        weight = "bold" if candidate.word == layers[-1].predicted.word else "normal"
        text = f"{_said(candidate.word, 12)} {candidate.probability:.2f}"
        _number(axes, place, text, _readable(SHARES, scale, shares[place]), weight)
    axes.set_yticks(range(len(layers)), [layer.name.replace("layer", "after layer ") for layer in layers])
    axes.set_xticks(range(shares.shape[1]), [str(rank + 1) for rank in range(shares.shape[1])])
    axes.set_xlabel("rank of the next word; colour is its probability, 0 to 1\nbold is what the model says in the end")
    axes.set_title("If the model stopped after each layer")
    _frameless(axes)


# parts


def _of_head(step: Step, trace: Trace, focus: Focus) -> np.ndarray:
    """A head's own part of a step; key/value heads may be shared."""
    heads = trace.step(focus.step("weights")).shape[0]
    return step.value[focus.head * step.shape[0] // heads]


def _matrix(axes: Axes, trace: Trace, values: np.ndarray, colours: Colormap, scale: Normalize) -> Any:
    rows, columns = values.shape
    if max(rows, columns) <= MOST_CELLS:
        edges = (np.arange(columns + 1) - 0.5, np.arange(rows + 1) - 0.5)
        cells: Any = axes.pcolormesh(*edges, values, cmap=colours, norm=scale, edgecolors="#FFFFFF", linewidth=0.4)
        axes.set(aspect="equal", ylim=(rows - 0.5, -0.5))
    else:
        cells = axes.imshow(values, cmap=colours, norm=scale, interpolation="nearest")
    for letter, count, put in (("Q", rows, axes.set_yticks), ("K", columns, axes.set_xticks)):
        every = -(-count // MOST_WORDS)
        places = range(0, count, every)
        words = [_said(trace.labels.shown(letter, place)) for place in places]
        small = 8 if count <= 16 else max(4.0, 8 * 20 / min(count, MOST_WORDS))
        put(places, words, fontsize=small, **({"rotation": 90} if letter == "K" and count > 6 else {}))
    axes.set_ylabel("query: reads ↓")
    axes.set_xlabel("key: is read →")
    if max(rows, columns) <= MOST_NUMBERS:
        for place in np.ndindex(values.shape):
            colour = _readable(colours, scale, values[place])
            _number(axes, place, _short(float(values[place]), float(np.abs(values).max())), colour)
    _frameless(axes)
    return cells


def _number(axes: Axes, place: Sequence[int], text: str, colour: str, weight: str = "normal") -> None:
    axes.text(place[1], place[0], text, ha="center", va="center", fontsize=6.5, color=colour, fontweight=weight)


def _short(value: float, largest: float) -> str:
    """Two decimals, or as many as the largest number beside it needs for two digits that count."""
    decimals = 2 if largest >= 0.1 or not largest else 1 - math.floor(math.log10(largest))
    return f"{value:.{decimals}f}" if value else "0"


def _frameless(axes: Axes) -> None:
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def _limits(drawn: Figure, axes: Axes, cells: Any, name: str) -> None:
    """A bar of colours that says where it begins and ends."""
    bar = drawn.colorbar(cells, ax=axes, fraction=0.046, pad=0.03)
    _ticks(bar, *cells.get_clim())
    bar.set_label(name)


def _ticks(bar: Any, low: float, high: float) -> None:
    places = [low, 0.0, high] if low < 0 else [low, high / 2, high]
    bar.set_ticks(places, labels=[_short(place, high) for place in places])
    bar.outline.set_visible(False)


def _bars(axes: Axes, words: Sequence[str], values: Any, colour: str) -> None:
    values = np.asarray(values, dtype=float)
    places = np.arange(len(words))
    axes.barh(places, values, height=0.72, color=colour, alpha=0.85)
    for place, value in zip(places, values):
        text = format_in_column(float(value), 4)
        axes.annotate(text, (max(value, 0.0), place), (3, 0), textcoords="offset points", va="center", fontsize=6.5)
    axes.set_yticks(places, words)
    axes.set_ylim(len(words) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.margins(x=0.18)


def _arrow(axes: Axes, tail: np.ndarray, tip: np.ndarray, colour: str, name: str, heavy: bool = False) -> None:
    """An arrow, named at its tip; a heavy one beside its middle, where nothing else is named."""
    style = {"arrowstyle": "-|>", "color": colour, "linewidth": 1.8 if heavy else 0.9, "mutation_scale": 8}
    axes.annotate("", tip, tail, arrowprops={**style, "shrinkA": 0, "shrinkB": 0})
    axes.update_datalim([tail, tip])
    along = (tip - tail) / (float(np.linalg.norm(tip - tail)) or 1.0)
    place, off = ((tail + tip) / 2, 9 * np.array([along[1], -along[0]])) if heavy else (tip, 5 * along)
    side = "left" if off[0] >= 0 else "right"
    axes.annotate(name, place, off, textcoords="offset points", fontsize=6.5, color=colour, ha=side, va="center")


def _plane(vectors: np.ndarray) -> tuple[np.ndarray, str]:
    """Vectors of two numbers as they are; longer ones in the two directions through 0 that hold most of them."""
    if vectors.shape[1] == 2:
        return vectors, ""
    if vectors.shape[1] == 1:
        return np.hstack([vectors, np.zeros_like(vectors)]), ""
    _, sizes, directions = np.linalg.svd(vectors, full_matrices=False)
    directions = directions[:2] * np.sign(directions[:2, np.abs(directions[:2]).argmax(axis=1)].diagonal())[:, None]
    held = float((sizes[:2] ** 2).sum() / ((sizes**2).sum() or 1.0))
    return vectors @ directions.T, f"\nin the plane that holds {held:.0%} of their squared length"


def _sides(shape: tuple[int, ...]) -> tuple[float, float]:
    side = min(5.5, max(2.2, 0.32 * max(shape)))
    return side + 1.6, side + 1.0


def _above(values: np.ndarray) -> float:
    return float(values.max()) or 1.0


def _readable(colours: Colormap, scale: Normalize, value: float) -> str:
    red, green, blue, _ = colours(scale(float(value)))
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 0.55 else "#FFFFFF"


def _said(word: str, longest: int = LONGEST) -> str:
    """A word that every format can hold, on one line."""
    plain = "".join(sign if sign.isprintable() else "�" for sign in word) or "“”"
    return plain if len(plain) <= longest else f"{plain[: longest - 1]}…"
