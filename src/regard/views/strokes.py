"""What figures are drawn from: matrices with worded edges, bars, arrows, and bars of colours that say their limits."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from regard.ops.notation import format_in_column
from regard.trace import Trace
from regard.views.ink import WEIGHT, K, Q

SHARES = LinearSegmentedColormap.from_list("shares", ["#FFFFFF", WEIGHT, "#5C1F45"])
SIGNED = LinearSegmentedColormap.from_list("signed", [K, "#FFFFFF", Q])
INK, GREY, HAIR = "#1B1E22", "#62686F", "#D9D9D4"
MOST_NUMBERS = 12  # words up to which every cell has its number
MOST_CELLS = 64  # of a side up to which every cell is a shape of its own; beyond, one picture
MOST_WORDS = 40  # along an axis
LONGEST = 16  # signs of a word


def matrix(axes: Axes, trace: Trace, values: np.ndarray, colours: Colormap, scale: Normalize) -> Any:
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
        words = [said(trace.labels.shown(letter, place)) for place in places]
        small = 8 if count <= 16 else max(4.0, 8 * 20 / min(count, MOST_WORDS))
        put(places, words, fontsize=small, rotation=90 if letter == "K" and count > 6 else 0)
    axes.set_ylabel("query: reads ↓")
    axes.set_xlabel("key: is read →")
    if max(rows, columns) <= MOST_NUMBERS:
        for place in np.ndindex(values.shape):
            colour = readable(colours, scale, float(values[place]))
            number(axes, place, short(float(values[place]), float(np.abs(values).max())), colour)
    frameless(axes)
    return cells


def number(axes: Axes, place: Sequence[int], text: str, colour: str, weight: str = "normal") -> None:
    axes.text(place[1], place[0], text, ha="center", va="center", fontsize=6.5, color=colour, fontweight=weight)


def short(value: float, largest: float) -> str:
    """Two decimals, or as many as the largest number beside it needs for two digits that count."""
    decimals = 2 if largest >= 0.1 or not largest else 1 - math.floor(math.log10(largest))
    return f"{value:.{decimals}f}" if value else "0"


def frameless(axes: Axes) -> None:
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def limits(drawn: Figure, axes: Axes, cells: Any, name: str) -> None:
    """A bar of colours that says where it begins and ends."""
    bar = drawn.colorbar(cells, ax=axes, fraction=0.046, pad=0.03)
    ticks(bar, *cells.get_clim())
    bar.set_label(name)


def ticks(bar: Any, low: float, high: float) -> None:
    places = [low, 0.0, high] if low < 0 else [low, high / 2, high]
    bar.set_ticks(places, labels=[short(place, high) for place in places])
    bar.outline.set_visible(False)


def bars(axes: Axes, words: Sequence[str], values: Any, colour: str) -> None:
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


def arrow(axes: Axes, tail: np.ndarray, tip: np.ndarray, colour: str, name: str, heavy: bool = False) -> None:
    """An arrow, named at its tip; a heavy one beside its middle, where nothing else is named."""
    style = {"arrowstyle": "-|>", "color": colour, "linewidth": 1.8 if heavy else 0.9, "mutation_scale": 8}
    axes.annotate("", (tip[0], tip[1]), (tail[0], tail[1]), arrowprops={**style, "shrinkA": 0, "shrinkB": 0})
    axes.update_datalim([tail, tip])
    along = (tip - tail) / (float(np.linalg.norm(tip - tail)) or 1.0)
    place, off = ((tail + tip) / 2, 9 * np.array([along[1], -along[0]])) if heavy else (tip, 5 * along)
    side = "left" if off[0] >= 0 else "right"
    style = {"fontsize": 6.5, "color": colour, "ha": side, "va": "center"}
    axes.annotate(name, (place[0], place[1]), (off[0], off[1]), textcoords="offset points", **style)


def names_apart(drawn: Figure) -> None:
    """Move each name of an arrow to the nearest place where it crosses no other name and, if there is one, no arrow."""
    drawn.draw_without_rendering()
    drawn.set_layout_engine("none")  # else the axes would move once more, under names that stand still
    for axes in drawn.axes:
        marks: list[Any] = list(axes.texts)
        tails_and_tips = [(np.array(mark.xyann), np.array(mark.xy)) for mark in marks if not mark.get_text()]
        along = np.linspace(0, 1, 40)[:, None]
        lines = [axes.transData.transform(tail + along * (tip - tail)) for tail, tip in tails_and_tips]
        taken: list[Any] = []
        for name in (mark for mark in marks if mark.get_text()):
            best = min(_offsets(name.xyann), key=lambda offset: _crossing(_put(name, offset), taken, lines))
            taken.append(_put(name, best))


def _offsets(own: tuple[float, float]) -> list[tuple[float, float]]:
    """Where a name may stand, in points from its arrow's tip: where it is, or on rings around the tip."""
    turns = np.arange(24) * math.pi / 12 + math.atan2(own[1], own[0])
    rings = [(size * math.cos(turn), size * math.sin(turn)) for size in (6, 10, 15, 21, 28) for turn in turns]
    return [own, *sorted(rings, key=lambda place: math.dist(place, own))]


def _put(name: Any, offset: tuple[float, float]) -> Any:
    """Put a name there; the room that it takes."""
    name.xyann = offset
    name.set_ha("left" if offset[0] >= 0 else "right")
    return name.get_window_extent().padded(1.0)


def _crossing(box: Any, taken: Sequence[Any], lines: Sequence[np.ndarray]) -> int:
    """How much a name is in the way of others; another name weighs more than any arrow."""
    names = sum(box.overlaps(other) for other in taken)
    inside = ((line > box.min) & (line < box.max) for line in lines)
    return 1000 * names + sum(bool(both.all(axis=1).any()) for both in inside)


def ribbon(axes: Axes, tail: tuple[float, float], tip: tuple[float, float], carried: float, widest: float) -> None:
    """A curve as wide as what it carries: blue what speaks for the first word, orange what speaks against it."""
    (x, y), (end, to) = tail, tip
    middle = (x + end) / 2
    path = Path([(x, y), (middle, y), (middle, to), (end, to)], [Path.MOVETO, *[Path.CURVE4] * 3])
    width = 9 * abs(carried) / widest
    if width > 0.05:
        colour = Q if carried > 0 else K
        axes.add_patch(PathPatch(path, facecolor="none", edgecolor=colour, linewidth=width, alpha=0.55))


def plane(vectors: np.ndarray) -> tuple[np.ndarray, str]:
    """Vectors of two numbers as they are; longer ones in the two directions through 0 that hold most of them."""
    if vectors.shape[1] == 2:
        return vectors, ""
    if vectors.shape[1] == 1:
        return np.hstack([vectors, np.zeros_like(vectors)]), ""
    _, sizes, directions = np.linalg.svd(vectors, full_matrices=False)
    directions = directions[:2] * np.sign(directions[:2, np.abs(directions[:2]).argmax(axis=1)].diagonal())[:, None]
    held = float((sizes[:2] ** 2).sum() / ((sizes**2).sum() or 1.0))
    return vectors @ directions.T, f"\nin the plane that holds {held:.0%} of their squared length"


def sides(shape: tuple[int, ...]) -> tuple[float, float]:
    side = min(5.5, max(2.2, 0.32 * max(shape)))
    return side + 1.6, side + 1.0


def above(values: np.ndarray) -> float:
    return float(values.max()) or 1.0


def readable(colours: Colormap, scale: Normalize, value: float) -> str:
    red, green, blue, _ = colours(scale(float(value)))
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 0.55 else "#FFFFFF"


def said(word: str, longest: int = LONGEST) -> str:
    """A word that every format can hold, on one line."""
    plain = "".join(sign if sign.isprintable() else "�" for sign in word) or "“”"
    return plain if len(plain) <= longest else f"{plain[: longest - 1]}…"
