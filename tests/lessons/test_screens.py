"""Lessons on a screen: lines end where it does, and every step that is named shows numbers."""

import json
import re

import pytest
from rich.cells import cell_len

from regard.cli.main import run
from regard.lessons import LESSONS, lesson
from regard.lessons.documents import DOCUMENTS
from regard.lessons.lesson import Lesson
from regard.views.ink import Ink, cells_of
from regard.views.lessons import cards, listing, screen, turned


@pytest.fixture(scope="module", params=list(LESSONS))
def found(request) -> Lesson:
    return lesson(request.param)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_of_a_lesson_or_its_cards_is_wider_than_the_screen(found, width):
    lines = [*screen(found, Ink(width=width), every_claim=True), *cards(found, Ink(width=width))]
    assert [line.plain for line in lines if cell_len(line.plain) > width] == []


def test_below_the_name_of_a_step_stand_its_numbers(found):
    trace, lines = found.make(), screen(found, Ink(width=80))
    for name in found.shows:
        at = next(i for i, line in enumerate(lines) if line.plain.split()[:1] == [trace.step(name).name])
        until = next(i for i, line in enumerate(lines[at:], start=at) if not line.plain)
        assert [cell for line in lines[at:until] for cell in cells_of(line)], name


def text_of(name, width=80):
    return "\n".join(line.plain for line in screen(lesson(name), Ink(width=width)))


def test_the_list_names_the_documents_above_their_lessons():
    lines = [line.plain for line in listing([lesson(name) for name in LESSONS], Ink(width=120))]
    places = [lines.index(document.title) for document in DOCUMENTS.values()]
    assert places == sorted(places)
    of_each = [next(line for line in lines[at + 1 :] if line).split()[0] for at in places]
    assert [lesson(name).documents[0] for name in of_each] == list(DOCUMENTS)


def test_rows_of_one_word_are_called_by_it():
    tables = text_of("apple").split("\n\n")
    for step in ("scores", "weights", "attended", "residual"):
        table = next(table for table in tables if table.startswith(f"layer0.{step} ")).split("\n")
        assert [row.split()[0] for row in table[2:]] == ["apple"], step


def test_a_turned_knob_shows_what_it_is_turned_for():
    root = lesson("root")
    assert root.knob is not None
    shown = "\n".join(line.plain for line in turned(root, root.knob, 64, Ink(width=120)))
    assert "weight, unscaled" in shown and "0.99999386" in shown and "p·(1−p), unscaled" in shown and "6e-06" in shown


def test_cards_end_with_what_to_read(found):
    screens = ["\n".join(line.plain for line in made(found, Ink(width=80))) for made in (screen, cards)]
    endings = [shown.partition("\nto read\n")[2] for shown in screens]
    assert endings[0] == endings[1]


def test_heads_are_shown_side_by_side():
    shown, trace = text_of("heads"), lesson("heads").make()
    table = shown[shown.index("\nconcat  ") :].split("\n\n")[0]
    first = trace.array("context")[0, 2, :3]  # sat's
    assert all(f"{value:.4f}" in table for value in first), "the first numbers of the strip are those of head 0"


def test_one_claim_is_one():
    assert "… 1 claim is right; show it with --claims" in text_of("glove")
    assert "… 4 claims are right; show them with --claims" in text_of("root")


def test_it_ranks_the_heads_of_both_models():
    shown = text_of("it")
    for model, count, best in (("english", 30, "2 head 2   0.581            0.111             0.214"),
                               ("masked", 24, "4 head 2   0.494            0.091             0.292")):  # fmt: skip
        table = shown.split(f"{model}: “it” reads animal, 4 of {count} heads\n")[1].splitlines()
        assert table[0].split("  ")[1:2] == ["head"] and "an average word" in table[0]
        assert table[1] == f"  layer {best}"
        weights = [float(line.split()[4]) for line in table[1:5]]
        assert weights == sorted(weights, reverse=True) and len(set(weights)) == 4


def test_it_shows_both_texts_in_the_head_that_can_tell():
    shown = text_of("it")
    told = shown.split("too tired or too wide: masked, layer 4 head 3")[1].split("\n\n")[0]
    assert "differs most" in " ".join(told.split())
    rows = [line.split() for line in told.splitlines()]
    assert ["tired", "0.2299", "0.0934"] in rows and ["wide", "0.0850", "0.0761"] in rows


def test_a_share_of_nearly_all_is_not_shown_as_all():
    table = text_of("apple").split("layer0.weights")[1].split("\n\n")[0]
    assert table.split()[-4:] == ["0.000028", "0.999958", "0.000006", "0.000008"]


def remarks_of(found: Lesson) -> str:
    return " ".join(found.remarks(found.make()))


def test_a_small_number_of_a_remark_is_not_written_as_nothing(found):
    assert re.findall(r"-0\.0+(?!\d)", remarks_of(found)) == []


def test_the_way_back_is_told_with_the_digits_of_its_tables():
    shown, row = text_of("backward"), ["fox", "-4e-05", "-0.0018"]
    assert row in [line.split() for line in shown.split("layer0.q.grad")[1].split("\n\n")[0].splitlines()]
    assert f"∂q [{' '.join(row[1:])}]" in " ".join(shown.split())


def test_words_are_counted_from_one():
    assert "apple is word 4 of 7, orange word 7:" in remarks_of(lesson("apple"))


def test_what_a_head_reads_is_told_of_that_head():
    found = lesson("new-sentences")
    first, second = found.make().array("weights")[:, 2, 1]
    assert f"ran gives dog {first:.3f} in head 0 and {second:.3f} in head 1" in remarks_of(found)


def as_json(capsys, *words):
    assert run(["lesson", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_list_of_lessons_as_data(capsys):
    found = as_json(capsys)
    assert [each["name"] for each in found] == list(LESSONS)
    glove = next(each for each in found if each["name"] == "glove")
    assert (glove["all"], glove["verdicts"], glove["questions"]) == (1, {"exact": 1}, len(lesson("glove").cards))


def test_claims_and_cards_as_data_name_documents_by_their_titles(capsys):
    titles = {document.title for document in DOCUMENTS.values()}
    claims, cards = as_json(capsys, "fox"), as_json(capsys, "fox", "--cards")
    assert len(claims) == len(lesson("fox").check()) and {"line", "claimed", "computed", "verdict"} <= set(claims[0])
    assert [card["title"] for card in cards] == [card.title for card in lesson("fox").cards]
    assert "title" not in claims[0], "said once"
    assert {each["document"] for each in (*claims, *cards)} <= titles
