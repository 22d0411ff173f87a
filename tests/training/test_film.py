"""A film of training: every frame is what the model did then, and what is read back is what was filmed."""

import json
from dataclasses import replace

import numpy as np
import pytest

from regard.attending.film import ALL, MEASURED, MOST_FRAMES, Film, Frame, Measures, begun, probe, small_map
from regard.checkpoints.reading import Damage
from regard.cli.main import run
from regard.lens.forming import formed, names_at
from regard.models.catalogue import find_model
from regard.training.film_file import FILM, load_film, save_film
from regard.views.film import page_data

FILMED = ["--film", "--set", "film_every=2"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, text_file, tiny):
    folder = tmp_path_factory.mktemp("filmed") / "notes"
    assert run(["train", str(text_file), "--out", str(folder), *tiny, *FILMED]) == 0
    return folder


def test_a_frame_is_what_the_trace_of_the_model_says(folder):
    """The last frame, against the glass model: its weights, and the lens's own habits."""
    film, model = load_film(folder), find_model(str(folder))
    assert film.updates.tolist() == [0, 2, 4, 6]
    numbers = probe(model.reads, model.settings.max_tokens)
    assert tuple(model.reads[number] for number in numbers) == film.words
    trace = model.read(film.words)
    weights = trace.array("layer0.weights")
    np.testing.assert_allclose(film.maps[-1, 0] / ALL, small_map(weights) / ALL, atol=1.01 / ALL)
    made = trace.measure("reads")
    for i, habit in enumerate(MEASURED):
        np.testing.assert_allclose(
            film.shares[-1, 0, :, i], made[f"layer0.reads.{habit}"].value, atol=1e-5, err_msg=habit
        )
        np.testing.assert_allclose(film.evenly[i], made[f"reads.{habit}.evenly"].value, atol=1e-6, err_msg=habit)


def test_filming_changes_nothing_that_is_learned(folder, trained_run):
    """The losses of the same run without a camera, to the last digit: dropout draws the same numbers."""
    assert (folder / "losses.jsonl").read_bytes() == (trained_run / "losses.jsonl").read_bytes()


def test_a_film_that_was_stopped_goes_on(tmp_path, text_file, tiny):
    again = tmp_path / "again"
    shorter = [*tiny, "--set", "updates=4"]  # the rate would fall otherwise; the frames before it are the same
    assert run(["train", str(text_file), "--out", str(again), *shorter, *FILMED]) == 0
    before = load_film(again)
    assert run(["train", "--resume", str(again), "--set", "updates=8"]) == 0
    after = load_film(again)
    assert after.updates.tolist() == [0, 2, 4, 6, 8]
    assert after.words == before.words
    np.testing.assert_array_equal(after.maps[:3], before.maps)


def test_a_damaged_film_begins_anew(tmp_path, text_file, tiny):
    assert run(["train", str(text_file), "--out", str(tmp_path / "run"), *tiny, *FILMED]) == 0
    (tmp_path / "run" / FILM).write_bytes(b"no film")
    assert run(["train", "--resume", str(tmp_path / "run"), "--set", "updates=8"]) == 0
    assert load_film(tmp_path / "run").updates.tolist() == [6, 8]


def some_film(frames: int = 3) -> Film:
    generator = np.random.default_rng(0)
    first = Frame(0, np.nan, generator.random((2, 2, len(MEASURED))), np.zeros((2, 2, 4, 4), np.uint8))
    film = begun("a film", ("a", "b", "a", "b"), 5, np.full(len(MEASURED), 0.1), first)
    for n in range(1, frames):
        if film.wants(5 * n):
            film = film.joined(Frame(5 * n, float(n), generator.random((2, 2, len(MEASURED))), first.maps))
    return film


def test_a_long_film_keeps_every_other_frame():
    film = some_film(2 * MOST_FRAMES + 7)
    assert len(film) <= MOST_FRAMES
    assert film.every == 20
    assert set(np.diff(film.updates).tolist()) == {20}
    assert film.losses[1] == 4


def test_a_head_is_named_since_it_stayed_sure():
    film, shares = some_film(5), np.zeros((5, 2, 2, len(MEASURED)))
    shares[:, 1, 0, MEASURED.index("induction")] = [0.1, 0.9, 0.1, 0.8, 0.9]
    film = replace(film, shares=shares)
    (one,) = formed(film)
    assert (one.layer, one.head, one.habit, one.since) == (1, 0, "induction", 15)
    assert names_at(film, 1) == {(1, 0): "induction"}
    assert names_at(film, 2) == {}


def repeated(film: Film, frames: int = 1, layers: int = 1, heads: int = 1) -> dict[str, np.ndarray]:
    """Arrays of a film that is as long as it is told, or of a model that has so many heads, in a file of a few MB."""
    ones = np.ones((frames, layers, heads, 1, 1), np.uint8)
    return {
        "updates": np.arange(frames),
        "losses": np.ones(frames, np.float32),
        "shares": np.broadcast_to(film.shares[:1, :1, :1], (*ones.shape[:3], film.shares.shape[-1])),
        "maps": ones,
    }


def test_a_page_is_sent_half_of_a_film_until_it_is_short_enough_whatever_its_updates_are(monkeypatch):
    monkeypatch.setattr("regard.views.film.MOST_SENT", 200)
    film = some_film(9)
    odd = replace(film, updates=2 * film.updates + 1)
    assert page_data(odd)["updates"] == odd.updates[::4].tolist()


def test_what_is_no_film_is_refused(tmp_path):
    good = some_film()
    for change in (
        {"updates": good.updates[::-1].copy()},
        {"shares": good.shares[:, :, :, :2].copy()},
        {"maps": good.maps[:2].copy()},
        {"maps": good.maps.astype(np.int64)},
        {"words": ("a",)},
        {"every": 0},
        {"shares": np.full_like(good.shares, np.nan)},
        {"shares": np.full_like(good.shares, 3e38)},
        {"evenly": np.full_like(good.evenly, -1)},
        {"losses": np.full_like(good.losses, np.inf)},
        {"updates": good.updates - 1},
        {"updates": good.updates + 2**41},
        {"every": 2**70},
        {"words": good.words * 1_000},
        {"words": (*good.words[:-1], "w" * 2**16)},
        {"about": "a" * 2**16},
        {name: getattr(good, name)[:, :0].copy() for name in ("shares", "maps")},
        repeated(good, frames=MOST_FRAMES + 1),
        repeated(good, layers=2_000, heads=2_000),
    ):
        save_film(replace(good, **change), tmp_path / FILM)
        if "maps" in change and change["maps"].dtype == np.int64:  # written as bytes whatever came
            assert load_film(tmp_path).maps.dtype == np.uint8
            continue
        with pytest.raises(Damage, match="not a film"):
            load_film(tmp_path)
    data = save_film(good, tmp_path / FILM) or (tmp_path / FILM).read_bytes()
    for end in (0, 7, 8, 60, len(data) - 1):
        (tmp_path / FILM).write_bytes(data[:end])
        with pytest.raises(Damage):
            load_film(tmp_path)


def test_the_film_is_shown(folder, capfd):
    assert run(["film", str(folder)]) == 0
    assert "4 looks at 2 heads, from update 0 to 6" in capfd.readouterr().out
    assert run(["film", str(folder), "--at", "3"]) == 0
    out = capfd.readouterr().out
    assert "update 2, loss" in out
    assert "layer 0 head 1" in out
    assert run(["film", str(folder), "--head", "0.1", "--plain"]) == 0
    assert len(capfd.readouterr().out.splitlines()) >= 2 + len(load_film(folder).maps[0, 0, 0])
    assert run(["film", str(folder), "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["updates"] == [0, 2, 4, 6]


@pytest.mark.parametrize(
    "asked, said",
    [
        (["nowhere"], "there is no run nowhere"),
        (["--head", "7.0"], "a layer from 0 to 0 and a head from 0 to 1"),
        (["--head", "x"], "such as 1.0"),
        (["--scrub"], "needs a terminal"),
    ],
)
def test_what_cannot_be_shown_is_said(folder, asked, said, capfd):
    words = asked if asked[0] == "nowhere" else [str(folder), *asked]
    assert run(["film", *words]) == 2
    assert said in capfd.readouterr().err


def test_a_run_that_was_not_filmed_says_how(trained_run, capfd):
    assert run(["film", str(trained_run)]) == 2
    assert "was not filmed; train with --film" in capfd.readouterr().err


def test_measures_of_one_word_say_nothing():
    measures = Measures.of([3], np.ones((1, 1), dtype=bool))
    assert not measures.shares(np.ones((1, 1))).any()
