"""What the page computes by itself, against Python: templates of every model, its steps, its gradients, its tokens."""

import json
import os
import subprocess
import unicodedata
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from regard.models.catalogue import find_model
from regard.models.names import MODELS, TOYS
from regard.models.shipped import shipped
from regard.models.template import packed
from regard.session.answering import QUESTIONS
from regard.session.hosting import hosted
from regard.session.shelf import Shelf
from regard.session.traces import Traces
from regard.text.words import words_of
from regard.trace import Trace

WEB = Path(__file__).parents[2] / "web"
STRINGS = 10_000
# (model, what is asked): a text of its own words, of others, asked elsewhere, read from both sides
ASKED: dict[str, list[dict[str, str]]] = {
    **{name: [{}] for name in TOYS},
    "fox": [{}, {"text": "fox the naïve zebra fox", "next": "runs"}, {"text": "quick fox", "mask": "both", "query": "quick"}],
    "cat": [{}, {"text": "cat the cat sat"}, {"text": "The cat sat."}],
    "two-heads": [{}, {"text": "The cat sat. A dog sat. on a lake..."}],
    "apple": [{}, {"text": "Apple unveiled a new phone."}],
    "english": [{"text": "The naïve café… 3 owls", "next": "were"}],
    "masked": [{"text": "The cat sat on the mat", "next": "cat", "query": "cat"}],
}  # fmt: skip


def written(folder: Path, name: str, number: int, asked: dict[str, str]) -> None:
    """One run: what is asked, what the trace says of itself, and the numbers of every step, gradients included."""
    model = find_model(name)
    state = {
        "model": name,
        "text": model.sentence,
        **({"next": model.next} if model.next else {}),
        "changes": [],
    } | asked
    trace = model.run(state["text"], state.get("next"), state.get("mask"), state.get("query"))
    trace = trace.backward() if "loss" in trace.steps else trace
    case = {
        "state": state,
        "info": dict(trace.info),
        "labels": {letter: list(words) for letter, words in trace.labels.words.items()},
        "steps": [[s.name, s.op.kind, s.axes, [i.name for i in s.inputs]] for s in trace.steps.values()],
    }
    (folder / f"{name}-{number}.case.json").write_text(json.dumps(case), encoding="utf-8")
    (folder / f"{name}-{number}.values").write_bytes(packed(values_of(trace)))


def values_of(trace: Trace) -> dict[str, np.ndarray]:
    """Of a large array single precision is enough to be compared with."""
    parameters = set(trace.parameters)
    return {
        name: step.value.astype(np.float32 if step.value.size > 100_000 else np.float64)
        for name, step in trace.steps.items()
        if name not in parameters
    }


SCRIPTS = (
    *((0x20, 0x7E),) * 6, (0xA1, 0x24F), (0x370, 0x3FF), (0x400, 0x4FF), (0x590, 0x6FF), (0x900, 0x97F), (0xE00, 0xE7F),
    (0x1100, 0x11FF), (0x1E00, 0x1FFF), (0x2000, 0x206F), (0x20A0, 0x21FF), (0x2600, 0x27BF), (0x3000, 0x30FF),
    (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xDC00, 0xDFFF), (0xFE00, 0xFE0F), (0xFEFF, 0xFFEF), (0x1F300, 0x1F6FF),
    (0x1F3FB, 0x1F3FF), (0x0, 0x1F), (0x80, 0xA0), (0x300, 0x36F), (0x20000, 0x2A6DF), (0x10300, 0x1034F),
)  # fmt: skip
PIECES = (" ", "  ", "\n", "\t", "\r\n", "\u00a0", "\u3000", "'s", "'LL", "don't", "'ve", "<|endoftext|>", "[MASK]", " [MASK]",
          "[MASK", "the", " The", "fox", "ing", "123", "٣٤", "½", "_", "…", "—", "naïve", "e\u0301", "👩🏽‍🚀", "\u200d", "\ufe0f")  # fmt: skip


def strings() -> list[str]:
    """Texts of many scripts, of spaces of all kinds, of special pieces and broken characters."""
    generator = np.random.default_rng(11)
    found: list[str] = []
    while len(found) < STRINGS:
        parts: list[str] = []
        for _ in range(int(generator.integers(1, 9))):
            if generator.random() < 0.4:
                parts.append(PIECES[generator.integers(len(PIECES))])
                continue
            first, last = SCRIPTS[generator.integers(len(SCRIPTS))]
            parts.append("".join(map(chr, generator.integers(first, last + 1, int(generator.integers(1, 7))))))
        # a character that Python does not know may be known to the browser: they follow different years of Unicode
        text = "".join(sign for sign in "".join(parts) if unicodedata.category(sign) != "Cn")
        found += [text] if text.strip() else []
    return found


@pytest.fixture(scope="module")
def fixtures(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("engine")
    (folder / "models").mkdir()
    for path, content in hosted(Shelf()):
        if path.startswith("models/"):
            (folder / path).write_bytes(content)
    for name in MODELS:
        for number, asked in enumerate(ASKED[name]):
            written(folder, name, number, asked)
    (folder / "answers.json").write_text(json.dumps(answers()), encoding="utf-8")
    texts = strings()
    bpe = {name: shipped(name)[0] for name in ("english", "masked")}
    ids = {name: [tokenizer.encode(text) for text in texts] for name, tokenizer in bpe.items()}
    told = {
        "texts": texts,
        "ids": ids,
        "decoded": {name: [bpe[name].decode(one) for one in ids[name]] for name in bpe},
        "words": [_words(text) for text in texts],
    }
    (folder / "texts.json").write_text(json.dumps(told), encoding="utf-8")
    return folder


ENGLISH = {"model": "english", "text": "Once upon a time there was a little", "next": "girl", "changes": []}
MASKED = {"model": "masked", "text": "The cat [MASK] on the mat", "changes": []}
DRAGGED = {**ENGLISH, "changes": [{"kind": "move", "cell": "layer3.weights[2,little,Once]", "value": 0.1}]}
LEARNED = {**ENGLISH, "changes": [{"kind": "update", "rate": 0.001, "times": 1}]}
QUESTIONS_ASKED: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("explain", ENGLISH, {"learning": True}),
    ("explain", DRAGGED, {"learning": False}),
    ("explain", LEARNED, {"learning": False}),
    ("explain", {**ENGLISH, "next": None, "scaling": "width", "mask": "both"}, {"learning": False}),
    ("explain", MASKED, {"learning": False}),
    ("values", ENGLISH, {"step": "layer2.masked", "at": [1, None, None]}),
    ("values", DRAGGED, {"step": "layer5.hidden.grad", "at": [7, None]}),
    ("values", LEARNED, {"step": "layer0.W_Q.next", "at": [0, 3, None]}),
    ("why", ENGLISH, {"cell": "layer5.weights[3,little,Once]"}),
    ("why", ENGLISH, {"cell": "layer1.hidden[2,5]"}),
    ("why", DRAGGED, {"cell": "layer3.weights[2,little,there]"}),
    ("why", ENGLISH, {"cell": "layer4.W_up.grad[3,5]"}),
    ("why", ENGLISH, {"cell": "flow.words[time]"}),
    ("tile", ENGLISH, {"layer": 1, "head": 2, "rows": [1, 7], "keys": None, "height": 4, "width": 5}),
    ("lens", ENGLISH, {"kind": "logit_lens", "top": 3, "positions": "all"}),
    ("lens", MASKED, {"kind": "logit_lens"}),
    ("lens", ENGLISH, {"kind": "contributions"}),
    ("lens", {**ENGLISH, "compared": ["girl", "cat"]}, {"kind": "flow"}),
    ("lens", ENGLISH, {"kind": "heads"}),
    (
        "lens",
        {"model": "masked", "text": "The man sat by the river bank", "as_written": True, "changes": []},
        {"kind": "gravity", "word": "bank", "texts": ["The man put money in the bank"], "toward": ["water", "gold"]},
    ),
    ("lens", DRAGGED, {"kind": "overview"}),
    ("generate", {**ENGLISH, "next": None}, {"count": 4}),
]  # fmt: skip


def answers() -> list[dict[str, Any]]:
    """What the session answers to the questions that a page asks."""
    traces = Traces(Shelf())
    found: list[dict[str, Any]] = []
    for path, state, asked in QUESTIONS_ASKED:
        kind, answer = QUESTIONS[path]
        more = {name: value for name, value in asked.items() if name != "learning"}
        told = json.loads(answer(lambda: None, traces, kind(**state, **more)))
        found.append({"path": path, "body": {**state, **asked}, "answer": told})
    return found


def _words(text: str) -> list[str] | None:
    try:
        return words_of(text)
    except ValueError:
        return None


def test_a_template_is_the_run_that_python_records(fixtures, node):
    environment = {**os.environ, "REGARD_ENGINE": str(fixtures), "CI": "1"}
    command = [node, "node_modules/vitest/vitest.mjs", "run", "--reporter=dot", "tests/engine.test.ts"]
    done = subprocess.run(command, cwd=WEB, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{done.stdout[-6000:]}\n{done.stderr[-3000:]}"
    assert "skipped" not in done.stdout
