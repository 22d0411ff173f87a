"""How good vectors are, by definitions written out; on the published sets where gensim brings them."""

import numpy as np
import pytest

from regard.vectors.evaluation import agreement, answered, ranked
from regard.vectors.problem import Unreadable
from regard.vectors.published import BROUGHT, Analogies, Ratings, brought, published
from regard.vectors.wordvectors import WordVectors

ROWS, WIDTH = 101, 7


@pytest.fixture(scope="module")
def vectors():
    rng = np.random.default_rng(0)
    return WordVectors([f"w{i}" for i in range(ROWS)], rng.normal(size=(ROWS, WIDTH)).astype(np.float32))


def test_analogies_by_definition(vectors):
    rng = np.random.default_rng(1)
    asked = [tuple(f"w{i}" for i in rng.choice(ROWS, 4, replace=False)) for _ in range(90)]
    for i, (a, b, c, _) in enumerate(asked):  # some of them right: the answer is whatever is nearest
        if i % 3 == 0 or i % 5 == 1:
            asked[i] = (a, b, c, vectors.analogy(a, b, c, exclude=i % 3 == 0).words[0])
    categories = {"one": [*asked[:50], ("w1", "w2", "w3", "unknown")], "other": asked[50:]}
    found = answered(vectors, Analogies("ours", categories))
    for at, name in enumerate(categories):
        covered = [q for q in categories[name] if "unknown" not in q]
        expected = {
            "asked": len(categories[name]),
            "covered": len(covered),
            "answered": sum(vectors.analogy(a, b, c).words[0] == d for a, b, c, d in covered),
            "with_inputs": sum(vectors.analogy(a, b, c, exclude=False).words[0] == d for a, b, c, d in covered),
            "nearest_to_c": sum(
                next(w for w in vectors.near(c).words if w not in (a, b, c)) == d for a, b, c, d in covered
            ),
        }
        assert found.data()["categories"][name] == expected
        assert found.number("answered.share", at).value == expected["answered"] / expected["covered"]
        assert expected["answered"] and expected["with_inputs"] and expected["with_inputs"] != expected["answered"]
    assert found.data()["all"]["asked"] == 91 and found.data()["all"]["covered"] == 90
    assert found.trace.why("answered.share.all").symbols() == "answered.all / covered.all"
    opened = found.trace.why("answered[other]")  # a share opens by its category, down to each question
    assert sum(cell.value for cell in opened.cells) == opened.value == found.number("answered", 1).value
    assert len(opened.cells) == 40 and {cell.step.name for cell in opened.cells} == {"answered.each"}
    assert found.trace["answered.share[other]"] == found.number("answered.share", 1).value


def test_many_questions_are_asked_in_several_passes(vectors, monkeypatch):
    questions = Analogies("ours", {"one": [(f"w{i}", f"w{i + 1}", f"w{i + 2}", f"w{i + 3}") for i in range(60)]})
    whole = answered(vectors, questions).data()
    monkeypatch.setattr("regard.vectors.evaluation.TOGETHER", 7)
    monkeypatch.setattr("regard.vectors.scanning.BLOCK", 50)
    assert answered(vectors, questions).data() == whole


def test_words_are_found_in_small_letters_where_they_are_not_there_as_written():
    vectors = WordVectors(["athens", "greece", "Oslo", "norway"], np.eye(4))
    found = answered(
        vectors, Analogies("ours", {"": [("Athens", "Greece", "Oslo", "Norway"), ("ATHENS", "x", "y", "z")]})
    )
    assert found.data()["all"]["covered"] == 1


def test_agreement_is_the_correlation_of_ranks(vectors):
    rng = np.random.default_rng(2)
    pairs = [(f"w{a}", f"w{b}", float(rng.integers(0, 5))) for a, b in rng.integers(0, ROWS, (40, 2))]
    found = agreement(vectors, Ratings("ours", [*pairs, ("w1", "unknown", 3.0)]))
    cosines = [vectors.similarity(a, b) for a, b, _ in pairs]
    ranks = [
        np.array([sum(y < x for y in values) + (sum(y == x for y in values) + 1) / 2 for x in values])
        for values in (cosines, [rated for _, _, rated in pairs])
    ]
    assert ranked(cosines).tolist() == ranks[0].tolist()
    assert found.agreement.value == pytest.approx(np.corrcoef(ranks[0], ranks[1])[0, 1])
    assert (found.asked.value, found.covered.value) == (41, 40)
    assert found.trace.why("agreement").symbols() == "dot / sizes"
    first = found.trace.why("cosine[0]")  # down to the numbers of the words
    assert first.value == pytest.approx(cosines[0])
    assert {cell.step.name for _, one in first.walk(5) for cell in one.cells} >= {"cosine.dot", "one.size", "E"}


def test_too_few_pairs_are_told(vectors):
    with pytest.raises(ValueError, match="ours has 0 pairs whose words are both in word vectors; two are needed"):
        agreement(vectors, Ratings("ours", [("a", "b", 1.0)]))


def test_sets_of_ones_own(tmp_path):
    (tmp_path / "questions.txt").write_text(": capitals\nAthens Greece Oslo Norway\n\n: empty\n")
    assert published(tmp_path / "questions.txt").categories == {"capitals": [("Athens", "Greece", "Oslo", "Norway")]}
    (tmp_path / "pairs.tsv").write_text("# rated\ntiger\tbig cat\t7.35\n")
    assert published(tmp_path / "pairs.tsv").pairs == [("tiger", "big cat", 7.35)]
    (tmp_path / "pairs.txt").write_text("tiger cat 7.35\n")
    assert published(tmp_path / "pairs.txt").pairs == [("tiger", "cat", 7.35)]


@pytest.mark.parametrize(
    "text, said",
    [
        (": capitals\nAthens Greece Oslo\n", "line 2: an analogy expects four words, got 3"),
        ("tiger cat\n", "line 1: expects two words and a number, got 'tiger cat'"),
        ("tiger cat seven\n", "expects two words and a number"),
    ],
)
def test_broken_sets_are_told(tmp_path, text, said):
    (tmp_path / "set").write_text(text)
    with pytest.raises(Unreadable, match=said):
        published(tmp_path / "set")


def test_a_set_that_is_not_here_says_where_it_comes_from(tmp_path, monkeypatch):
    with pytest.raises(Unreadable, match="missing is not here: pip install gensim brings it, or name a file"):
        published(tmp_path / "missing")
    monkeypatch.setattr("regard.vectors.published.find_spec", lambda name: None)
    assert brought() == []
    with pytest.raises(Unreadable, match="Google's analogies is not here: pip install gensim"):
        published("google")


def test_the_published_sets_that_gensim_brings():
    pytest.importorskip("gensim", reason="needs gensim (SKIPPED.md)")
    assert brought() == list(BROUGHT)
    questions = published("google")
    assert len(questions.categories) == 14 and sum(map(len, questions.categories.values())) == 19544
    assert [len(published(name).pairs) for name in ("wordsim353", "simlex999")] == [353, 999]


def test_answers_and_agreement_are_those_of_gensim(tmp_path):
    keyed = pytest.importorskip("gensim.models.keyedvectors", reason="needs gensim (SKIPPED.md)")
    questions, pairs = published("google"), published("wordsim353")
    words = sorted(
        {w for asked in questions.categories["family"] for w in asked} | {w for a, b, _ in pairs.pairs for w in (a, b)}
    )
    # pairs of one family lie apart by the same step, and a little noise
    rng = np.random.default_rng(3)
    table = dict(zip(words, rng.normal(size=(len(words), 19)).astype(np.float32)))
    step = rng.normal(size=19) * 3
    for a, b, c, d in questions.categories["family"]:
        table[b] = (table[a] + step + rng.normal(size=19) * 0.9).astype(np.float32)
        table[d] = (table[c] + step + rng.normal(size=19) * 0.9).astype(np.float32)
    theirs = keyed.KeyedVectors(19)
    theirs.add_vectors(list(table), np.array(list(table.values())))
    ours = WordVectors(list(table), np.array(list(table.values())))
    (tmp_path / "family").write_text(": family\n" + "".join(f"{' '.join(q)}\n" for q in questions.categories["family"]))
    _, sections = theirs.evaluate_word_analogies(tmp_path / "family")
    found = answered(ours, published(tmp_path / "family")).data()["all"]
    assert found["answered"] == len(sections[0]["correct"]) and 50 < found["answered"] < 506
    (tmp_path / "pairs").write_text("".join(f"{a}\t{b}\t{rated}\n" for a, b, rated in pairs.pairs))
    _, spearman, _ = theirs.evaluate_word_pairs(tmp_path / "pairs", case_insensitive=False)
    assert agreement(ours, published(tmp_path / "pairs")).agreement.value == pytest.approx(spearman[0], abs=1e-6)
