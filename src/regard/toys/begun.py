"""A toy that begins at the scores or the weights a document gives, by word, instead of at queries and keys."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np

from regard.attending.masks import mask_named
from regard.models.glass import Glass
from regard.models.model import Model
from regard.models.transformer import next_word
from regard.ops import Contract, Map, Pick
from regard.ops.scaling import NONE, Scaling, scaling_named
from regard.suggestions import suggestion
from regard.toys.numbers import number, numbers
from regard.toys.places import located
from regard.toys.problem import Path, ToyProblem
from regard.trace import Labels, Step, Trace


@dataclass(frozen=True, eq=False)
class Table:
    """Which words read which, and how much: scores or weights, with what was given and what was not."""

    what: str  # scores or weights
    values: np.ndarray  # (1, words, words)
    given: np.ndarray  # (words, words), True where there is a number
    head_width: float | None = None  # what scores are scaled by; None: not at all


def table_of(what: str, given: Any, reads: Sequence[str], head_width: float | None) -> Table:
    """From {"sat": {"the": 2, "cat": 4}}, from {"sat": [2, 4, 6]} in the order of the words, or from a whole matrix."""
    size = len(reads)
    values, known = np.zeros((1, size, size)), np.zeros((size, size), dtype=bool)
    if not isinstance(given, Mapping):
        matrix = numbers(given, (what,), (2,))
        if matrix.shape != (size, size):
            shape = " × ".join(map(str, matrix.shape))
            raise ToyProblem(
                f"{what} expects {size} × {size} numbers, one for each pair of words, got {shape}", (what,)
            )
        given = {reader: matrix[place] for place, reader in enumerate(reads)}
    for reader, row in given.items():
        at = (what, reader)
        query = _place(reader, reads, at)
        for key, value in _row(row, reads, at):
            values[0, query, key] = value
            known[query, key] = True
            if what == "weights" and value < 0:
                place = reads[key] if isinstance(row, Mapping) else key
                raise ToyProblem(
                    f"{what}.{reader} expects shares, none below 0, got {value:g} for {reads[key]}", (*at, place)
                )
        total = values[0, query].sum()
        if what == "weights" and abs(total - 1) > 1e-6:
            raise ToyProblem(f"{what}.{reader} expects shares that are 1 in all, got {total:.6g}", at)
    return Table(what, values, known, head_width)


def _row(row: Any, reads: Sequence[str], at: Path) -> list[tuple[int, float]]:
    if isinstance(row, Mapping):
        return [(_place(word, reads, (*at, word)), number(value, (*at, word))) for word, value in row.items()]
    values = numbers(row, at, (1,))
    if len(values) != len(reads):
        raise ToyProblem(f"{at[0]}.{at[1]} expects {len(reads)} numbers, one for each word, got {len(values)}", at)
    return list(enumerate(values.tolist()))


def _place(word: Any, reads: Sequence[str], at: Path) -> int:
    if word not in reads:
        raise ToyProblem(f"{at[0]} names {word!r}, which is not in words; {suggestion(str(word), reads)}", at, True)
    return reads.index(word)


@dataclass(frozen=True, eq=False)
class Begun(Model):
    """The rest of the way is the same: scale, hide, softmax, mix, join, add to the word, predict.

    The numbers are by word, so any text of the words can be read; a word whose row was not given reads nothing.
    """

    begins: Table = field(kw_only=True)
    source: str = ""  # the text of its file: what cannot be read of a text is told by line and column

    @property
    def by_word(self) -> Mapping[str, np.ndarray]:
        return {"given": self.begins.given}

    @property
    def single(self) -> NoReturn:  # pyright: ignore[reportIncompatibleVariableOverride]
        raise ValueError(f"{self.name} begins at {self.begins.what}, by word, and cannot write on; explain it instead")

    def knowing(self, words: Sequence[str], next: str | None) -> Model:
        unread = [word for word in words if word not in self.reads]
        if unread:
            raise ValueError(
                f"{self.name} begins at {self.begins.what}, and has none for {unread[0]!r}; "
                f"{suggestion(unread[0], self.reads)}"
            )
        return super().knowing(words, next)

    def check_row(self, words: Sequence[str], position: int, mask: str) -> None:
        """The word that predicts must be able to read something, and no weight may lie on what is hidden."""
        what = self.begins.what
        ids = [self.reads.index(word) for word in words]
        row, visible = self.begins.given[ids[position], ids], mask_named(mask)(len(words))[position]
        at = (what, words[position])
        if not row.any():
            others = [word for word, place in zip(words, ids) if self.begins.given[place, ids].any()]
            other = f"let {others[-1]!r} predict (query)" if others else "let another word predict (query)"
            if self.begins.given[ids[position]].any():
                raise ToyProblem(
                    f"{words[position]!r} predicts here, but its row of {what} has no number for any word of this "
                    f"text; give it one, or {other}",
                    at,
                )
            raise ToyProblem(
                f"{words[position]!r} predicts here, but {what} has no row for it; give it one, or {other}",
                (what,),
                True,
            )
        if not (row & visible).any():
            raise ToyProblem(
                f"the row of {words[position]!r} is hidden as a whole: mask = {mask!r} hides every word that it has "
                'a number for; write mask = "both"',
                at,
            )
        hidden = row & ~visible & (self.begins.values[0, ids[position], ids] != 0)
        if what == "weights" and hidden.any():
            later = words[int(np.argmax(hidden))]
            raise ToyProblem(
                f'{words[position]!r} gives a weight to {later!r}, which mask = {mask!r} hides; write mask = "both"',
                (*at, later),
            )

    def recorded(
        self, words: Sequence[str], position: int, next: str | None, mask: str, labels: Labels, do: Glass | None = None
    ) -> Trace:
        try:
            self.check_row(words, position, mask)
        except ToyProblem as problem:
            raise located(problem, self.source, self.name) from None
        do = do or Glass()
        axes = {"E": "IC", "layer0.W_V": "GCD", "layer0.W_O": "HDC", "W_out": "VC"}
        own = self.parameters
        parameters = do.parameters({name: (axes[name], own[name]) for name in axes if name in own})
        ids = [self.reads.index(word) for word in words]
        x = do.embed("x", parameters["E"], ids)
        inside = do.within("layer0")
        v = inside.heads("v", x, parameters["layer0.W_V"], None, "GKD")
        mixed = inside.mix(self._weights(inside, ids, mask), v)
        attended = inside.join(mixed, parameters.get("layer0.W_O"), None)
        x = inside.add("residual", x, attended) if self.settings.residual else attended
        next_word(do, x, parameters, position, None if next is None else self.writes.index(next))
        named = Labels({**labels.words, "N": self.reads})
        return Trace(tuple(do.steps), named, self.info(words, position, next, mask))

    def _weights(self, do: Glass, ids: Sequence[int], mask: str) -> Step:
        """From the table to the weights of this text."""
        # an input, not a parameter: scores and weights are not learned, what makes them is
        table = do.given(f"given_{self.begins.what}", self.begins.values, "HIN")
        readers, read = (do.constant(f"{n}_words", np.array(ids), a) for n, a in (("query", "Q"), ("key", "K")))
        visible = mask_named(mask)(len(ids))
        if self.begins.what == "scores":
            # a word's query is its row of scores, its key says which word it is: q·k is then the score given
            who = do.constant("each_word", np.eye(len(self.reads))[None], "HIN")
            q = do.record("q", Pick("HIN,Q->HQN"), table, readers)
            scores = do.record("scores", Contract("HQN,HKN->HQK"), q, do.record("k", Pick("HIN,K->HKN"), who, read))
            scaled = do.scale(scores, self._scaling, self.begins.head_width or 1)
            given = do.constant("given", self.begins.given[np.ix_(ids, ids)], "QK")
            known = do.record("known", Map("hide", "HQK,QK->HQK"), scaled, given)
            return do.softmax(do.hide(known, visible), "peak", "exps", "total", "weights")
        rows = do.record("weights.rows", Pick("HIN,Q->HQN"), table, readers)
        given = do.record("weights.given", Pick("HQN,K->HQK"), rows, read)
        seen = do.record("weights.seen", Map("product", "HQK,QK->HQK"), given, do.constant("visible", visible, "QK"))
        total = do.record("total", Contract("HQK->HQ"), seen)
        return do.record("weights", Map("divide", "HQK,HQ->HQK"), seen, total)

    @property
    def _scaling(self) -> Scaling:
        return NONE if self.begins.head_width is None else scaling_named(self.settings.scaling)
