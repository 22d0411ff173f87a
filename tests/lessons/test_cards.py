"""The cards of the lessons: every answer and every mistake is computed from the trace, and they can be told apart."""

import json
import math
import re

import numpy as np
import pytest

from regard.lessons import LESSONS, lesson
from regard.lessons.cards.card import Card, changed, filled
from regard.lessons.cards.mistakes import MISTAKES, Mistake

WITH_CARDS = [name for name in LESSONS if lesson(name).cards]
ASKED = {name: lesson(name).ask() for name in WITH_CARDS}
CARDS = [pytest.param(name, i, id=f"{name}-{i + 1}") for name in WITH_CARDS for i in range(len(ASKED[name]))]
FOX, HEADS = "fox", "two-heads"


def test_the_lessons_that_are_taught_in_cards():
    assert set(WITH_CARDS) == set(LESSONS)
    assert min(map(len, ASKED.values())) >= 3


@pytest.mark.parametrize("name", WITH_CARDS)
def test_cards_stand_in_the_order_of_the_documents_and_know_their_place(name):
    places = [(card.at[0].number, card.at[1]) for card in lesson(name).cards]
    assert places == sorted(places) and {number for number, _ in places} <= set(lesson(name).documents)
    for card, asked in zip(lesson(name).cards, ASKED[name], strict=True):
        document, line = card.at
        assert (asked.document, asked.line) == (document.title, line)
        assert line in document.lines_of(document.section_at(line)) and asked.question


def test_lessons_stand_in_the_order_of_the_documents():
    first = [min((card.at[0].number, card.at[1]) for card in lesson(name).cards) for name in WITH_CARDS]
    assert first == sorted(first)


def card(name, title):
    return next(asked for asked in ASKED[name] if asked.title == title)


@pytest.mark.parametrize("name, number", CARDS)
def test_the_answer_is_the_traces_number(name, number):
    found = lesson(name)
    trace, card, asked = found.make(), found.cards[number], ASKED[name][number]
    after = changed(trace, asked.changes)
    if asked.cell is not None:
        assert asked.answer == (after[asked.cell] if "[" in asked.cell else float(after.array(asked.cell)))
    else:
        assert callable(card.answer) and asked.answer == card.answer(after)
    assert asked.choices == () or asked.answer in asked.choices
    assert (asked.choices != ()) == isinstance(asked.answer, str)


@pytest.mark.parametrize("name, number", CARDS)
def test_mistakes_differ_from_the_answer_and_from_each_other_at_the_digits_shown(name, number):
    asked = ASKED[name][number]
    shown = [asked.written(value) for value in (asked.answer, *(m.value for m in asked.mistakes))]
    assert asked.mistakes and len(set(shown)) == len(shown), shown
    assert all(isinstance(m.value, type(asked.answer)) for m in asked.mistakes)
    assert all(math.isfinite(m.value) for m in asked.mistakes if isinstance(m.value, float))


@pytest.mark.parametrize("name, number", CARDS)
def test_a_card_can_be_shown(name, number):
    found, asked = lesson(name), ASKED[name][number]
    trace = found.make()
    assert 1 <= asked.stage <= 12
    for text in (asked.title, asked.says, asked.asks, asked.hint, asked.reveals):
        assert text.strip() and not re.search(r"[{}]|\bnan\b|\binf\b", text), text
    assert asked.asks.endswith("?")
    assert asked.veils is None or asked.veils in trace.steps
    assert asked.row is None or asked.row < len(trace.labels.words["Q"])
    assert json.loads(json.dumps(asked.data()))["answer"] == asked.answer
    if asked.changes:
        assert asked.veils is None, "what is there before a change may be seen"


@pytest.mark.parametrize("name", WITH_CARDS)
def test_other_numbers_in_other_answers_out(name):
    """No answer is typed in: with another run, the cards that ask for cells ask for other numbers."""
    found = lesson(name)
    trace = found.make()
    begins = {
        "matrix": "weights",
        "cat": "scores",
        "apple": "scores",
        "root": "q",
        "cabinet": "q",
        "heads": "q",
        "it": "q",
    }
    given = (begins | dict.fromkeys(("function", "rule"), "x")).get(name, "E")
    other = trace.pin(given, 0.3 + 0.7 * trace.array(given)[..., ::-1])
    # the first word reads only itself, a hidden one is not read, and a pinned score is what was pinned
    fixed = {"masks": {"The first word", "A hidden word"}, "apple": {"A score of zero"}, "glove": {"What is wanted"}}
    fixed = fixed.get(name, set())  # and what GloVe wants is counted
    for one, two in zip(found.ask(trace), found.ask(other), strict=True):
        if one.cell and one.title not in fixed:
            assert one.answer != two.answer, (name, one.title)


# what these ask for can be counted, is chance, or is 1 whatever the numbers are
WITHOUT_NUMBERS = {"Rows sum to 1", "Without clusters", "The first word", "How much is hidden"}


@pytest.mark.parametrize("name, number", CARDS)
def test_a_card_that_asks_for_a_number_gives_those_it_is_computed_from(name, number):
    """Also where nothing else is on the screen, as in a terminal; and nobody is told to press what is not there."""
    asked = ASKED[name][number]
    if isinstance(asked.answer, float) and asked.title not in WITHOUT_NUMBERS:
        assert re.search(r"\d", asked.says + asked.asks), asked.says
    assert not re.search(r"\b(press|click|drag)\b", " ".join((asked.says, asked.asks, asked.hint, asked.reveals)))


STAGES = {"q": 2, "k": 2, "scaled": 4, "weights": 5, "context": 6, "concat": 7, "by_head": 7, "attended": 7,
          "residual": 7, "logits": 8, "probabilities": 9, "loss": 10}  # fmt: skip


@pytest.mark.parametrize("name, number", CARDS)
def test_a_card_stands_at_the_stage_of_what_it_asks_for(name, number):
    asked = ASKED[name][number]
    step = asked.cell.partition("[")[0].rpartition(".")[2] if asked.cell and not asked.changes else None
    assert asked.stage == STAGES.get(step, asked.stage)
    if asked.title == "What comes out":  # asks for a size, not for a cell
        assert asked.stage == STAGES["context"]


def by_hand(name):
    return {m.name: m.value for card in ASKED[name] for m in card.mistakes}


def test_mistakes_on_the_way_to_a_weight_by_definition():
    """Each computed a second time, from the numbers of the document alone."""
    q, k = [0.8, 0.6], [0.3, 0.5]
    score = card(FOX, "A score")
    assert score.answer == pytest.approx(0.8 * 0.3 + 0.6 * 0.5)
    values = {m.name: m.value for m in score.mistakes}
    assert values["only the first product"] == pytest.approx(0.24)
    assert values["added instead of multiplied"] == pytest.approx(sum(q) + sum(k))
    assert values["a cosine"] == pytest.approx(0.54 / math.hypot(*q) / math.hypot(*k))
    values = {m.name: m.value for m in card(FOX, "Scaled").mistakes}
    assert values == pytest.approx({"forgot √d_k": 0.54, "divided by d_k, not by its root": 0.27,
                                    "took the root of the score": 0.54**0.5})  # fmt: skip
    values = {m.name: m.value for m in ASKED["cat"][1].mistakes}
    row = np.exp([2.0, 4.0, 6.0])
    assert values["forgot √d_k"] == pytest.approx(row[2] / row.sum())
    row = np.exp([0.5, 1.0, 1.5])
    assert values["divided by d_k, not by its root"] == pytest.approx(row[2] / row.sum())
    assert values["forgot e^s"] == pytest.approx(3 / 6)
    assert values["forgot to normalise"] == pytest.approx(math.exp(3))
    assert values["softmax over the wrong axis"] == 1.0, "one query: its column has one number"


def test_mistakes_about_masks_by_definition():
    trace = lesson("masks").make()
    row = trace.array("biased")[0, 1]
    two = {m.name: m.value for m in ASKED["masks"][1].mistakes}
    exps = np.exp(row)
    assert two["forgot the mask"] == pytest.approx(exps[0] / exps.sum())
    assert two["hid words with 0"] == pytest.approx(exps[0] / (exps[0] + exps[1] + 1 + 1))
    column = [np.exp(trace.array("biased")[0, i, 0]) for i in range(4)]
    assert two["softmax over the wrong axis"] == pytest.approx(column[1] / sum(column))
    assert ASKED["masks"][4].answer == pytest.approx(exps[0] / exps.sum()), "both ways: what forgetting the mask gives"


def test_mistakes_about_heads_by_definition():
    trace = lesson(HEADS).make()
    titles = ("The width of a head", "Another head, another row", "Through W_O", "All heads together")
    scaled, weight, one_head, together = (card(HEADS, title) for title in titles)
    assert {m.name: m.value for m in scaled.mistakes}["used the width of the stream"] == pytest.approx(3 / 4**0.5)
    assert {m.name: m.value for m in weight.mistakes}["read the other head"] == trace["weights[0,sat,mat]"]
    assert {m.name: m.value for m in one_head.mistakes}["stopped before W_O"] == trace["context[0,sat,0]"]
    values = {m.name: m.value for m in together.mistakes}
    parts = [trace[f"by_head[{h},sat,1]"] for h in range(2)]
    assert values["averaged the heads"] == pytest.approx(sum(parts) / 2) and together.answer == pytest.approx(
        sum(parts)
    )
    assert values["stopped before W_O"] == trace["context[0,sat,1]"], "place 1 of the concatenation is head 0's"


def test_mistakes_about_the_rest_by_definition():
    trace = lesson(FOX).make()
    values = by_hand(FOX)
    assert values["summed without weights"] == pytest.approx(0.1 + 0.4 + 0.3 + 0.8)
    assert values["averaged"] == pytest.approx(0.4)
    assert values["took only the most attended word"] == pytest.approx(0.8)
    assert values["used the word's own vector"] == pytest.approx(0.2 * 0.8 + 0.9 * 0.6)
    share = trace["probabilities[jumps]"]
    assert values["the wrong logarithm"] == pytest.approx(-math.log(share) / math.log(10))
    assert values["forgot the minus"] == pytest.approx(math.log(share))
    assert values["took the predicted word"] == pytest.approx(-math.log(trace["probabilities[fox]"]))
    assert values["forgot to subtract the target"] == share and values["the sign"] == pytest.approx(1 - share)
    gauge = {m.name: m.value for m in ASKED["gauge"][0].mistakes}
    W_Q = lesson("gauge").make().array("W_Q")[0]
    assert gauge["used W·x instead of x·W"] == pytest.approx((W_Q @ [0.8, 0.6])[0])
    matrix = {m.name: m.value for m in ASKED["matrix"][0].mistakes}
    assert matrix["read the column instead of the row"] == 0.05  # 002:77: cat's weight for sat
    exps = np.exp([1.5, 12.0, 0.0, 0.3])
    moves = card("apple", "The meaning moves")
    eaten = exps @ [0.5, 1.0, 0.0, 0.0] / exps.sum()  # what the four words pass on, by their shares
    assert moves.answer == pytest.approx(0.5 + eaten)
    assert {m.name: m.value for m in moves.mistakes}["replaced instead of added"] == pytest.approx(eaten)


def test_every_registered_mistake_is_asked_about():
    used = {m for name in WITH_CARDS for card in lesson(name).cards for m in card.mistakes if isinstance(m, str)}
    assert used == set(MISTAKES)


def test_texts_take_their_numbers_from_the_trace():
    trace = lesson(FOX).make()
    after = trace.update(0.1)
    assert filled("{weights[fox,fox]} {loss|2} {predicted}", trace, after) == "0.7500 1.31 fox"
    assert filled("{after: predicted} {after: loss|4}", trace, after) == "jumps 1.2391"


def test_a_change_that_is_none_is_refused():
    trace = lesson(FOX).make()
    with pytest.raises(ValueError, match="unknown change"):
        changed(trace, ({"kind": "wish"},))
    card = Card("t", 5, "s", "a?", lambda t: 1.0, "h", "r", (Mistake("m", "s", MISTAKES["sign"].gives),), "004:72")
    with pytest.raises(ValueError, match="the card asks for none"):
        card.put(trace)


@pytest.mark.parametrize("name", ["fox", "heads"])
def test_the_terminal_shows_the_same_cards(name, capsys):
    from regard.cli.main import run

    assert run(["lesson", name, "--cards", "--plain"]) == 0
    printed = capsys.readouterr().out.replace("sqrt ", "√")  # plain output has simple signs
    for card in lesson(name).ask():
        assert f"{card.written(card.answer)}\n" in printed
        assert all(card.written(m.value) in printed and m.name in printed for m in card.mistakes)
