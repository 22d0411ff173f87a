"""The drawings of views/figure.py, one function each: they fill a matplotlib Figure. Imported when one is asked for."""

import io
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize, PowerNorm, TwoSlopeNorm
from matplotlib.figure import Figure

from regard.lens.gravity import Gravity, Sentence
from regard.lens.gravity import gravity as found_gravity
from regard.lens.logit_lens import logit_lens
from regard.suggestions import NotFound, suggestion
from regard.trace import Step, Trace
from regard.trace.names import layer_of
from regard.vectors.map2d import Map2D
from regard.views.focus import Focus
from regard.views.ink import WEIGHT, K, Q, V
from regard.views.strokes import (
    GREY,
    HAIR,
    INK,
    SHARES,
    SIGNED,
    above,
    arrow,
    bars,
    frameless,
    limits,
    matrix,
    names_apart,
    number,
    plane,
    readable,
    ribbon,
    said,
    sides,
    ticks,
)

MOST_BARS = 16
MOST_NAMED = 150  # words of a map that can still be read beside their points
NAMED = 0.06  # of the longest arrow: shorter ones have no room for a name


class NotebookFigure(Figure):
    """A figure that a notebook shows by itself."""

    def _repr_svg_(self) -> str:
        from regard.views.figure import write

        held = io.StringIO()
        write(self, held, "svg")
        return held.getvalue()


def weights(drawn: Figure, trace: Trace, focus: Focus) -> None:
    values = trace.array(focus.step("weights"))[focus.head]
    drawn.set_size_inches(*sides(values.shape))
    axes = drawn.subplots()
    cells = matrix(axes, trace, values, SHARES, Normalize(0, above(values)))
    axes.set_title(f"Weights of {focus.place}")
    limits(drawn, axes, cells, "weight")


def blame(drawn: Figure, trace: Trace, focus: Focus) -> None:
    name = focus.step("scores.grad")
    if name not in trace.steps:
        raise ValueError("blame needs the word that should follow; say which (next)")
    values = trace.array(name)[focus.head]
    drawn.set_size_inches(*sides(values.shape))
    axes = drawn.subplots()
    most = float(np.abs(values).max()) or 1.0
    cells = matrix(axes, trace, values, SIGNED, TwoSlopeNorm(0, -most, most))
    axes.set_title(f"Blame of each score, {focus.place}\nvermilion: more attention would lower the loss")
    limits(drawn, axes, cells, "∂loss/∂score")


def row(drawn: Figure, trace: Trace, focus: Focus) -> None:
    values = trace.array(focus.step("weights"))[focus.head, focus.row]
    words = [said(trace.labels.shown("K", i)) for i in range(len(values))]
    shown = sorted(np.argsort(-values, kind="stable")[:MOST_BARS].tolist())
    drawn.set_size_inches(4.2, 0.9 + 0.19 * len(shown))
    axes = drawn.subplots()
    bars(axes, [words[i] for i in shown], values[shown], WEIGHT)
    rest = (
        f"; {len(values) - len(shown)} more words have {1 - values[shown].sum():.2f}"
        if len(shown) < len(values)
        else ""
    )
    axes.set_title(f"“{words[focus.row]}” reads, {focus.place}{rest}")
    axes.set_xlabel("weight")


def heads(drawn: Figure, trace: Trace, focus: Focus) -> None:
    layers = [s for s in trace.forward if s.name == f"{layer_of(s.name)}.weights"]
    most = max(above(step.value) for step in layers)
    columns = max(step.shape[0] for step in layers)
    side = min(0.75, 6.5 / columns)
    drawn.set_size_inches(max(3.4, side * columns + 1.2), max(1.6, side * len(layers) + 0.9))
    grid = drawn.subplots(len(layers), columns, squeeze=False)
    scale = PowerNorm(0.5, 0, most)
    for layer, step in enumerate(layers):
        for head in range(columns):
            axes = grid[layer, head]
            axes.set_xticks([])
            axes.set_yticks([])
            if head >= step.shape[0]:
                axes.axis("off")
                continue
            axes.imshow(step.value[head], cmap=SHARES, norm=scale, interpolation="nearest", aspect="equal")
            is_shown = (layer, head) == (focus.layer, focus.head)
            for spine in axes.spines.values():
                spine.set(visible=True, color=INK if is_shown else HAIR, linewidth=1.2 if is_shown else 0.4)
            if layer == 0:
                axes.set_title(str(head), color=GREY, loc="center", fontsize=7)
        grid[layer, 0].set_ylabel(f"layer {layer}", rotation=0, ha="right", va="center", color=GREY, fontsize=7)
    drawn.suptitle(f"Weights of all heads; framed: {focus.place}", x=0.01, ha="left", fontsize=8.5)
    bar = drawn.colorbar(grid[0, 0].images[0], ax=grid.ravel().tolist(), fraction=0.03, pad=0.02)
    ticks(bar, 0.0, most)
    bar.set_label("weight; colour grows with its root")
    drawn.supxlabel("in each: query, which reads ↓   key, which is read →", fontsize=7.5, color=GREY)


def maps(drawn: Figure, pictures: Mapping[int, np.ndarray]) -> None:
    """Each head on a scale of its own: over a long text, what a cell holds on average is small, and differs much."""
    columns = max(len(heads) for heads in pictures.values())
    drawn.set_size_inches(max(3.4, 1.3 * columns + 0.6), 1.35 * len(pictures) + 0.7)
    grid = drawn.subplots(len(pictures), columns, squeeze=False)
    for row, (layer, heads) in enumerate(pictures.items()):
        for head in range(columns):
            axes = grid[row, head]
            axes.set_xticks([])
            axes.set_yticks([])
            if head >= len(heads):
                axes.axis("off")
                continue
            scale = PowerNorm(0.5, 0, above(heads[head]))
            axes.imshow(heads[head], cmap=SHARES, norm=scale, interpolation="nearest", aspect="equal")
            axes.set_title(f"{layer}.{head}", color=GREY, loc="center", fontsize=7)
    drawn.suptitle("Weights of heads, layer.head; each on its own scale, by the root", x=0.01, ha="left", fontsize=8.5)
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
    flat, told = plane(np.vstack([query, keys[shown]]))
    for position, tip in zip(shown, flat[1:]):
        arrow(left, np.zeros(2), tip, K, said(labels.shown("K", position)))
    arrow(left, np.zeros(2), flat[0], Q, f"q of {said(labels.shown('Q', focus.row))}", heavy=True)
    left.set_title(f"q (blue) among the keys (vermilion){told}")
    total = (shares[:, None] * values).sum(axis=0)
    flat, told = plane(np.vstack([total, shares[shown, None] * values[shown]]))
    lengths = np.linalg.norm(flat[1:], axis=1)
    tip = np.zeros(2)
    for position, step, length in zip(shown, flat[1:], lengths):
        share = f"{shares[position]:.2f}·{said(labels.shown('K', position))}"
        is_long = length >= NAMED * float(np.linalg.norm(flat, axis=1).max())
        arrow(right, tip, tip + step, V, share if is_long else "")
        tip = tip + step
    arrow(right, np.zeros(2), flat[0], WEIGHT, "context", heavy=True)
    short = "\nthe shortest without names" if (lengths < NAMED * np.linalg.norm(flat, axis=1).max()).any() else ""
    right.set_title(f"α·v, tip to tip (green), make the context{short}{told}")
    for axes in (left, right):
        _centred(axes)
    drawn.suptitle(f"{focus.place}", x=0.01, ha="left", fontsize=8.5, color=GREY)
    names_apart(drawn)


def planes(drawn: Figure, trace: Trace, focus: Focus) -> None:
    """Left, where words are matched: queries and keys. Right, what they pass on: values. The two need not be alike."""
    labels = trace.labels
    queries, keys = (_of_head(step, trace, focus) for step in trace.step(focus.step("scores")).inputs[:2])
    read = trace.step(focus.step("context")).inputs
    values = _of_head(next(step for step in read if step.name != focus.step("weights")), trace, focus)
    context = trace.array(focus.step("context"))[focus.head, focus.row]
    shares = trace.array(focus.step("weights"))[focus.head, focus.row]
    shown = sorted(np.argsort(-shares, kind="stable")[:MOST_BARS].tolist())
    reader = said(labels.shown("Q", focus.row))
    drawn.set_size_inches(6.6, 3.4)
    left, right = drawn.subplots(1, 2)
    spaces = (
        (left, queries[focus.row], keys, K, Q, f"q of {reader}", "Matching space: q (blue) and k, who is found"),
        (right, context, values, V, WEIGHT, f"{reader} reads", "Content space: v (green), what is passed on"),
    )
    for axes, own, others, colour, heavy, name, title in spaces:
        flat, told = plane(np.vstack([own, others[shown]]))
        for position, tip in zip(shown, flat[1:]):
            arrow(axes, np.zeros(2), tip, colour, said(labels.shown("K", position)))
        arrow(axes, np.zeros(2), flat[0], heavy, name, heavy=True)
        axes.set_title(f"{title}{told}")
        _centred(axes)
    drawn.suptitle(f"{focus.place}", x=0.01, ha="left", fontsize=8.5, color=GREY)
    names_apart(drawn)


def gravity(drawn: Figure, trace: Trace, focus: Focus) -> None:
    sentences(drawn, found_gravity([trace], trace.labels.word("T", focus.row), focus.layer))


def sentences(drawn: Figure, found: Gravity) -> None:
    """A word's own place, the pulls of the words it read from there, and where they and the rest have taken it."""
    drawn.set_size_inches(1.0 + 3.1 * len(found.sentences), 3.4)
    row = drawn.subplots(1, len(found.sentences), squeeze=False, sharex=True, sharey=True)[0]
    for axes, sentence in zip(row, found.sentences):
        start, end = np.array(sentence.static), np.array(sentence.contextual)
        longest = max((float(np.hypot(*pull.arrow)) for pull in sentence.pulls), default=0.0)
        for pull in sentence.pulls:
            is_long = float(np.hypot(*pull.arrow)) >= NAMED * longest
            arrow(axes, start, start + np.array(pull.arrow), V, said(pull.word) if is_long else "")
        arrow(axes, start, end, WEIGHT, said(sentence.words[sentence.position]), heavy=True)
        shown = "" if found.exact else f"\nthe plane shows {sentence.in_plane:.0%} of the movement"
        axes.set_title(f"{said(' '.join(sentence.words), 40)}{shown}")
        _centred(axes, "box")
    low, high = _square([point for sentence in found.sentences for point in _ends(sentence)])
    row[0].set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    after = found.layer.replace("layer", "layer ")
    drawn.suptitle(f"Where each sentence moves “{said(found.word)}”, {after}", x=0.01, ha="left", fontsize=8.5)
    names_apart(drawn)


def _ends(sentence: Sentence) -> list[np.ndarray]:
    """Where the arrows of a sentence begin and end."""
    start = np.array(sentence.static)
    return [start, np.array(sentence.contextual), *(start + np.array(pull.arrow) for pull in sentence.pulls)]


def _square(points: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """The corners of the smallest square around some points, with a margin: what happens fills the drawing."""
    low, high = np.min(points, axis=0), np.max(points, axis=0)
    middle, half = (low + high) / 2, max(float((high - low).max()) / 2, 1e-9) * 1.25
    return middle - half, middle + half


def words(drawn: Figure, found: Map2D, arrows: Sequence[tuple[str, str]]) -> None:
    """Words as points with their names, where there is room for names."""
    places = found.places
    at = dict(zip(found.words, places))
    drawn.set_size_inches(5.2, 4.4)
    axes = drawn.subplots()
    is_named = len(places) <= MOST_NAMED
    axes.scatter(*places.T, s=12 if is_named else max(0.4, 3e3 / len(places)), color=INK, linewidths=0)
    for start, end in arrows:
        if missing := [word for word in (start, end) if word not in at]:
            raise NotFound(f"{missing[0]!r} is not on the map; {suggestion(missing[0], at)}")
        arrow(axes, at[start], at[end], Q, "", heavy=True)
    for word, place in at.items() if is_named else ():
        axes.annotate(said(word), (place[0], place[1]), (4, 3), textcoords="offset points", fontsize=7.5)
    axes.set_xlabel(found.axes[0])
    axes.set_ylabel(found.axes[1])
    axes.margins(0.12)
    axes.set_title(f"{len(places):,} words of {said(found.trace.info['title'], 40)}\n{found.says}")


def _centred(axes: Axes, adjustable: Literal["box", "datalim"] = "datalim") -> None:
    axes.set_aspect("equal", adjustable=adjustable)  # axes that share their limits can only change their box
    axes.axhline(0, color=HAIR, linewidth=0.5, zorder=0)
    axes.axvline(0, color=HAIR, linewidth=0.5, zorder=0)
    axes.margins(0.18)
    axes.autoscale_view()


def logits(drawn: Figure, _: Trace, focus: Focus) -> None:
    found = focus.found
    ranked = sorted(found.candidates, key=lambda c: -c.probability.value)
    shown = [c for place, c in enumerate(ranked) if place < 12 or c.word == found.target]
    words = [said(c.word) for c in shown]
    drawn.set_size_inches(5.4, 0.9 + 0.19 * len(shown))
    left, right = drawn.subplots(1, 2, sharey=True)
    bars(left, words, [c.logit.value for c in shown], GREY)
    bars(right, words, [c.probability.value for c in shown], GREY)
    for place, candidate in enumerate(shown):
        if candidate.word == found.predicted:
            left.get_yticklabels()[place].set_fontweight("bold")
        if candidate.word == found.target:
            for axes in (left, right):
                axes.patches[place].set(edgecolor=K, linewidth=1.4)
    right.tick_params(labelleft=False)
    target = f"; outlined: {said(found.target)}, which should follow" if found.target is not None else ""
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
        text = f"{said(candidate.word, 12)} {candidate.probability:.2f}"
        number(axes, place, text, readable(SHARES, scale, float(shares[place])), weight)
    axes.set_yticks(range(len(layers)), [layer.name.replace("layer", "after layer ") for layer in layers])
    axes.set_xticks(range(shares.shape[1]), [str(rank + 1) for rank in range(shares.shape[1])])
    axes.set_xlabel("rank of the next word; colour is its probability, 0 to 1\nbold is what the model says in the end")
    axes.set_title("If the model stopped after each layer")
    frameless(axes)


def _of_head(step: Step, trace: Trace, focus: Focus) -> np.ndarray:
    """A head's own part of a step; key/value heads may be shared."""
    heads = trace.step(focus.step("weights")).shape[0]
    return step.value[focus.head * step.shape[0] // heads]


def flow(drawn: Figure, trace: Trace, _: Focus) -> None:
    """Words at the left, a column for each layer, ribbons for what is carried: as wide as it is much."""
    found = trace.flow()
    words = [said(trace.labels.shown("T", place)) for place in range(len(trace.labels.words["T"]))]
    blocks = [block for block in found.parts.blocks if block.edges is not None and block.below.name in found.nodes]
    drawn.set_size_inches(2.8 + 1.1 * len(blocks), 1.3 + 0.34 * len(words))
    axes = drawn.subplots()
    widest = max((float(np.abs(node.value).max()) for node in found.nodes.values()), default=0.0) or 1.0
    left_out = 0.0
    for column, block in enumerate(blocks):
        moved = np.asarray(found.edges(block.layer)).sum(axis=0)  # (to, from), all heads
        leaving = moved.sum(axis=0) - moved.diagonal()
        for place, carried in enumerate(found.nodes[block.below.name].value - leaving):
            ribbon(axes, (column, place), (column + 1, place), float(carried), widest)
        shown = found.carrying(block.layer)
        left_out += float(moved.sum()) - sum(edge.flow.value for edge in shown)
        for edge in shown:
            if edge.source != edge.to:
                ribbon(axes, (column, edge.source), (column + 1, edge.to), edge.flow.value, widest)
    query, end = int(trace.array("query")), len(blocks) + 0.8
    for place, carried in enumerate(list(found.nodes.values())[-1].value if found.nodes else ()):
        ribbon(axes, (len(blocks), place), (end, query), float(carried), widest)
    margin = f"{said(found.first)}\n− {said(found.second)}\n{found.margin.value:+.4f}"
    axes.text(end + 0.08, query, margin, va="center")
    for place, word in enumerate(words):
        axes.text(-0.08, place, f"{word}  {found.words.value[place]:+.3f}", ha="right", va="center", fontsize=7)
    axes.set_xticks(np.arange(len(blocks)) + 0.5, [block.layer.replace("layer", "layer ") for block in blocks])
    axes.set(ylim=(len(words) - 0.4, -0.6), xlim=(-1.2, end + 0.9), yticks=[])
    biases = sum(cell.value for cell in found.biases.values())
    told = f"biases {biases:+.4f}; " if found.biases else ""
    told += f"readings left out {left_out:+.4f} (each layer shows 90 % of what its heads carry)"
    axes.set_xlabel(f"{told}\nheld: {found.held}", fontsize=6.5)
    axes.set_title(f"What carried logit({said(found.first)}) − logit({said(found.second)}): blue for, orange against")
    frameless(axes)
