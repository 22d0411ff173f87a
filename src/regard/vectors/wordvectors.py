"""A table of words and their vectors, to be read: looked up, compared, added, drawn, saved. Nothing changes it."""

import os
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from regard.ops import Given
from regard.ops.narrow import Narrow, Numbers
from regard.trace import Cell, Labels, Step, Trace
from regard.vectors.expression import Term, parse, written
from regard.vectors.neighbours import Neighbours
from regard.vectors.scanning import Doubles, Singles, lengths, nearest
from regard.vectors.steps import cosine_steps, sum_name, vector_steps
from regard.vectors.words import Listed, Words

if TYPE_CHECKING:
    from regard.vectors.map2d import Map2D

Asked = str | npt.ArrayLike  # a word, a sum of words, or a vector
SPARE = 8  # neighbours looked at beyond those asked for: near ones are put in order in double precision


class WordVectors:
    """Words, each with a vector of the same width; `counts` says how often each was seen, where that is known.

    The table may be an array or a memory map; it is not copied, and no method loads all of a mapped one.

    >>> royal = WordVectors(["king", "queen", "man", "woman"], [[2, 0], [2, 2], [1, 0], [1, 1]])
    >>> len(royal), royal.width, "queen" in royal, royal["queen"].tolist()
    (4, 2, True, [2.0, 2.0])
    >>> print(royal.near("queen", 2))
    woman 1.000
    king 0.707
    >>> royal.analogy("man", "king", "woman").words[0], round(royal.similarity("king", "queen"), 3)
    ('queen', 0.707)
    """

    def __init__(
        self,
        words: Sequence[str] | Words,
        vectors: npt.ArrayLike | Narrow,
        counts: npt.ArrayLike | None = None,
        *,
        sizes: Singles | None = None,
        name: str = "vectors",
        title: str = "word vectors",
        notes: Iterable[str] = (),
    ):
        self.vectors: Numbers = vectors if isinstance(vectors, Narrow) else _table(vectors)
        if len(words) != len(self):
            raise ValueError(f"vectors expects one row per word, got {len(self):,} rows for {len(words):,} words")
        self.words: Words = Listed(words) if isinstance(words, Sequence) else words
        self.counts = None if counts is None else _read_only(np.asanyarray(counts))
        if self.counts is not None and (self.counts.shape != (len(self),) or self.counts.dtype.kind not in "iu"):
            raise ValueError(f"counts expects one whole number per word, got {self.counts.dtype} {self.counts.shape}")
        self.name, self.title, self.notes = name, title, tuple(notes)
        self._sizes = sizes

    @property
    def width(self) -> int:
        return self.vectors.shape[1]

    @cached_property
    def sizes(self) -> Singles:
        """The length of each vector; a file of ours holds them."""
        found = lengths(self.vectors) if self._sizes is None else self._sizes
        self._refuse_odd(found[:, None], range(len(self)))
        return found

    def _refuse_odd(self, rows: npt.NDArray[Any], places: Sequence[int]) -> None:
        sound = np.isfinite(rows).all(axis=1)
        if not sound.all():
            word = self.words[places[int(np.argmin(sound))]]
            raise ValueError(f"the vector of {word!r:.60} holds NaN, infinite or very large numbers; leave it out")

    def __len__(self) -> int:
        return self.vectors.shape[0]

    def __contains__(self, word: Any) -> bool:
        return isinstance(word, str) and self.words.position(word) is not None

    def __getitem__(self, word: str) -> npt.NDArray[Any]:
        """The vector of a word, as it lies in the table."""
        return self.vectors[self.position(word)]

    def position(self, word: str) -> int:
        """The row of a word; for one that is not there, an error says which are written like it."""
        found = self.words.position(word) if isinstance(word, str) else None
        if found is None:
            raise self.words.missing(str(word))
        return found

    # what stands near what

    def near(self, asked: Asked, most: int = 10, exclude: bool = True, beside: Iterable[str] = ()) -> Neighbours:
        """The words nearest to a word, to a sum such as "king - man + woman", or to a vector.

        In a sum each vector is brought to length 1 first. The words of the sum are left out, unless `exclude` is False.
        The trace holds the vectors of all these, and those of the words `beside` them.
        """
        return self._nearest(*self.meant(asked), most, exclude, beside)

    def analogy(self, a: str, b: str, c: str, exclude: bool = True, most: int = 10) -> Neighbours:
        """What is to c as b is to a: the words nearest to b − a + c."""
        terms = (Term(1.0, b), Term(-1.0, a), Term(1.0, c))
        return self._nearest(terms, self._sum(terms), most, exclude)

    def similarity(self, a: Asked, b: str) -> float:
        """The cosine of a word, a sum or a vector with a word."""
        return self.compared(a, [b]).cosines[0].value

    def compared(self, asked: Asked, words: Iterable[str]) -> Neighbours:
        """The cosines of a word, a sum or a vector with these words, in this order, as cells that open."""
        return self._compared(*self.meant(asked), [self.position(word) for word in words])

    def vector(self, asked: Asked) -> Doubles:
        """The vector that a sum means: its words' vectors, each brought to length 1, added; one word's is its own."""
        return self.meant(asked)[1]

    def meant(self, asked: Asked) -> tuple[tuple[Term, ...], Doubles]:
        """The terms of a sum, and its vector."""
        if not isinstance(asked, str):
            found = np.asarray(asked, np.float64)
            if found.shape != (self.width,) or not np.isfinite(found).all():
                raise ValueError(f"a vector expects {self.width} numbers, got {found.dtype} {found.shape}")
            return (), found
        terms = parse(asked, self.__contains__)
        return terms, self._sum(terms)

    def _sum(self, terms: tuple[Term, ...]) -> Doubles:
        rows = np.asarray(self.vectors[[self.position(term.word) for term in terms]], np.float64)
        if _is_word(terms):
            return rows[0]
        sizes = np.linalg.norm(rows, axis=1, keepdims=True)
        units = np.divide(rows, sizes, out=np.zeros_like(rows), where=sizes > 0)
        return np.array([term.factor for term in terms]) @ units

    def _nearest(
        self, terms: tuple[Term, ...], direction: Doubles, most: int, exclude: bool, beside: Iterable[str] = ()
    ) -> Neighbours:
        if most < 1:
            raise ValueError(f"most expects 1 or more, got {most}")
        if len(terms) > 1 and not direction.any():
            raise ValueError("this sum comes to nothing, which points nowhere; name words that do not cancel out")
        left_out = frozenset(self.position(term.word) for term in terms) if exclude else frozenset[int]()
        places = nearest(self.vectors, self.sizes, direction[None], most + SPARE, [left_out])[0]
        rows = np.asarray(self.vectors[places], np.float64)
        self._refuse_odd(rows, places)
        sizes = np.linalg.norm(rows, axis=1) * np.linalg.norm(direction)
        cosines = np.divide(rows @ direction, sizes, out=np.zeros(len(rows)), where=sizes > 0)
        order = np.argsort(-cosines, kind="stable")[:most]
        return self._compared(terms, direction, [places[i] for i in order], [self.position(word) for word in beside])

    def _compared(
        self, terms: tuple[Term, ...], direction: Doubles, places: Sequence[int], beside: Sequence[int] = ()
    ) -> Neighbours:
        """The cosines as steps of a trace that holds these words alone."""
        own = [self.position(term.word) for term in terms]
        kept = list(dict.fromkeys([*own, *places, *beside]))
        at = {place: i for i, place in enumerate(kept)}
        E = self.table(kept)
        factors = [term.factor for term in terms]
        name = f"near{sum_name(factors, own) or ''}"  # as a run of a model calls it
        if terms:
            steps = list(vector_steps(name, E, factors, [at[place] for place in own]))
        else:
            steps = [Step(f"{name}.own", Given(direction, "C"))]
        steps += cosine_steps(name, E, steps[-1])
        trace = self.trace_of((E, *steps), kept, W=[term.word for term in terms])
        words = tuple(self.words[place] for place in places)
        cosines = tuple(Cell(steps[-1], (at[place],)) for place in places)
        return Neighbours(trace, written(terms) or "a vector", words, cosines, kept)

    # parts and pictures

    def table(self, places: Sequence[int]) -> Step:
        """The vectors at some places as a step."""
        return Step("E", Given(np.asarray(self.vectors[list(places)], np.float64), "IC", "parameter"))

    def trace_of(self, steps: Sequence[Step], places: Sequence[int], **terms: Sequence[str]) -> Trace:
        """Steps about the words at some places, as a trace; `terms` are the words of sums, by the letter of an axis."""
        words = {"I": tuple(self.words[place] for place in places)}
        labels = Labels({**words, **{letter: tuple(along) for letter, along in terms.items()}})
        info = {"model": self.name, "title": self.title, "notes": list(self.notes), "tokens": []}
        return Trace(tuple(steps), labels, info)

    def trace(self) -> Trace:
        """The whole table as a trace of one step, E, which stays where it lies: `near5.cosine[dog]` opens there too."""
        kept = self.vectors if isinstance(self.vectors, Narrow) else Narrow(self.vectors)
        return self.trace_of([Step("E", Given(kept, "IC", "parameter"))], range(len(self)))

    def subset(self, words: Iterable[str]) -> "WordVectors":
        """The same vectors of these words alone, in this order.

        >>> WordVectors(["king", "queen", "man"], np.eye(3)).subset(["man", "king"])["king"].tolist()
        [1.0, 0.0, 0.0]
        """
        chosen = list(dict.fromkeys(words))
        places = [self.position(word) for word in chosen]
        counts = None if self.counts is None else self.counts[places]
        return WordVectors(chosen, self.vectors[places], counts, name=self.name, title=self.title, notes=self.notes)

    def map2d(
        self, words: Iterable[str] | None = None, by: str = "pca", across: str | None = None, up: str | None = None
    ) -> "Map2D":
        """Where words stand in a plane: along two directions that are given as sums, such as `across="man - woman"`,
        or along the two in which they differ most (PCA), or by UMAP."""
        from regard.vectors.map2d import along, map2d

        if across is not None and up is not None:
            return along(self, words, across, up)
        if across is not None or up is not None:
            raise ValueError("a plane has two directions; give both across and up, or neither")
        return map2d(self, words, by)

    # files

    def save(self, path: str | os.PathLike[str], form: str | None = None, spaces: str | None = None) -> None:
        """Write a file: in the format that is named, else in that of the name's ending, else in regard's own.

        Where a space ends a word, `spaces` is the sign to write for one inside a word.
        """
        from regard.vectors.files import save

        save(self, path, form, spaces)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> "WordVectors":
        """The word vectors of a file, of whatever kind; or the table that a model reads with, by its folder or name."""
        from regard.vectors.finding import find_vectors

        return find_vectors(path)

    def __repr__(self) -> str:
        return f"<WordVectors of {len(self):,} words, {self.width} numbers each>"


def _table(vectors: npt.ArrayLike) -> npt.NDArray[Any]:
    table = np.asanyarray(vectors)
    if table.ndim != 2 or not table.shape[1] or table.dtype.kind not in "fiu":
        raise ValueError(
            f"vectors expects one row of numbers per word, got an array of {table.dtype}, shape {table.shape}"
        )
    kept = (np.float32, np.float64)
    return _read_only(table if table.dtype in kept else table.astype(np.float32))


def _read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    seen = array.view()
    seen.setflags(write=False)
    return seen


def _is_word(terms: tuple[Term, ...]) -> bool:
    return len(terms) == 1 and terms[0].factor == 1
