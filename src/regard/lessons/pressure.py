"""Training as pressure: what one wrong guess does to the scores, and how far the three matrices part.

*No-Magic Explanation of Attention Score Calculation*, "Why Does This Work?", and sections 6 and 7 of the fox sentence.
"""

from dataclasses import replace
from itertools import combinations

import numpy as np

from regard.audit.verdict import Verdict
from regard.lessons.cards.pressure import CARDS
from regard.lessons.claim import Claim, Statement
from regard.lessons.lesson import Column, Frames, Lesson
from regard.lessons.measures import MATRICES, angle, exchanged, gradient_size, loss, misfiring
from regard.toys.shipped import shipped
from regard.trace import Trace

WORDS, FOX = "000", "004"
RATE, LONG = 0.1, 100
AT_RANDOM = "untrained"  # a toy that begins where training does
SHOWN = (0, 1, 2, 5, 10, 20, 50, 100)  # updates after which the film is looked at
GAPS = (0, 2, 4, 8)  # by how much quick is favoured, so that attention misfires


def lesson() -> Lesson:
    return Lesson(
        name="pressure",
        title="Training is pressure",
        documents=(WORDS, FOX),
        idea="A wrong guess pushes on every number that led to it: scores move, and the three matrices drift apart.",
        make=make,
        shows=("scores", "scores.grad", "W_Q.grad", "W_K.grad", "W_V.grad"),
        claims=tuple(claims()),
        remarks=remarks,
        cards=CARDS,
        frames=frames,
    )


def make() -> Trace:
    trace = shipped("fox").run("The quick brown fox", next="jumps").backward()
    return replace(trace, info={**trace.info, "lesson": "pressure"})


def claims() -> list[Claim]:
    return [
        Statement(WORDS, 76, "The model learns to adjust Wq and Wk",
                  lambda t: all(moved(t, name) > 0 for name in ("W_Q", "W_K")),
                  lambda t: ", ".join(f"{n} by up to {moved(t, n):.1e}" for n in MATRICES) + " in one update", 12),
        Statement(WORDS, 77, "the dot products (i.e., attention scores) are high when a word should be attended to",
                  lambda t: score_after(t, "fox") > t["scores[fox,fox]"], lambda t: _score(t, "fox"), 12),
        Statement(WORDS, 78, "And low when it shouldn't",
                  lambda t: all(score_after(t, word) < t[f"scores[fox,{word}]"] for word in unwanted(t)),
                  lambda t: "; ".join(_score(t, word) for word in unwanted(t)), 12,
                  "the gradient wants both lower; the weights of both fall, since softmax sees only differences",
                  Verdict.overstated),
        Statement(WORDS, 80, "it adjusts every piece of the path that led to that prediction",
                  lambda t: all(moved(t, name) > 0 for name in t.parameters),
                  lambda t: f"moved: {', '.join(n.rpartition('.')[2] for n in t.parameters if moved(t, n) > 0)}", 12),
        Statement(WORDS, 82, "gradients flow to reduce that alignment next time",
                  lambda t: score_after(t, "quick") < t["scores[fox,quick]"]
                  and score_after(t, "fox") > t["scores[fox,fox]"],
                  lambda t: f"{_score(t, 'quick')}; {_score(t, 'fox')}", 12,
                  "the query is that of fox, the last known word"),
        Statement(WORDS, 157, "used in different parts of the attention computation",
                  lambda t: len({readers(t, name) for name in MATRICES}) == len(MATRICES),
                  lambda t: ", ".join(f"{n} makes {readers(t, n)[0]}" for n in MATRICES), 2),
        Statement(WORDS, 158, "Gradients flow differently through each",
                  lambda t: not np.allclose(t.array("W_Q.grad"), t.array("W_K.grad")),
                  lambda t: f"|grad| W_Q {gradient_size(t, 'W_Q'):.5f}, W_K {gradient_size(t, 'W_K'):.5f}, "
                            f"W_V {gradient_size(t, 'W_V'):.5f}; W_Q's and W_K's differ by "
                            f"{np.abs(t.array('W_Q.grad') - t.array('W_K.grad')).max():.5f} at most", 11),
        Statement(WORDS, 159, "That causes their learned projections to naturally specialize",
                  lambda t: exchange(t, "W_Q", "W_K") > 2 * loss(trained(t)), _specialised, 12,
                  "W_V parts from both; W_Q and W_K hardly do, in a toy with one sentence to learn",
                  Verdict.overstated),
        Statement(FOX, 92, "point toward areas in space associated with correct words",
                  lambda t: toward(trained(t)) > toward(t),
                  lambda t: f"cosine of the context with the row of jumps: {toward(t):.4f} → "
                            f"{toward(t.update(RATE)):.4f} after 1 update, {toward(trained(t)):.4f} after {LONG}", 12),
        Statement(FOX, 303, "They start with random values",
                  lambda t: not any(np.allclose(a, b) for a, b in combinations(beginnings(), 2)),
                  lambda t: f"no two are alike: {', '.join(f'{m.mean():+.2f} ± {m.std():.2f}' for m in beginnings())}",
                  2, f"in the toy {AT_RANDOM}; here all three begin at the identity, to be checked by hand"),
        Statement(FOX, 304, "they are updated via backpropagation",
                  lambda t: all(moved(t, name) > 0 for name in MATRICES),
                  lambda t: ", ".join(f"{n} by up to {moved(t, n):.1e}" for n in MATRICES) + " in one update", 12),
        Statement(FOX, 305, "Each learns to emphasize different semantic roles",
                  lambda t: exchange(t, "W_Q", "W_K") > 2 * loss(trained(t)), _specialised, 12,
                  "four words and one sentence hold nothing semantic to learn", Verdict.overstated),
        Statement(FOX, 311, "If attention misfires (looks at wrong word), gradients flow into Wq and Wk",
                  lambda t: _sizes(t)[-1] >= _sizes(t)[0], _misfires, 11,
                  "while the misfire is mild; a softmax that is sure of itself passes no gradient on",
                  Verdict.overstated),
        Statement(FOX, 312, "If the content from a word misleads the output, gradients flow into Wv",
                  lambda t: gradient_size(t, "W_V") > 0,
                  lambda t: f"W_V gets {gradient_size(t, 'W_V'):.4f}, {t['blame.W_Q.ratio']:.0f} times W_Q's", 11),
        Statement(FOX, 314, "Each matrix is updated based on its specific role", _by_role,
                  lambda t: "with the weights held only W_V gets a gradient; with the values held, W_Q and W_K", 11),
    ]  # fmt: skip


# what the claims are measured on


def trained(trace: Trace) -> Trace:
    """The run after many updates."""
    return trace.remembered(_trained)


def _trained(trace: Trace) -> Trace:
    *_, last = trace.updates(LONG, RATE)
    return last


def beginnings() -> list[np.ndarray]:
    """The three matrices of a model that has learned nothing yet."""
    return [np.array(shipped(AT_RANDOM).parameters[f"layer0.{name}"]) for name in MATRICES]


def moved(trace: Trace, name: str) -> float:
    """How far the numbers of a parameter move in one update, at most."""
    return float(np.abs(trace.update(RATE).array(name) - trace.array(name)).max())


def score_after(trace: Trace, word: str) -> float:
    return trace.update(RATE)[f"scores[fox,{word}]"]


def unwanted(trace: Trace) -> list[str]:
    """The words whose score the gradient wants lower."""
    blame = trace.array("scores.grad")[0, trace.info["query"]]
    return [word for word, g in zip(trace.labels.words["K"], blame) if g > 0]


def readers(trace: Trace, name: str) -> tuple[str, ...]:
    """The steps that a matrix makes directly."""
    step = trace.step(name)
    return tuple(s.name.rpartition(".")[2] for s in trace.forward if step in s.inputs)


def toward(trace: Trace) -> float:
    """The cosine of the vector that predicts with the row of the word that should follow."""
    read, row = trace.array("read"), trace.array("W_out")[int(trace.array("target"))]
    return float(read @ row / np.linalg.norm(read) / np.linalg.norm(row))


def exchange(trace: Trace, one: str, other: str) -> float:
    """The loss when two matrices of the trained model change places."""
    return loss(exchanged(trained(trace), one, other))


def _sizes(trace: Trace) -> list[float]:
    return [gradient_size(misfiring(trace, gap), "W_Q") for gap in GAPS]


def _by_role(trace: Trace) -> bool:
    only_values = trace.pin("weights", trace.array("weights")).backward()
    only_scores = trace.pin("v", trace.array("v")).backward()
    found = [{n for n in MATRICES if f"layer0.{n}.grad" in run.steps} for run in (only_values, only_scores)]
    return found == [{"W_V"}, {"W_Q", "W_K"}]


def _score(trace: Trace, word: str) -> str:
    return f"{word} {trace[f'scores[fox,{word}]']:.4f} → {score_after(trace, word):.4f}"


def _specialised(trace: Trace) -> str:
    last = trained(trace)
    return (
        f"after {LONG} updates {angle(last, 'W_Q', 'W_K'):.2f}° between W_Q and W_K, {angle(last, 'W_K', 'W_V'):.1f}° "
        f"to W_V; exchange W_Q and W_K: loss {loss(last):.4f} → {exchange(trace, 'W_Q', 'W_K'):.4f}, "
        f"W_K and W_V: → {exchange(trace, 'W_K', 'W_V'):.4f}"
    )


def _misfires(trace: Trace) -> str:
    said = ", ".join(
        f"{misfiring(trace, gap)['weights[fox,quick]']:.2f} on quick: {size:.4f}"
        for gap, size in zip(GAPS, _sizes(trace))
    )
    return f"|grad| of W_Q with {said}"


def frames(trace: Trace) -> list[Frames]:
    """The film: the run after each of some updates."""
    runs = tuple((str(n), run) for n, run in enumerate(trace.updates(SHOWN[-1], RATE)) if n in SHOWN)
    words = trace.labels.words["K"]
    seen = [Column("loss", loss, panel="loss")]
    seen += [Column.cell(f"q·k {word}", f"scores[fox,{word}]", panel="q·k") for word in words]
    seen += [Column.cell(f"α {word}", f"weights[fox,{word}]", panel="α") for word in words]
    places = [(name, i, j) for name in MATRICES for i in range(2) for j in range(2)]
    cells = [Column.cell(f"{name[-1]}[{i},{j}]", f"{name}[{i},{j}]", ".3f", name) for name, i, j in places]
    pairs = (("W_Q", "W_K"), ("W_Q", "W_V"), ("W_K", "W_V"))
    apart = [Column(f"{a} to {b}", lambda run, a=a, b=b: angle(run, a, b), ".2f") for a, b in pairs]
    swapped = [Column(f"{a} ⇄ {b}", lambda run, a=a, b=b: loss(exchanged(run, a, b))) for a, b in pairs]
    return [
        Frames("updates, what fox scores and reads", runs, tuple(seen)),
        Frames("updates, W_Q, W_K and W_V themselves", runs, tuple(cells)),
        Frames("updates, degrees between the matrices", runs, tuple(apart), "they begin equal: 0"),
        Frames("updates, loss when two matrices change places", runs, (Column("loss", loss), *swapped)),
    ]


def _change(trace: Trace, learns: list[str]) -> float:
    """By how much quick's score moves when only these learn."""
    return trace.update(RATE, learns)["scores[fox,quick]"] - trace["scores[fox,quick]"]


def remarks(trace: Trace) -> list[str]:
    last = trained(trace)
    alone = {name: _change(trace, learns) for name, learns in {"E": ["E"], "W": ["W_Q", "W_K"]}.items()}
    return [
        f"One update: quick's score falls, {trace['scores[fox,quick]']:.4f} → {score_after(trace, 'quick'):.4f}; "
        f"fox's rises, {trace['scores[fox,fox]']:.4f} → {score_after(trace, 'fox'):.4f}.",
        f"Later quick's score rises too, to {last['scores[fox,quick]']:.4f} after {LONG} updates, as all vectors grow;",
        f"its weight falls all the same, {trace['weights[fox,quick]']:.4f} → {last['weights[fox,quick]']:.4f}: "
        "softmax sees only differences.",
        f"Who moved quick's score? The word vectors by {alone['E']:+.4f}, W_Q and W_K together by {alone['W']:+.5f}.",
        f"All three begin equal. W_V drifts {angle(last, 'W_K', 'W_V'):.0f}° away; W_Q and W_K stay "
        f"{angle(last, 'W_Q', 'W_K'):.1f}° apart: their gradients are {trace['blame.W_Q.ratio']:.0f} times smaller.",
    ]
