"""Skip-gram through torch: one update is the compiled one, and whole runs learn the same worlds."""

import numpy as np
import pytest
import torch

from regard.training.vectors import batched, tables
from regard.training.vectors.batched import Batched, Groups
from regard.training.vectors.numbering import END, Numbered
from regard.training.vectors.run import begin, resumed
from regard.training.vectors.settings import Settings
from regard.training.vectors.update import LOGISTIC, room, update_skipgram

WORDS, WIDTH = 13, 7


def two():
    random = np.random.default_rng(5)
    found = tables.zeros(WORDS, WIDTH), tables.zeros(WORDS, WIDTH)
    for table in found:
        table[:, :WIDTH] = random.normal(size=(WORDS, WIDTH))
    return found


def test_an_update_is_the_compiled_one():
    near, drawn, rate = [5, 0, 12, 7, 5], [4, 9, 2, 11], 1e-4
    ours, theirs = two(), [torch.from_numpy(table) for table in two()]
    scratch = room(3, 3, ours[0].shape[1])
    places = np.array([*near, 0], np.int32)
    update_skipgram(*ours, places, 5, np.array(drawn, np.int32), 4, np.float32(rate), LOGISTIC, *scratch)
    groups = Groups(torch.tensor([near]), torch.tensor([drawn]), torch.ones(1, 5, 4))
    batched.update(*theirs, groups, torch.tensor([1.0, 0, 0, 0]), torch.tensor(rate))
    moved = np.abs(ours[0] - two()[0]).max()
    for one, other, before in zip(ours, theirs, two()):
        assert np.abs(one - other.numpy()).max() < 0.002 * moved  # many moves of one row count a little less
        assert np.abs(one - other.numpy()).max() < 1e-5 and np.abs(one - before).max() > 1e-5


def text_of(lines):
    ids = np.array([i for line in lines for i in (*line, END)], np.int32)
    return Numbered(tuple("abcdefgh"), np.bincount(ids[ids >= 0], minlength=8) + 1, ids, "")


def test_the_pairs_of_a_group_are_those_of_the_windows(monkeypatch):
    """By definition: within a line, at most `reach` from the word between; the negatives weigh as many as drawn."""
    seen = []
    monkeypatch.setattr(batched, "update", lambda v, c, groups, *_: seen.append(groups))
    monkeypatch.setattr(torch, "randint", lambda low, high, shape, **_: torch.arange(shape[0]) % 3 + 1)
    lines = [[0, 1, 2, 3, 4], [5, 6], [7, 0, 1, 2, 3, 4, 5] * 6]
    settings = Settings.of("skipgram", width=4, window=3, epochs=1, sample=0.0)
    Batched(text_of(lines), settings, groups=2).learn(0, 0)
    words = [word for line in lines for word in line]
    line_of = [i for i, line in enumerate(lines) for _ in line]
    wanted = np.zeros((8, 8))
    for t, word in enumerate(words):
        for other in range(max(0, t - (t % 3 + 1)), min(len(words), t + t % 3 + 2)):
            if other != t and line_of[other] == line_of[t]:
                wanted[words[other], word] += 1
    found, against = np.zeros((8, 8)), 0.0
    for groups in seen:
        assert set(groups.weights[:, :, : batched.GROUP].unique().tolist()) <= {0, 1}
        for g, i, j in groups.weights[:, :, : batched.GROUP].nonzero().tolist():
            found[groups.near[g, i], groups.drawn[g, j]] += 1
        against += float(groups.weights[:, :, batched.GROUP :].sum())
    assert np.array_equal(found, wanted) and against == pytest.approx(5 * wanted.sum())


def test_a_run_learns_repeats_and_resumes(tmp_path):
    random = np.random.default_rng(3)
    worlds = [["king", "queen", "prince", "palace", "crown"], ["bread", "butter", "cheese", "apple", "kitchen"]]
    file = tmp_path / "worlds.txt"
    file.write_text("\n".join(" ".join(random.choice(worlds[i % 2], size=9)) for i in range(300)))
    settings = Settings.of("skipgram", width=11, epochs=40, least=1, sample=0.0, rate=0.1, device="cpu:0")
    run = begin([file], tmp_path / "run", settings)
    assert isinstance(run.learner, Batched)
    list(run.reports())
    assert set(run.result().near("king", 4).words) == {"queen", "prince", "palace", "crown"}
    again = begin([file], tmp_path / "again", settings)
    for _ in again.reports(save_every=0):
        if again.blocks >= 8:
            break
    again = resumed(tmp_path / "again")
    list(again.reports())
    assert np.array_equal(run.learner.vectors(), again.learner.vectors())


def test_other_kinds_are_refused_on_a_device():
    with pytest.raises(ValueError, match="cbow is computed on the cpu"):
        Settings.of("cbow", device="cuda")
