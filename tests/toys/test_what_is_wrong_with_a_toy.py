"""A toy that cannot work is told by line and column; a hostile file is refused, soon, and with a sentence."""

import os
import re
import subprocess
import sys
import tomllib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.toys.places import Places
from regard.toys.problem import ToyProblem
from regard.toys.shipped import FOLDER
from regard.toys.toy import toy
from regard.toys.toy_file import MOST_BYTES, toy_file, toy_text

WORDS = "[words]\nthe = [0.1, 0.2]\ncat = [0.9, 0.3]\n"


@pytest.mark.parametrize(
    "text, place, says",
    [
        ("query = 'q'\n" + WORDS, "1:9", "query 'q' is not in words; there are the, cat"),
        ("query = 'cat'\nsentence = 'the the'\n" + WORDS, "1:9", "query 'cat' is not in the sentence; there are the"),
        ("sentence = '  '\n" + WORDS, "1:12", "sentence has no words; write some of the toy's words, or leave it out"),
        ("sentence = ''\n" + WORDS, "1:12", "sentence has no words"),
        ("lesson = 'nope'\n" + WORDS, "1:10", "lesson 'nope' does not exist; there are gauge"),
        ("lesson = 'foxx'\n" + WORDS, "1:10", "did you mean fox?"),
        (WORDS + "mask = 'both'\n", "4:8", "if mask is not meant as a word, move its line up, above [words]"),
        (WORDS + "W_Q = [[1, 0], [0, 1]]\n", "4:7", "if W_Q is not meant as a word, move its line up, above [words]"),
        (WORDS + "[scores]\ncat = [1, 2]\nhead_width = 4\n", "6:1", "move its line up, above [scores]"),
        ("dimensions = 0\n" + WORDS, "1:14", "dimensions expects a list of texts, got 0"),
        ("a = 1\nW_Q = [1, # ]]]\n ']]'," + "[" * 16 + "]" * 17 + "\n" + WORDS, "3:22", "nested too deeply"),
        ("W_Q = [\n" + "[" * 50_000 + "]" * 50_001 + "\n" + WORDS, "2:16", "nested too deeply"),
        ("#\n\n  " + "a." * 20 + "b = 1\n" + WORDS, "3:3", "a key of more than 16 parts"),
        ("[words]\nthe = [0.1, 0.2]\ncat = [0.9]\n", "3:7", "words.cat expects 2 numbers, as many as the, got 1"),
        ("[words]\nthe = [0.1, 'x']\n", "2:13", "words.the[1] expects a number, got the text 'x'"),
        ("[words]\nthe = [0.1, nan]\n", "2:13", "expects a finite number"),
        ("[words]\nthe = [0.1, -inf]\n", "2:13", "expects a finite number"),
        ("[words]\nthe = [0.1, 1e31]\n", "2:13", "at most 1e+30 in size"),
        ("[words]\nthe = [0.1, true]\n", "2:13", "expects a number, got true"),
        ("[words]\nthe = []\n", "2:7", "is empty"),
        ("[words]\nthe = [[0.1], [0.2]]\n", "2:7", "expects a list of numbers"),
        ('[words]\n"New York" = [0.1]\n', "2:1", "must be one word"),
        ('[words]\nthe = [1]\n"the " = [2]\n', "3:1", "has 'the' twice"),
        ("[words]\n", "1:1", "words is empty"),
        ("words = 3\n", "1:9", "words expects words and their vectors"),
        ("", None, "a toy needs words"),
        (WORDS + "[next]\nsat = [1.0]\n", "5:7", "next.sat expects 2 numbers, as many as the words, got 1"),
        ("W_Q = [[1, 0]]\n" + WORDS, "1:7", "W_Q expects 2 rows, one for each number of a word, got 1"),
        ("W_Q = [[1, 0], [0]]\n" + WORDS, "1:16", "W_Q[1] expects 2 numbers like the rows before it, got 1"),
        ("W_Q = [[1], [0]]\nW_K = [[1, 0], [0, 1]]\n" + WORDS, "2:7", "like W_Q, 1 × 2 × 1, got 1 × 2 × 2"),
        ("W_Q = [[1], [0]]\n" + WORDS, "1:1", "W_K is missing: it cannot be the identity"),
        ("  W_V = [[1], [0]]\n" + WORDS, "1:3", "W_Q is missing"),
        (
            "W_O = [[1, 0, 0]]\nW_Q = [[1, 0, 0], [0, 1, 0]]\nW_K = [[1, 0, 0], [0, 1, 0]]\n" + WORDS,
            "1:7",
            "W_O expects 3 rows",
        ),
        (
            "W_Q = [[1], [0]]\nW_K = [[1], [0]]\nW_V = [[1], [0]]\n" + WORDS,
            "1:1",
            "W_O is missing: 1 heads of 1 make 1 numbers",
        ),
        (
            "positions = 'rotary'\n[words]\nthe = [0.1, 0.2, 0.3]\n",
            "1:13",
            'even width, got 3; give W_Q, W_K and W_V an even number of columns, or write positions = "waves"',
        ),
        (
            "sentence = 'the cat'\npositions = { learned = [[1, 0]] }\n" + WORDS,
            "1:12",
            "sentence has 2 words; positions.learned has vectors for 1; give it one for each word",
        ),
        ("title = 3\n" + WORDS, "1:9", "title expects a text in quotes, got 3"),
        ("title = 0\n" + WORDS, "1:9", "title expects a text in quotes, got 0"),
        ("lesson = 3\n" + WORDS, "1:10", "lesson expects a text in quotes, got 3"),
        ("target = 'dog'\n" + WORDS, "1:10", "target 'dog' is not in next; there are the, cat"),
        ('words."" = [1]\n', "1:1", "words has a word without a letter, ''; write the word itself"),
        ("target = ' '\n" + WORDS, "1:10", "target has a word without a letter, ' '"),
        ("head_width = 4\n" + WORDS, "1:1", "and here are none; leave it out"),
        (
            "heads = 3\n" + WORDS,
            "1:1",
            "unknown key 'heads'; for two heads, give W_Q, W_K and W_V as lists of two matrices",
        ),
        (
            "zzz = 3\n" + WORDS,
            "1:1",
            "unknown key 'zzz'; there are words, next, W_Q, W_K, W_V, W_O, vectors, scores, weights",
        ),
        ("zzz = 3\n" + WORDS, "1:1", "query, dimensions, head_names, notes, lesson"),
        ("W_O = [[1, 0]]\n" + WORDS, "1:7", "W_O expects 2 rows"),
        ("W_Q = 'I'\n" + WORDS, "1:7", "W_Q expects a matrix"),
        ("wq = [[1, 0]]\n" + WORDS, "1:1", "unknown key 'wq'; did you mean W_Q?"),
        ("  scalin = 'root'\n" + WORDS, "1:3", "did you mean scaling?"),
        ("mask = 'casual'\n" + WORDS, "1:8", "mask expects one of causal, both, got 'casual'"),
        ("scaling = 3\n" + WORDS, "1:11", "scaling expects one of root, width, none"),
        ("residual = 1\n" + WORDS, "1:12", "residual expects true or false"),
        ("positions = 'sines'\n" + WORDS, "1:13", "positions expects one of none, waves, rotary"),
        ("positions = { learned = [[1]] }\n" + WORDS, "1:26", "expects vectors of 2 numbers"),
        ("positions.distance = 'far'\n" + WORDS, "1:22", "positions.distance expects a list of numbers"),
        ("dimensions = ['one']\n" + WORDS, "1:14", "dimensions expects 2 different names"),
        ("sentence = 'the dog'\n" + WORDS, "1:12", "sentence has 'dog', which is not in words"),
        ("sentence = 'the cat'\ntarget = 'dog'\n" + WORDS, "2:10", "target 'dog' is not in next"),
        ("sentence = 'the cat'\nquery = 'dog'\n" + WORDS, "2:9", "query 'dog' is not in words; there are the, cat"),
        (WORDS + "[scores]\nsat = [1, 2]\n", "5:1", "scores names 'sat', which is not in words"),
        ("scaling = 'root'\n" + WORDS + "[scores]\ncat = [1, 0]\n", "1:1", "add head_width = 4, or leave scaling out"),
        ("residual = true\nscaling = 'width'\n" + WORDS + "[scores]\ncat = [1, 0]\n", "2:1", "add head_width = 4"),
        (WORDS + "[scores]\ncat = { teh = 1 }\n", "5:9", "did you mean the?"),
        (WORDS + "[scores]\ncat = [1]\n", "5:7", "scores.cat expects 2 numbers, one for each word, got 1"),
        (WORDS + "[weights]\ncat = [0.5, 0.6]\n", "5:7", "weights.cat expects shares that are 1 in all, got 1.1"),
        (
            WORDS + "[weights]\ncat = [1.1, -0.1]\n",
            "5:13",
            "weights.cat expects shares, none below 0, got -0.1 for cat",
        ),
        (WORDS + "[weights]\ncat = { cat = 1.1, the = -0.1 }\n", "5:26", "none below 0, got -0.1 for the"),
        (WORDS + "cat = [0.9, 0.3]\n", "4:1", "words.cat is given twice, first in line 3; leave one of them out"),
        ("mask = 'both'\n mask = 'both'", "2:2", "mask is given twice, first in line 1"),
        ("words.a = [\n1,\n2]\nwords.a = { b = [\n1] }", "4:1", "words.a is given twice, first in line 1"),
        ("words.a = [1]\nwords.a.b = 2\n", "2:1", "words.a.b cannot be given beside words.a, in line 1"),
        (WORDS + "[weights]\ncat = [1, 0]\n[scores]\ncat = [1, 0]\n", "4:1", "got both"),
        ("W_Q = [[1, 0], [0, 1]]\n" + WORDS + "[scores]\ncat = [1, 0]\n", "1:1", "begins at scores has no W_Q"),
        (
            "sentence = 'the cat'\n" + WORDS + "[scores]\nthe = [1, 1]\n",
            "5:1",
            "'cat' predicts here, but scores has no row for it; give it one, or let 'the' predict (query)",
        ),
        (
            "sentence = 'cat the'\nquery = 'cat'\n" + WORDS + "[scores]\ncat = { the = 1 }\n",
            "7:7",
            "the row of 'cat' is hidden as a whole: mask = 'causal'",
        ),
        (
            "sentence = 'cat the'\nquery = 'cat'\n" + WORDS + "[weights]\ncat = [0.5, 0.5]\n",
            "7:7",
            "'cat' gives a weight to 'the', which mask = 'causal' hides",
        ),
        ("[words]\nthe = [0.1\n", "3:1", "this is not TOML"),
        ("[words]\nthe 0.1\n", "2:5", "this is not TOML: expected '=' after a key"),
        ("random = { sed = 1 }\nwords = ['a']\n", "1:12", "did you mean seed?"),
        ("random = { width = 1.5 }\nwords = ['a']\n", "1:20", "random.width expects a whole number"),
        ("words = ['a', 'a']\nrandom = {}\n", "1:9", "each of them once"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text, place, says):
    with pytest.raises(ToyProblem) as problem:
        toy_text(text, "mine.toml")
    told = str(problem.value)
    assert says in told
    assert told.startswith(f"mine.toml:{place}: " if place else "mine.toml: "), told


@pytest.mark.parametrize("name", [path.name for path in FOLDER.glob("*.toml")])
def test_every_value_of_the_files_is_found_where_it_stands(name):
    """By definition: what stands at the place of a value reads as that value."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    places = Places(text)
    count = 0
    for path, value in leaves(tomllib.loads(text)):
        line, column = places.find(path)
        rest = text.splitlines()[line - 1][column - 1 :]
        if isinstance(value, float | int) and not isinstance(value, bool):
            assert float(re.match(r"[-+.\de]+", rest)[0]) == value, (path, rest)
        elif isinstance(value, str):
            assert rest[0] in "\"'" and rest[1:].startswith(value[:10])
        count += 1
    assert count > 3


def leaves(value, path=()):
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from leaves(part, (*path, key))
    if not isinstance(value, dict | list):
        yield path, value


def test_places_in_every_notation_of_toml():
    text = '''a.b = 1 # c = 2
"q[]=" = """x
 = 3""" # one
'l' = [ 1, # two
  { deep = [2, 'a]'] }, ]
[t."u.v"]
w = 2020-01-01T00:00:00Z
[[many]]
n = 1
[[many]]
  n = 0x1F
'''
    places = Places(text)
    data = tomllib.loads(text)
    assert data["many"][1]["n"] == 31
    found = {path: places.find(path) for path, _ in leaves(data)}
    assert found == {
        ("a", "b"): (1, 7),
        ("q[]=",): (2, 10),
        ("l", 0): (4, 9),
        ("l", 1, "deep", 0): (5, 13),
        ("l", 1, "deep", 1): (5, 16),
        ("t", "u.v", "w"): (7, 5),
        ("many", 0, "n"): (9, 5),
        ("many", 1, "n"): (11, 7),
    }
    assert places.find(("many", 1, "n"), of_key=True) == (11, 3) and places.find(("nowhere",)) is None


values = st.recursive(
    st.one_of(st.integers(-99, 99), st.floats(-9, 9), st.booleans(), st.text("ab'\"\\ ]}#=\n", max_size=4)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text("ab .", max_size=2), inner, max_size=3)
    ),
    max_leaves=8,
)


def dumped(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{dumped(k)} = {dumped(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", # comment ] }\n".join(map(dumped, value)) + "]"
    if isinstance(value, str):
        return '"' + "".join(f"\\u{ord(c):04x}" if c in '"\\\n' else c for c in value) + '"'
    return str(value).lower()


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.text("xy.", min_size=1, max_size=2), values, min_size=1, max_size=4))
def test_any_toml_is_followed_to_its_end(data):
    # inline tables stand on one line in TOML 1.0, so lists inside them may not be broken
    text = "\n".join(f"{dumped(k)} = {dumped(v)}" for k, v in data.items())
    try:
        read = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    places = Places(text)
    assert places.at == len(text)
    assert all(path in places.values for path, _ in leaves(read))


@pytest.mark.parametrize(
    "text, says",
    [
        ("W_Q = " + "[" * 50_000 + "]" * 50_000 + "\n" + WORDS, "nested too deeply"),
        ("W_Q = " + "{a=" * 50_000 + "1" + "}" * 50_000 + "\n" + WORDS, "nested too deeply"),
        ("a." * 20_000 + "b = 1\n" + WORDS, "more than 16 parts"),
        ("[" + "'a' . " * 20_000 + "b]\n" + WORDS, "more than 16 parts"),
        ('"a b".' * 20_000 + "b = 1\n" + WORDS, "more than 16 parts"),
        ("a" * 500_000 + "\n" + WORDS, "not TOML"),
        ('"' * 500_000 + "\n" + WORDS, "not TOML"),
        ("".join(f"[a{i}]\n" for i in range(60_000)), "unknown key"),
        ("".join(f"a{i} = 1\n" for i in range(60_000)), "unknown key"),
        ("[words]\nthe = [" + "0," * 150_000 + "]", "150,000 numbers"),
        ("[words]\nthe = [" + "9" * 5000 + "]", "mine.toml:2:8: a whole number of more than 4000 digits"),
        ("[words]\n" + "".join(f"w{i} = [1]\n" for i in range(1001)), "1,001 words"),
        ("[words]\nthe = [" + "0," * 300 + "]", "at most 256"),
        ("W_Q = [" + "[[1, 0], [0, 1]]," * 40 + "]\n" + WORDS, "40 heads"),
        ("random = { width = 100000 }\nwords = ['a']", "random.width expects a whole number up to 256"),
        ("x" * 100_000 + " = 1\n" + WORDS, "unknown key"),
        ("mask = '" + "x" * 100_000 + "'\n" + WORDS, "mask expects"),
        ("\ufeff\0", "not TOML"),
    ],
)
def test_a_hostile_file_is_refused_in_a_sentence(text, says):
    with pytest.raises(ToyProblem, match=says) as problem:
        toy_text(text, "mine.toml")
    assert len(str(problem.value)) < 500


def test_a_huge_file_is_not_read(tmp_path):
    (tmp_path / "huge.toml").write_bytes(b"#" * (MOST_BYTES + 1))
    with pytest.raises(ToyProblem, match="more than 1,000,000 bytes"):
        toy_file(tmp_path / "huge.toml")
    (tmp_path / "latin.toml").write_bytes(b"# caf\xe9")
    with pytest.raises(ToyProblem, match=r"latin.toml:1:6: this is not UTF-8: byte 0xe9; save it as UTF-8"):
        toy_file(tmp_path / "latin.toml")
    (tmp_path / "latin.toml").write_bytes("\ufeffä = 1\n# ü".encode() + b"\xe9")
    with pytest.raises(ToyProblem, match=r"latin.toml:2:4: this is not UTF-8"):
        toy_file(tmp_path / "latin.toml")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize(
    "asked", [["explain", "a", "--model"], ["why", "scores", "--model"], ["near", "a", "--model"], ["open"]]
)
def test_a_pipe_is_not_waited_for(tmp_path, asked):
    os.mkfifo(tmp_path / "pipe.toml")
    command = [sys.executable, "-m", "regard", *asked, str(tmp_path / "pipe.toml")]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 2 and "pipe.toml is not a plain file" in ran.stderr, ran.stderr


def test_a_toy_may_be_reached_by_a_link(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there/mine.toml").write_text(WORDS, encoding="utf-8")
    (tmp_path / "linked.toml").symlink_to(tmp_path / "there/mine.toml")
    assert toy_file(tmp_path / "linked.toml").sentence == "the cat"


def test_a_text_that_a_toy_cannot_read_is_told_with_the_place_in_its_file(tmp_path):
    (tmp_path / "mine.toml").write_text(WORDS + "[weights]\nthe = [1, 0]\ncat = [0.5, 0.5]\n", encoding="utf-8")
    found = toy_file(tmp_path / "mine.toml")
    assert found.run("the cat").predicted
    told = "mine.toml:6:7: 'cat' gives a weight to 'the', which mask = 'causal' hides"
    with pytest.raises(ToyProblem, match=re.escape(told)):
        found.run("cat the", query="cat")
    (tmp_path / "mine.toml").write_text(WORDS + "[weights]\ncat = [0.5, 0.5]\n", encoding="utf-8")
    told = "mine.toml:4:1: 'the' predicts here, but weights has no row for it; give it one, or let 'cat' predict"
    with pytest.raises(ToyProblem, match=re.escape(told)):
        toy_file(tmp_path / "mine.toml").run("cat the")


def test_a_toy_reads_as_many_words_as_it_has_positions_for():
    mine = toy(words={"the": [1, 2], "cat": [1, 1]}, positions={"learned": [[0.0, 1.0]]})
    assert mine.sentence == "the", "as many of its first words as it can read"
    with pytest.raises(ValueError, match="reads at most 1 token, got 2; pass a shorter text"):
        mine.run("the cat")


def test_a_row_without_a_number_for_this_text_is_told_as_it_is(tmp_path):
    (tmp_path / "mine.toml").write_text(WORDS + "[scores]\ncat = { the = 1.0 }\n", encoding="utf-8")
    told = "mine.toml:5:7: 'cat' predicts here, but its row of scores has no number for any word of this text; give it"
    with pytest.raises(ToyProblem, match=re.escape(told)):
        toy_file(tmp_path / "mine.toml").run("cat cat")


def test_a_query_in_another_case_is_found():
    assert toy(words={"the": [1, 2], "Cat": [1, 3]}, query="cat").query == "cat"


@pytest.mark.parametrize("name", ["mask", "scaling", "dimensions", "head_names", "positions", "lesson", "sentence"])
def test_an_array_where_a_text_is_expected(name):
    for more in ({}, {"scores": np.ones((2, 2))}):
        with pytest.raises(ToyProblem, match=name if not more else f"{name}|positions"):
            toy(words={"the": [1, 2], "cat": [1, 3]}, **{name: np.ones((2, 2))}, **more)


@pytest.mark.parametrize(
    "given",
    [
        {"words": {"\ud800": [1, 2]}},
        {"words": {"the": [1, 2]}, "title": "a\ud800"},
        {"words": {"the": [1, 2]}, "sentence": "the\udfff"},
        {"words": {"the": [1, 2]}, "query": "\udfff"},
    ],
)
def test_half_a_character_is_no_word(given):
    with pytest.raises(ToyProblem, match=r"expects whole characters, got half of one, '\\ud") as problem:
        toy(**given)
    str(problem.value).encode()


@pytest.mark.parametrize("secret", [b"secret:x:0:0:root\n", b"2 2\na 1 2\nb 3 secret\n", b"a 1\nb secret\n"])
def test_what_stands_in_a_file_that_a_toy_names_is_not_told(tmp_path, secret):
    (tmp_path / "words.txt").write_bytes(secret)
    (tmp_path / "mine.toml").write_text("vectors = 'words.txt'\nwords = ['a']\n", encoding="utf-8")
    with pytest.raises(ToyProblem, match=r"mine.toml:1:11: vectors: .*words.txt cannot be read") as problem:
        toy_file(tmp_path / "mine.toml")
    assert "secret" not in str(problem.value)


def test_the_same_sentences_in_python():
    with pytest.raises(ValueError, match=r"words.cat expects 2 numbers, as many as the, got 1"):
        toy(words={"the": [1, 2], "cat": [1]})
    with pytest.raises(ValueError, match=r"W_Q\[1\]\[0\] expects a finite number"):
        toy(words={"the": [1, 2]}, W_Q=np.array([[1.0, 0.0], [np.nan, 1.0]]))
    with pytest.raises(ValueError, match="scores expects 2 × 2 numbers"):
        toy(words={"the": [1, 2], "cat": [1, 2]}, scores=np.zeros((3, 3)))
    with pytest.raises(ValueError, match="has none for 'dog'"):
        toy(words={"the": [1, 2]}, scores=[[1.0]]).run("the dog")
