"""The five documents by their titles, and every section or question of them: where it stands and what answers it.

Five short texts that explain attention with worked examples. They are cited by title and line; "000" to "004" are only
how the code tells them apart. Lessons and cards that answer a section are found by their lines, so they are not listed
here; commands are, and what has to wait.
"""

from bisect import bisect_right
from dataclasses import dataclass


@dataclass(frozen=True)
class Section:
    """A heading or a question. `commands` answer it besides the lessons, `waits` says what is still missing."""

    line: int
    title: str
    commands: tuple[str, ...] = ()
    waits: str = ""


@dataclass(frozen=True)
class Document:
    """A text by its title, with its sections in order."""

    number: str
    title: str
    sections: tuple[Section, ...]

    def section_at(self, line: int) -> Section:
        """The section that a line belongs to.

        >>> DOCUMENTS["002"].section_at(60).title
        'Q2: Why separate Keys and Values?'
        """
        place = bisect_right([section.line for section in self.sections], line)
        if place == 0:
            raise ValueError(f"{self.title} begins at line {self.sections[0].line}; there is nothing at line {line}")
        return self.sections[place - 1]

    def lines_of(self, section: Section) -> range:
        """The lines of a section: up to the next one. The last has no end."""
        following = [other.line for other in self.sections if other.line > section.line]
        return range(section.line, min(following, default=10**6))


FOX = 'regard explain "The quick brown fox" --next jumps'
IT = """regard heads "The animal didn't cross the street because it was tired" --from it --to animal"""
TEN_WORDS = '"The cat that I saw yesterday sat on the mat"'
APPLE = '"I bought an apple and an orange"'
PHONE = '"Apple unveiled a new phone"'
BOTH = f"regard gravity {APPLE} {PHONE} --word apple --with orange --with phone --model fruit-or-company"

DOCUMENTS = {
    document.number: document
    for document in (
        Document(
            "000",
            "No-Magic Explanation of Attention Score Calculation",
            (
                Section(1, "Labels like Query and Key", ("regard glossary query", "regard glossary key")),
                Section(9, "Learnable Vector Projections", ('regard why "q[fox,0]"',)),
                Section(29, "The Actual Score Calculation", ('regard why "scores[fox,fox]"',)),
                Section(73, "Why Does This Work?"),
                Section(86, "The Bigger Picture", ("regard lesson",)),
                Section(90, "Final Step: From Context Vector to Word Prediction", (FOX,)),
                Section(122, "Rethinking Q/K/V – Relational vs Intrinsic Properties", (FOX,)),
            ),
        ),
        Document(
            "001",
            "How Attention Scores Are Computed",
            (
                Section(5, "Goal", (FOX,)),
                Section(11, "The Core Idea: Compare Query with Keys", ('regard why "scores[fox,fox]"',)),
                Section(28, "Step-by-Step Breakdown"),
                Section(58, "Scaling the Scores"),
                Section(72, "Softmax to Turn Scores into Weights", ('regard why "weights[fox,fox]" --depth 3',)),
                Section(85, "Example (Simplified)", ('regard explain "the cat sat" --model cat',)),
                Section(97, "One-Liner Summary", (FOX,)),
            ),
        ),
        Document(
            "002",
            "Attention Mechanism: Deep Dive Q&A",
            (
                Section(
                    7, "Q1: What exactly is a Query in Q, K, V?", (IT, f"{IT} --model masked", "regard glossary query")
                ),
                Section(
                    46, "Q2: Why separate Keys and Values?", ("regard train notes.txt --set roles=keys-are-values",)
                ),
                Section(
                    65,
                    "Q3: The attention weights form a 2D matrix, right? How do I read it?",
                    (f"regard explain {TEN_WORDS} --model matrix",),
                ),
                Section(
                    105, "Q4: Why do we need multi-head attention?", (f"regard explain {TEN_WORDS} --model four-heads",)
                ),
                Section(146, "Q5: Why does concatenating heads work?", ("regard train notes.txt --set joining=added",)),
                Section(191, "Q6: The shape after concatenation—why (seq_len, 512)?"),
                Section(
                    226, "Q7: How can learned weights work on new sequences they've never seen?", ("regard near sat",)
                ),
                Section(287, 'Q8: How should I think of a weight matrix as a "function"?', ('regard why "q[fox,0]"',)),
                Section(
                    364,
                    "Q9: Where can I learn more about word embeddings?",
                    (
                        "regard vectors analogy english man king woman",
                        "regard vectors map english --words king,queen,man,woman",
                        "regard near cat",
                        "regard glossary --reading",
                    ),
                ),
            ),
        ),
        Document(
            "003",
            "The Math Behind Attention",
            (
                Section(3, "The “Apple” Paradox", ("regard lesson apple",)),
                Section(
                    15,
                    "The Problem: Static Embeddings",
                    (f"regard explain {APPLE} --model apple", f"regard explain {PHONE} --model apple --query Apple"),
                ),
                Section(26, "Attention is Contextual Gravity", (BOTH,)),
                Section(33, "Measuring the Pull: The Dot Product"),
                Section(
                    54,
                    "The Search Party: Queries (Q) and Keys (K)",
                    (f"regard explain {PHONE} --model apple --query Apple", "regard glossary query"),
                ),
                Section(63, "Calculating the Attention Score"),
                Section(71, "Softmax: From Scores to Probabilities"),
                Section(
                    80,
                    "The Critical Distinction: Matching vs. Content",
                    ("regard lesson cabinet", "regard figure --model apple --what planes"),
                ),
                Section(93, "Values (V): The Information Carrier"),
                Section(99, "Summary: The Full Attention Loop", (f"regard explain {APPLE} --model apple",)),
            ),
        ),
        Document(
            "004",
            "Attention Mechanism – Toy Example (Fox Sentence)",
            (
                Section(1, "The sentence", (FOX,)),
                Section(9, "What is Attention?", (FOX,)),
                Section(
                    37, "1. Simplified Attention Weights (Toy Example)", ('regard why "weights[fox,fox]" --depth 9',)
                ),
                Section(50, "2. Weighted Sum (Context Vector)", ('regard why "context[fox,0]"',)),
                Section(89, "3. What Does the Context Vector Mean?"),
                Section(96, "4. How It Maps to Word Prediction", (FOX,)),
                Section(
                    174,
                    "4. The second example: three words, and pizza",
                    ('regard explain "The quick brown" --next fox --model three-words',),
                ),
                Section(
                    230,
                    "4. The vocab projection layer, once more",
                    ('regard explain "The quick brown fox" --model fox-with-pizza', f"{FOX} --model fox-with-eats"),
                ),
                Section(276, "5. Role of Query (Q), Key (K), Value (V)", (FOX,)),
                Section(296, "6. What Are Wq, Wk, Wv?", ('regard why "W_Q.grad[0,0]"',)),
                Section(309, "7. How Do Wq, Wk, Wv Converge?", ('regard why "blame.W_Q"',)),
                Section(318, "8. What Does Weighted Sum Indicate?", ('regard why "without.change[fox]"',)),
                Section(325, "9. Forward Pass Overview", (FOX,)),
                Section(335, "10. Backward Pass Overview", (FOX,)),
                Section(
                    347,
                    "Multi-head attention, classification, BERT-style models",
                    (
                        'regard explain "The cat [MASK] on the mat" --model masked',
                        "regard train reviews.csv --task classify",
                    ),
                ),
            ),
        ),
    )
}


def cited(number: str, line: int) -> str:
    """A place as a reader is told it.

    >>> cited("001", 63)
    'How Attention Scores Are Computed, line 63'
    """
    return f"{DOCUMENTS[number].title}, line {line}"
