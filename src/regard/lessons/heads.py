"""*Deep Dive Q&A*, questions 5 and 6: eight heads of 64 make 512; W_O is where they meet."""

from collections.abc import Callable
from itertools import combinations

import numpy as np

from regard.attending.masks import causal
from regard.audit.verdict import Verdict
from regard.lessons.cards.heads import CARDS
from regard.lessons.claim import Claim, Code, Row, Statement
from regard.lessons.lesson import Lesson, begun
from regard.models.glass import Glass
from regard.models.parameters import checked, random_parameters
from regard.models.settings import Settings
from regard.ops.scaling import scaling_named
from regard.trace import Trace

D = "002"
WORDS = ("The", "cat", "sat", "down")
SETTINGS = Settings(width=512, heads=8, reads=len(WORDS), writes=len(WORDS))
Measure = Callable[[Trace], np.ndarray]  # (words, dimensions)


def lesson() -> Lesson:
    return Lesson(
        name="heads",
        title="Eight heads, side by side",
        documents=(D,),
        idea="Each head writes its own slice; W_O turns every slice into a vector of full width and adds them up.",
        make=make,
        shows=("weights", "context", "concat", "by_head", "attended"),
        row="sat",
        claims=tuple(claims()),
        remarks=remarks,
        cards=CARDS,
    )


def make() -> Trace:
    """Heads of the sizes that the document names, from their queries, keys and values on."""
    do = Glass()
    shape = (3, SETTINGS.heads, len(WORDS), SETTINGS.head_width)
    numbers = np.random.default_rng(3).normal(size=shape).round(3)  # few digits, so that a page loads quickly
    q, k, v = (do.given(name, array, axes) for name, array, axes in zip("qkv", numbers, ("HQD", "HKD", "HKD")))
    context = do.attend(q, k, v, causal(len(WORDS)), scaling_named(SETTINGS.scaling), None)
    axes, W_O = checked(SETTINGS, random_parameters(SETTINGS, seed=2))["layer0.W_O"]
    do.join(context, do.given("W_O", np.round(W_O, 4), axes, "parameter"), None)
    return begun(
        "heads",
        "eight heads of 64 (after Attention Mechanism: Deep Dive Q&A)",
        do,
        dict.fromkeys("TQK", WORDS),
        "ours: queries, keys, values and W_O are random numbers; the document gives only their shapes",
    )


def claims() -> list[Claim]:
    def sizes(line: int, about: str, printed: str, compute: str) -> Row:
        return Row(D, line, about, tuple(printed.split()), lambda t: [size(t)[c] for c in compute.split()], 7)

    return [
        Row(D, 129, "heads, and distributions for sat", ("8", "8"), lambda t: [size(t)["heads"], distributions(t)], 5),
        *(sizes(line, "dimensions of a head", "64", "head") for line in (153, 154, 156, 214, 215, 217)),
        *(sizes(line, "dimensions side by side", "512", "side_by_side") for line in (158, 166, 219)),
        sizes(167, "concat @ W_O", "512 512 512", "side_by_side W_O_in W_O_out"),
        sizes(195, "tokens and heads", "4 8", "tokens heads"),
        sizes(198, "each head's output", "4 64", "tokens head"),
        sizes(209, "concatenation", "4 64 4 64 4 512", "tokens head tokens head tokens side_by_side"),
        sizes(222, "512-dim vector of 8 heads × 64 dims", "512 8 64", "side_by_side heads head"),
        *code_and_statements(),
    ]


def code_and_statements() -> list[Claim]:
    return [
        Statement(D, 150, "They don't interfere—they're in orthogonal subspaces",
                  lambda t: largest_cosine(slices(t)) < 1e-12,
                  lambda t: f"largest cosine between two heads side by side: {largest_cosine(slices(t)):.3g}", 7,
                  "true of the concatenation, before W_O"),
        Statement(D, 150, "Each head's output occupies its own slice of the final vector",
                  lambda t: largest_cosine(contributions(t)) < 1e-12,
                  lambda t: f"after W_O each head writes all {t.array('attended').shape[-1]} dimensions; "
                            f"largest cosine {largest_cosine(contributions(t)):.3f}", 7,
                  "orthogonal only before W_O: what is added to the stream is not", Verdict.overstated),
        Statement(D, 163, "The concat alone doesn't mix information. The W_O projection does",
                  lambda t: reached(t, beside) == SETTINGS.head_width and reached(t, attended) == SETTINGS.width,
                  lambda t: f"dimensions one head reaches: {reached(t, beside)}, after W_O {reached(t, attended)}", 7),
        Code(D, 167, "output = concat @ W_O", lambda t: beside(t) @ W_O(t), 7),
        Statement(D, 173, "Which heads to ignore in certain contexts", lambda t: W_O_changes_with_the_text(t),
                  lambda t: f"W_O is the same matrix of {W_O(t).shape} whatever the text", 7,
                  "W_O is one constant matrix; it cannot look at the context", Verdict.overstated),
        Statement(D, 177, "Head 1's signal in dimension 5 would mix with Head 2's signal in dimension 5",
                  lambda t: moved_by(t, 0, added)[5] and moved_by(t, 1, added)[5],
                  lambda t: f"heads that move dimension 5 of the sum: {movers(t, added)} of {SETTINGS.heads}", 7),
        Statement(D, 177, "Concat keeps them separate", lambda t: movers(t, beside) == 1,
                  lambda t: f"heads that move dimension 5 of the concat: {movers(t, beside)} of {SETTINGS.heads}", 7),
        Code(D, 184, "output = W_O1 @ head1 + W_O2 @ head2", as_written, 7,
             "rows are words here, so it is head1 @ W_O1: W_O1 is the first 64 rows of W_O"),
        Statement(D, 187, "a learned weighted sum where each head gets its own transformation",
                  lambda t: identity_error(t) < 1e-12,
                  lambda t: f"concat @ W_O − Σ head_i @ W_O[64(i−1):64i]: at most {identity_error(t):.0e}", 7),
        Statement(D, 205, "along dim=-1, not along sequence",
                  lambda t: beside(t).shape == (len(WORDS), SETTINGS.width),
                  lambda t: f"dim=-1 → {beside(t).shape}, "
                            f"along the sequence → {np.concatenate(list(t.array('context')), axis=0).shape}", 7),
        Statement(D, 222, "The sequence length stays the same",
                  lambda t: len(attended(t)) == t.array("q").shape[1], lambda t: f"{len(attended(t))} words", 7),
    ]  # fmt: skip


# what the claims are measured on


def beside(trace: Trace) -> np.ndarray:
    """The heads' outputs side by side, one row per word: concat, before W_O."""
    return trace.array("concat")


def W_O(trace: Trace) -> np.ndarray:
    """All heads' blocks of W_O, one under the other."""
    blocks = trace.array("W_O")
    return blocks.reshape(-1, blocks.shape[-1])


def attended(trace: Trace) -> np.ndarray:
    return trace.array("attended")


def added(trace: Trace) -> np.ndarray:
    """The heads' outputs added instead of laid side by side."""
    return trace.array("context").sum(axis=0)


def size(trace: Trace) -> dict[str, int]:
    heads, tokens, head = trace.array("context").shape
    side_by_side, (W_O_in, W_O_out) = beside(trace).shape[-1], W_O(trace).shape
    return {
        "heads": heads,
        "tokens": tokens,
        "head": head,
        "side_by_side": side_by_side,
        "W_O_in": W_O_in,
        "W_O_out": W_O_out,
    }


def distributions(trace: Trace, word: str = "sat") -> int:
    """How many different distributions the heads have for one word; each must sum to 1 to count."""
    rows = trace.array("weights")[:, WORDS.index(word)]
    return len({tuple(row) for row in rows.round(12).tolist() if abs(sum(row) - 1) < 1e-9})


def slices(trace: Trace, word: str = "sat") -> np.ndarray:
    """What each head alone puts into the concatenation, the other slices zero."""
    heads = trace.array("context")[:, WORDS.index(word)]
    apart = np.zeros((len(heads), heads.size))
    for i, head in enumerate(heads):
        apart[i, len(head) * i : len(head) * (i + 1)] = head
    return apart


def contributions(trace: Trace, word: str = "sat") -> np.ndarray:
    """What each head adds to the stream, after W_O."""
    return trace.array("by_head")[:, WORDS.index(word)]


def largest_cosine(vectors: np.ndarray) -> float:
    units = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return max(abs(float(a @ b)) for a, b in combinations(units, 2))


def moved_by(trace: Trace, head: int, measure: Measure) -> np.ndarray:
    """Which dimensions of a measure change for some word when one head falls silent."""
    silent = trace.array("context").copy()
    silent[head] = 0.0
    return np.any(measure(trace.pin("context", silent)) != measure(trace), axis=0)


def reached(trace: Trace, measure: Measure) -> int:
    return int(moved_by(trace, 0, measure).sum())


def movers(trace: Trace, measure: Measure, dimension: int = 5) -> int:
    """How many heads have a say in one dimension."""
    return sum(bool(moved_by(trace, head, measure)[dimension]) for head in range(SETTINGS.heads))


def W_O_changes_with_the_text(trace: Trace) -> bool:
    another = trace.pin("q", -trace.array("q")[:, ::-1])
    return not np.array_equal(W_O(trace), W_O(another))


def as_written(trace: Trace) -> np.ndarray:
    return np.sum([block @ head for block, head in zip(trace.array("W_O"), trace.array("context"))], axis=0)


def identity_error(trace: Trace) -> float:
    """The largest difference between concat @ W_O and the sum of each head through its rows of W_O."""
    wide, width = W_O(trace), SETTINGS.head_width
    by_head = [head @ wide[width * (i - 1) : width * i] for i, head in enumerate(trace.array("context"), start=1)]
    return float(np.abs(beside(trace) @ wide - np.sum(by_head, axis=0)).max())


def remarks(trace: Trace) -> list[str]:
    sizes = size(trace)
    return [
        f"{sizes['heads']} heads × {sizes['head']} = {sizes['side_by_side']}: side by side the heads are orthogonal "
        f"(cosine {largest_cosine(slices(trace)):.0f}).",
        f"After W_O they are not: each writes all {sizes['W_O_out']} dimensions, cosines up to "
        f"{largest_cosine(contributions(trace)):.3f}.",
        f"concat @ W_O = Σ head_i @ W_O[64(i−1):64i], to {identity_error(trace):.0e}; W_O1 @ head1 has shapes "
        f"{trace.array('W_O')[0].shape} @ {trace.array('context')[0].shape} and cannot run.",
        f"Adding the heads instead of joining them is a W_O of {sizes['heads']} equal blocks: W_O could learn it.",
        "Ours: the vectors and W_O are random numbers, since the document gives only shapes.",
    ]
