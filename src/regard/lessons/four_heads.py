"""*Deep Dive Q&A*, question 4: four heads on ten words, with the document's weights, side by side and through W_O."""

from itertools import combinations

import numpy as np

from regard.lessons.cards.four_heads import CARDS
from regard.lessons.claim import Claim, Statement, cells
from regard.lessons.lesson import Lesson
from regard.toys.shipped import shipped
from regard.trace import Trace

D = "002"
WHO, WHERE, WHEN = range(3)  # the fourth reads what stands near
OWN = ("W_Q", "W_K", "W_V")


def lesson() -> Lesson:
    return Lesson(
        name="four-heads",
        title="Four heads, ten words",
        documents=(D,),
        idea="Each head asks sat's question in its own way; side by side the answers make one strip, and W_O mixes it.",
        make=make,
        shows=("weights", "context", "concat", "W_O", "by_head", "attended", "probabilities"),
        row="sat",
        claims=tuple(claims()),
        remarks=remarks,
        cards=CARDS,
    )


def make() -> Trace:
    model = shipped("four-heads")
    return model.run(model.sentence, next=model.next).backward()


def claims() -> list[Claim]:
    chosen = "W_Q was chosen so; what the document leaves out of the row is shared equally"
    return [
        cells(D, 132, "head 1, who: who is the subject?", 5, {"weights[who,sat,cat]": "0.60"}, chosen),
        cells(D, 133, "head 2, where: what's the location?", 5, {"weights[where,sat,mat]": "0.55"}, chosen),
        cells(D, 134, "head 3, when: temporal context?", 5, {"weights[when,sat,yesterday]": "0.45"}, chosen),
        cells(D, 135, "head 4, local: local, positional?", 5,
              {"weights[local,sat,sat]": "0.30", "weights[local,sat,on]": "0.25"}, chosen),
        *statements(),
    ]  # fmt: skip


def statements() -> list[Claim]:
    return [
        Statement(D, 115, "the word sat needs to attend to multiple things",
                  lambda t: all(alone(t, head) != t.predicted for head in (WHO, WHERE, WHEN)),
                  lambda t: f"with all heads it says {t.predicted}; alone, {_alone(t)}", 9),
        reads(116, "cat is the subject (who is sitting?)", WHO, "cat"),
        reads(117, "mat is the location (sitting where?)", WHERE, "mat"),
        reads(118, "yesterday provides time context", WHEN, "yesterday"),
        Statement(D, 125, "softmax forces a single distribution that sums to 1",
                  lambda t: bool(np.allclose(rows(t).sum(axis=-1), 1)) and together(t) > 1,
                  lambda t: f"each row sums to 1; what three heads give cat, mat and yesterday, to {together(t):.2f}",
                  5, "so no single row could give all three"),
        Statement(D, 129, "separate attention distributions",
                  lambda t: len({most_read(t, head) for head in range(len(rows(t)))}) == len(rows(t)),
                  lambda t: f"{len(rows(t))} heads, {len(rows(t))} rows for sat: no two read the same word most, or "
                            f"share more than {largest_overlap(t):.0%}", 5,
                  "here with four heads; the lesson heads has eight"),
        Statement(D, 138, "Each head has its own W_Q, W_K, W_V projections", _all_differ,
                  lambda t: f"{', '.join(f'{n} {t.array(n).shape}' for n in OWN)}: no two heads alike", 2),
        Statement(D, 163, "The concat alone doesn't mix information. The W_O projection does",
                  lambda t: all(len(heads) == 1 for heads in writers(t, "concat").values())
                  and any(len(heads) > 1 for heads in writers(t, "attended").values()),
                  lambda t: f"each of {len(writers(t, 'concat'))} places of the strip comes from one head; "
                            f"after W_O, {_shared(t)}", 7),
        Statement(D, 171, "Which heads matter for which output dimensions",
                  lambda t: len({tuple(heads) for heads in writers(t, "attended").values()}) > 1,
                  lambda t: "; ".join(f"{place}: {_heads(t, h)}" for place, h in writers(t, "attended").items()), 7,
                  "W_O was set by hand; it says where each head's numbers go"),
    ]  # fmt: skip


def reads(line: int, said: str, head: int, word: str) -> Statement:
    return Statement(
        D,
        line,
        said,
        lambda t: [h for h in range(len(rows(t))) if most_read(t, h) == word] == [head],
        lambda t: f"the head {called(t, head)} reads {most_read(t, head)} most, and no other head does",
        5,
    )


# what the claims are measured on


def rows(trace: Trace) -> np.ndarray:
    """What sat reads: a row for each head."""
    return trace.array("weights")[:, trace.info["query"]]


def most_read(trace: Trace, head: int) -> str:
    return trace.labels.words["K"][int(rows(trace)[head].argmax())]


def together(trace: Trace) -> float:
    """What the heads that ask who, where and when give the words they ask for."""
    return float(rows(trace)[[WHO, WHERE, WHEN]].max(axis=-1).sum())


def largest_overlap(trace: Trace) -> float:
    """How much two heads' distributions have in common at most: the sum of the smaller weights, 1 if they are alike."""
    return max(float(np.minimum(a, b).sum()) for a, b in combinations(rows(trace), 2))


def without(trace: Trace, head: int) -> Trace:
    """The run in which one head passes nothing on."""
    context = trace.array("context").copy()
    context[head] = 0.0
    return trace.pin("context", context)


def alone(trace: Trace, head: int) -> str:
    """What is said when only one head is heard."""
    context = np.zeros_like(trace.array("context"))
    context[head] = trace.array("context")[head]
    return trace.pin("context", context).predicted


def writers(trace: Trace, name: str) -> dict[str, list[int]]:
    """For each place of sat's vector at a step that is written at all, the heads without which it would be another."""
    step, query = trace.step(name), trace.info["query"]
    words = [trace.labels.plain(step.axes[-1], i) for i in range(step.shape[-1])]
    quiet = [without(trace, head).array(name)[query] for head in range(len(rows(trace)))]
    found = {
        word: [head for head, other in enumerate(quiet) if other[place] != step.value[query, place]]
        for place, word in enumerate(words)
    }
    return {word: heads for word, heads in found.items() if heads}


def _all_differ(trace: Trace) -> bool:
    return not any(np.array_equal(a, b) for name in OWN for a, b in combinations(trace.array(name), 2))


def called(trace: Trace, head: int) -> str:
    """The name of a head, in quotes: the toy's names are words of grammar too."""
    return f"“{trace.labels.plain('H', head)}”"


def _heads(trace: Trace, heads: list[int]) -> str:
    return " and ".join(called(trace, head) for head in heads)


def _alone(trace: Trace) -> str:
    """What three heads would say if each were the only one; local, the fourth, says nothing."""
    return ", ".join(f"{called(trace, head)} says {alone(trace, head)}" for head in (WHO, WHERE, WHEN))


def _shared(trace: Trace) -> str:
    shared = {place: heads for place, heads in writers(trace, "attended").items() if len(heads) > 1}
    return ", ".join(f"{place} comes from {_heads(trace, heads)}" for place, heads in shared.items()) or "too"


def remarks(trace: Trace) -> list[str]:
    strip = trace.array("concat")[trace.info["query"]]
    width = trace.array("context").shape[-1]
    parts = [strip[width * head : width * (head + 1)] for head in range(len(rows(trace)))]
    said = " | ".join(" ".join(f"{value:.2f}" for value in part) for part in parts)
    found = ", ".join(
        f"{called(trace, head)} {most_read(trace, head)} {row.max():.2f}" for head, row in enumerate(rows(trace))
    )
    return [
        f"Head by head, “sat” reads most: {found}.",
        f"The strip of “sat”, concat: [{said}].",
        f"W_O puts each number in its place; {_shared(trace)}: {trace['attended[sat,link]']:.2f}.",
        f"Alone, {_alone(trace)}, and “local” leaves all words equally likely.",
        f"All four together say {trace.predicted} with {trace.array('probabilities').max():.2f}.",
        "Who, where, when and local are the document's heads 1 to 4; in an address they may also be counted from 0.",
        "Set by hand, not trained: the document gives five weights; the word vectors, values and W_O are ours.",
    ]
