"""The training loop: blocks in order, on one thread or several, with a report after each few."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from regard.training.vectors.learner import Learner
from regard.training.vectors.tables import Table

PER_THREAD = 8  # blocks of each thread between two reports


def _as_they_are(tables: dict[str, Table]) -> None:
    """One process has nobody to agree with."""


@dataclass(frozen=True)
class Share:
    """Which blocks are this process's, and how it agrees with the others about the tables, now and then."""

    rank: int = 0
    count: int = 1
    agree: Callable[[dict[str, Table]], None] = _as_they_are
    most: Callable[[int], int] = int  # the largest number that one of them says


ALL = Share()


@dataclass(frozen=True)
class Report:
    """How far a run has come."""

    blocks: int  # learned so far, in all epochs
    done: int  # words, or pairs of words
    total: int
    per_second: float  # since the last report


def train(learner: Learner, epochs: int, threads: int, begin: int = 0, share: Share = ALL) -> Iterator[Report]:
    """Learn from block `begin` on; several threads change the tables side by side, without waiting for each other

    (Hogwild, Niu et al. 2011): fast, and not the same every time.
    """
    sizes = [learner.size(block) for block in range(learner.blocks)]
    total, count = epochs * sum(sizes), epochs * learner.blocks
    done = sum(sizes[block % learner.blocks] for block in range(begin))
    together = PER_THREAD * threads * share.count
    with ThreadPoolExecutor(threads) as pool:
        for first in range(begin, count, together):
            last, start = min(count, first + together), time.perf_counter()
            places = [divmod(block, learner.blocks) for block in range(first, last)]
            for _ in pool.map(lambda place: learner.learn(*place), places[share.rank :: share.count]):
                pass  # so that an error is not lost
            share.agree(learner.tables)
            learned = sum(sizes[block] for _, block in places)
            done += learned
            yield Report(last, done, total, learned / (time.perf_counter() - start))
