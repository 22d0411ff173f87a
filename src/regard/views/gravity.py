"""Contextual gravity on screen: for each sentence, how far a word was moved, which words pulled, and towards what."""

from collections.abc import Sequence

from rich.text import Text

from regard.lens.alike import cosines
from regard.lens.gravity import Gravity, Sentence
from regard.trace import Trace
from regard.views.columns import Column, table
from regard.views.ink import QUIET, STAGE, WEIGHT, Ink
from regard.views.layout import unbroken, wrapped

MOST_PULLS = 8
BAR = 20
NOTHING = 1e-12  # a rest that is only rounding
REST = "the rest (MLP, positions, biases)"


def gravity_lines(found: Gravity, traces: Sequence[Trace], others: Sequence[str], ink: Ink) -> list[Text]:
    lines: list[Text] = []
    for trace, sentence in zip(traces, found.sentences):
        lines += [*_pulls(found, trace, sentence, ink), Text("")]
        if others:
            lines += [*_alike(trace, sentence, others, ink), Text("")]
    said = "the pulls and the rest add up to the whole movement; a share is how far a pull reaches along it"
    return [*lines, *wrapped(said, 2, ink, QUIET)]


def _pulls(found: Gravity, trace: Trace, sentence: Sentence, ink: Ink) -> list[Text]:
    """The word's way, and who pulled it, the strongest first."""
    layer = unbroken(f"   after {found.layer.replace('layer', 'layer ')}")
    title = Text.assemble(
        ("GRAVITY", STAGE), f'   {_named(trace, sentence.position)} in "{trace.info["text"]}" moves by ',
        ink.number(sentence.way, 3), (layer.plain, QUIET),
    )  # fmt: skip
    ranked = sorted(sentence.pulls, key=lambda pull: -abs(pull.along.value))[:MOST_PULLS]
    is_rest = sentence.rest.size.value > NOTHING
    shown = [*ranked, sentence.rest] if is_rest else ranked
    told = [trace.labels.shown("T", pull.position) for pull in ranked]
    names = [f"{name} (itself)" if pull.position == sentence.position else name for pull, name in zip(ranked, told)]
    left = len(sentence.pulls) - len(ranked)
    columns = [
        Column("pulled by", [*names, *([REST] if is_rest else [])], left=True),
        Column("share of the movement", [ink.signed(pull.along, 3) for pull in shown]),
        Column("", [ink.bar(abs(p.along.value), BAR) for p in shown], style=WEIGHT, left=True, least=BAR, drop=1),
        Column("length", [ink.number(pull.size, 3) for pull in shown], drop=2),
    ]
    more = [Text(f"  … {left} more word{'s' * (left > 1)} pulled less", style=QUIET)] if left else []
    return [*wrapped(title, 0, ink), *table(columns, ink, 2), *more, *wrapped(_why_not(trace, sentence), 2, ink, QUIET)]


def _why_not(trace: Trace, sentence: Sentence) -> str:
    """Why words that come later cannot pull, where that is so."""
    if trace.info.get("mask") != "causal" or sentence.position + 1 == len(sentence.words):
        return ""
    word, model = trace.labels.shown("T", sentence.position), trace.info.get("model") or "this model"
    return f"{model} only looks back: what comes after {word} cannot pull it; --model masked looks both ways"


def _named(trace: Trace, position: int) -> str:
    """The word; a token that is only a part of one, with the whole."""
    token = trace.labels.plain("T", position)
    word, tokens = next(found for found in trace.labels.whole("T") if position in found[1])
    part = f' (token {position - tokens[0] + 1} of {len(tokens)} in "{word}")' if len(tokens) > 1 else ""
    return f'"{token}"{part}'


def _alike(trace: Trace, sentence: Sentence, others: Sequence[str], ink: Ink) -> list[Text]:
    """The cosine with other words, before the first layer and after each."""
    word = sentence.words[sentence.position]
    found = [cosines(trace, sentence.position, other) for other in others]
    columns = [Column("cosine with", list(others), left=True)]
    last = list(found[0])[-1]
    for name in found[0]:
        title = f"{word} by itself" if name == "itself" else f"after {name.replace('layer', 'layer ')}"
        cells = [ink.number(each[name], 3) for each in found]
        columns.append(Column(title, cells, drop=0 if name in ("itself", last) else 1))
    return table(columns, ink, 2)
