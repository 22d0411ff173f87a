"""The training loop: blocks in order, on one thread or several, with a report after each few."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from regard.vectors.training.learner import Learner

PER_THREAD = 4  # blocks of each thread between two reports


@dataclass(frozen=True)
class Report:
    """How far a run has come."""

    blocks: int  # learned so far, in all epochs
    done: int  # words, or pairs of words
    total: int
    per_second: float  # since the last report


def train(learner: Learner, epochs: int, threads: int, begin: int = 0) -> Iterator[Report]:
    """Learn from block `begin` on; several threads change the tables side by side, without waiting for each other

    (Hogwild, Niu et al. 2011): fast, and not the same every time.
    """
    sizes = [learner.size(block) for block in range(learner.blocks)]
    total, count = epochs * sum(sizes), epochs * learner.blocks
    done = sum(sizes[block % learner.blocks] for block in range(begin))
    with ThreadPoolExecutor(threads) as pool:
        for first in range(begin, count, PER_THREAD * threads):
            last, start = min(count, first + PER_THREAD * threads), time.perf_counter()
            places = [divmod(block, learner.blocks) for block in range(first, last)]
            work = pool.map(lambda place: learner.learn(*place), places)
            learned = sum(work)
            done += learned
            yield Report(last, done, total, learned / (time.perf_counter() - start))
