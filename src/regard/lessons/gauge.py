"""*No-Magic Explanation*: queries and keys have no meaning of their own. Turn both, and no score changes."""

import numpy as np

from regard.lessons.cards.gauge import CARDS
from regard.lessons.claim import Claim, Code, Statement, cells
from regard.lessons.lesson import Lesson
from regard.lessons.reachable import READS, VECTORS, WORD_ROWS
from regard.models.model import Model
from regard.models.settings import Settings
from regard.trace import Trace

D = "000"
WORDS = (*READS, "jumps")
JUMPS = ("0.3", "0.8")  # 000:11
WRITES = ("apple", "run", "fox", "jumps")
HEAD_WIDTH = 2


def lesson() -> Lesson:
    return Lesson(
        name="gauge",
        title="No real query, no real key",
        documents=(D,),
        idea="Only the dot products of queries and keys count: turn both so that these stay, and nothing else changes.",
        make=make,
        shows=("q", "k", "scores", "weights", "context", "logits", "probabilities"),
        claims=tuple(claims()),
        remarks=remarks,
        cards=CARDS,
    )


def make() -> Trace:
    """The fox's words and the text's jumps, with random W_Q and W_K, as before any training (000:20)."""
    generator = np.random.default_rng(5)
    W_Q, W_K = generator.normal(size=(2, 1, 2, HEAD_WIDTH))
    model = Model(
        name="gauge",
        title="queries and keys (after No-Magic Explanation of Attention Score Calculation)",
        settings=Settings(
            width=2, heads=1, reads=len(WORDS), writes=len(WRITES), residual=False, output_projection=False
        ),
        parameters={
            "E": np.vstack([VECTORS, np.array(JUMPS, dtype=float)]),
            "layer0.W_Q": W_Q,
            "layer0.W_K": W_K,
            "layer0.W_V": np.eye(2)[None],
            "W_out": WORD_ROWS,
        },
        reads=WORDS,
        writes=WRITES,
        notes=(
            "ours: random W_Q and W_K, as before training; the fox's word vectors; jumps = [0.3, 0.8], as on line 11",
        ),
        lesson="gauge",
    )
    return model.run(" ".join(WORDS))


def claims() -> list[Claim]:
    return [
        cells(D, 11, "an embedding vector", 1, {f"x[jumps,{d}]": p for d, p in enumerate(JUMPS)},
              "given by the text as an example; here it is the vector of jumps"),
        Code(D, 16, "Q = Wq @ embedding", lambda t: column_Wq(t) @ t.array("x")[4], 2),
        Code(D, 17, "K = Wk @ embedding", lambda t: t.array("W_K")[0].T @ t.array("x")[4], 2),
        Statement(D, 16, "Treating the embedding as a column vector",
                  lambda t: bool(np.allclose(column_Wq(t) @ t.array("x")[4], t.array("q")[0, 4])),
                  lambda t: f"Wq @ e with Wq = W_Qᵀ is e @ W_Q, to {convention_error(t):.0e}", 2),
        Statement(D, 32, "Q_jumps (produced by Wq @ embedding_jumps)",
                  lambda t: bool(np.allclose(column_Wq(t) @ t.array("x")[4], t.array("q")[0, 4])),
                  lambda t: f"q(jumps) = {t.array('q')[0, 4].round(4).tolist()}", 2,
                  "a definition; to predict jumps, though, only fox may ask: jumps' own query knows the answer"),
        Statement(D, 39, "scores = [Q_jumps … K_The",
                  lambda t: bool(np.allclose(by_hand(t), t.array("scores")[0, 4, :4])),
                  lambda t: f"{by_hand(t).round(4).tolist()}", 3),
        Statement(D, 45, "These scores have no built-in semantics", lambda t: score_change(t) < 1e-12,
                  lambda t: f"(W_Q·A, W_K·A⁻ᵀ) moves no score by more than {score_change(t):.0e}", 3),
        Statement(D, 51, "No … real query", lambda t: float(np.min(cosines(t))) < 0.9,
                  lambda t: f"cosines of the old and new queries: {cosines(t).min():.3f} to {cosines(t).max():.3f}", 2,
                  "the text says there is none: other queries, the same scores"),
        Code(D, 59, "score = dot(Q_jumps, K_fox)", lambda t: np.dot(t.array("q")[0, 4], t.array("k")[0, 3]), 3),
        Code(D, 97, "logits = context_vector @ W_vocab.T", lambda t: t.array("read") @ t.array("W_out").T, 8),
        Statement(D, 101, "each row corresponds to a word in the vocabulary",
                  lambda t: len(t.array("W_out")) == len(t.labels.words["V"]),
                  lambda t: f"{len(t.array('W_out'))} rows, {len(t.labels.words['V'])} words", 8),
        Statement(D, 127, "These are context-aware projections", lambda t: alone(t, "q") > 1e-12,
                  lambda t: f"jumps alone and at the end of the sentence: its query differs by {alone(t, 'q'):.0f}, "
                            f"its key by {alone(t, 'k'):.0f}", 2,
                  "in a first layer q and k know only their own word; in deeper ones all three know the sentence"),
        Statement(D, 135, "a projection of the original embedding",
                  lambda t: bool(np.allclose(t.array("x") @ t.array("W_V")[0], t.array("v")[0])),
                  lambda t: f"v = x·W_V; jumps alone: the same, to {alone(t, 'v'):.0f}", 2,
                  "in a deeper layer it is a projection of the stream"),
        Statement(D, 137, "V does not participate in scoring", lambda t: _scores_without_v(t) == 0,
                  lambda t: f"other values move the scores by {_scores_without_v(t):.0f}, the context by "
                            f"{np.abs(_other_values(t).array('context') - t.array('context')).max():.2g}", 6),
    ]  # fmt: skip


def column_Wq(trace: Trace) -> np.ndarray:
    """W_Q as the document writes it, to multiply a column."""
    return trace.array("W_Q")[0].T


def convention_error(trace: Trace) -> float:
    columns = column_Wq(trace) @ trace.array("x").T
    return float(np.abs(columns.T - trace.array("q")[0]).max())


def by_hand(trace: Trace) -> np.ndarray:
    """The list of dot products of the document, each from its own two columns."""
    q = column_Wq(trace) @ trace.array("x")[4]
    return np.array([np.dot(q, trace.array("W_K")[0].T @ x) for x in trace.array("x")[:4]])


def turned(trace: Trace) -> Trace:
    """The same trace with (W_Q·A, W_K·A⁻ᵀ) in place of (W_Q, W_K), for a random A."""
    A = np.random.default_rng(6).normal(size=(HEAD_WIDTH, HEAD_WIDTH))
    changed = trace.pin("W_Q", trace.array("W_Q") @ A)
    return changed.pin("W_K", trace.array("W_K") @ np.linalg.inv(A).T)


def score_change(trace: Trace) -> float:
    return float(np.abs(turned(trace).array("scores") - trace.array("scores")).max())


def cosines(trace: Trace) -> np.ndarray:
    """The cosine of each word's query with what it is after turning."""
    before, after = trace.array("q")[0], turned(trace).array("q")[0]
    return np.sum(before * after, axis=-1) / (np.linalg.norm(before, axis=-1) * np.linalg.norm(after, axis=-1))


def leak(trace: Trace) -> dict[str, float]:
    """How much the scores of a query over the words before jumps move when jumps gets another vector."""
    table = trace.array("E").copy()
    table[WORDS.index("jumps")] *= -1
    change = np.abs(trace.pin("E", table).array("scores") - trace.array("scores"))[0, :, :4].max(axis=-1)
    return {word: float(change[WORDS.index(word)]) for word in ("fox", "jumps")}


def alone(trace: Trace, name: str) -> float:
    """How much a vector of jumps differs when nothing stands before it."""
    by_itself = trace.array("E")[WORDS.index("jumps")] @ trace.array(f"W_{name.upper()}")[0]
    return float(np.abs(by_itself - trace.array(name)[0, -1]).max())


def _other_values(trace: Trace) -> Trace:
    return trace.pin("W_V", 2 * trace.array("W_V"))


def _scores_without_v(trace: Trace) -> float:
    return float(np.abs(_other_values(trace).array("scores") - trace.array("scores")).max())


def remarks(trace: Trace) -> list[str]:
    after = turned(trace)
    moved = np.abs(after.array("q") - trace.array("q")).max()
    moves = leak(trace)
    return [
        f"(W_Q·A, W_K·A⁻ᵀ) moves queries by up to {moved:.2f}, scores by {score_change(trace):.0e}, "
        f"probabilities by {np.abs(after.array('probabilities') - trace.array('probabilities')).max():.0e}.",
        f"The queries point elsewhere (cosines {cosines(trace).min():.3f} to {cosines(trace).max():.3f}); "
        "nothing the model says depends on that.",
        f"Another vector for jumps moves its own scores by {moves['jumps']:.2f}, those of fox by {moves['fox']:.0f}:",
        "the query that predicts jumps is that of fox. A query of jumps itself would already know the answer.",
        "Ours: W_Q, W_K and A are random, the word vectors those of the fox sentence; the text gives only one vector.",
    ]
