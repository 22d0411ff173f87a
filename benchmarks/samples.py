"""How well the default preset learns a text of 3 MB: held-out bits per character, and whether it writes words.

    python benchmarks/samples.py TEXT                   # the first 3 MB of a text (.txt, .md or .xz)
    python benchmarks/samples.py TEXT --set updates=200

It trains as `regard train TEXT` does, then writes on from many places of the held-out text as the printed samples do,
and counts which of the words that it wrote occur in the text. The last word of a sample may be cut off, so it is not
counted; nor are the words that the sample began with. Times are processor time: other work does not count.
"""

import argparse
import re
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from regard.text.tokenizer import END
from regard.training.corpus import text_of
from regard.training.request import Request
from regard.training.run import TrainingRun
from regard.training.underway import underway

CHARACTERS = 3_000_000
SAMPLES = 40
WORDS_BEFORE = 6  # that a sample begins with, as in `regard train`
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
GOAL = 0.95


def words(text: str) -> list[str]:
    """
    >>> words("The fox's 3 cubs — don't")
    ['the', "fox's", 'cubs', "don't"]
    """
    return WORD.findall(text.lower())


def beginnings(run: TrainingRun, count: int) -> Iterable[str]:
    """A few words from evenly many places of the held-out text."""
    held_out = run.bpe.decode(run.tokens.held_out.ids).replace(END, "\n").split()
    for i in range(count):
        start = i * (len(held_out) - WORDS_BEFORE) // count
        yield " ".join(held_out[start : start + WORDS_BEFORE])


def written(run: TrainingRun, beginning: str) -> list[str]:
    """The words that the model adds to a beginning."""
    sample = run.task.shown(run.trainer.network, run.bpe, beginning, run.tokens, run.classes)
    return words(sample[len(beginning) :])[:-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", type=Path)
    parser.add_argument("--set", action="append", default=[], help="change a setting of the preset")
    parser.add_argument("--preset", help="the default one, unless another is named")
    parser.add_argument("--characters", type=int, default=CHARACTERS)
    asked = parser.parse_args()
    text = text_of(asked.text)[: asked.characters]
    known = set(words(text))
    with tempfile.TemporaryDirectory() as folder:
        (file := Path(folder) / "text.txt").write_text(text, encoding="utf-8")
        began = time.process_time()
        with underway(Request((file,), Path(folder) / "run", asked.preset, tuple(asked.set))) as training:
            run = training.run
            print(f"{len(text):,} characters, {len(known):,} different words; vocabulary {run.bpe.size:,}, "
                  f"{run.plan.training.updates:,} updates")  # fmt: skip
            for report in training.reports():
                if report.validation:
                    bits = run.bits_per_character(report.validation["text"])
                    print(f"update {report.update:>5}: {bits:.3f} held-out bits per character, "
                          f"{time.process_time() - began:,.0f} s of processor time", flush=True)  # fmt: skip
            found = [word for beginning in beginnings(run, SAMPLES) for word in written(run, beginning)]
            print(run.sample())
    share = sum(word in known for word in found) / max(1, len(found))
    others = sorted({word for word in found if word not in known})
    print(f"{share:.1%} of {len(found):,} words in {SAMPLES} samples occur in the text (goal {GOAL:.0%}); "
          f"not: {', '.join(others[:12])}")  # fmt: skip


if __name__ == "__main__":
    main()
