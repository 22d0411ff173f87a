"""Write docs/glossary.md: the vocabulary and the reading list, from the data in the package.

python scripts/glossary_page.py
"""

from pathlib import Path

from regard.lessons.glossary import Text, Word, glossary, reading

PAGE = Path(__file__).parents[1] / "docs" / "glossary.md"
INTRODUCTION = """\
# Glossary

Every word that regard uses, in the order in which a run meets it: what it is, what others call it, and where it lives.
`regard glossary WORD` prints one, and finds it by other people's names too (`regard glossary d_k`). This page is made
by `scripts/glossary_page.py`.
"""


def page() -> str:
    words = ["| word | what it is | others say | where it lives |", "|---|---|---|---|", *map(row, glossary())]
    texts = ["## What to read", "", *map(item, reading())]
    return "\n".join([INTRODUCTION, *words, "", *texts, ""])


def row(word: Word) -> str:
    cells = (f"**{word.name}**", word.says, ", ".join(word.others), word.where)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def item(text: Text) -> str:
    lessons = ", ".join(f"`regard lesson {name}`" for name in text.lessons)
    return f"- *{text.name}*, {text.by}, {text.year}. {text.about} ({lessons})"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(Path.cwd()) if PAGE.is_relative_to(Path.cwd()) else PAGE}")
