"""Several processes, on one machine or many, that learn one table: each takes its blocks, and now and then they agree.

Tables are averaged, not divided among the processes: a window touches a dozen rows, so divided tables would cost a
round trip for each window, while averaging costs one exchange for about a million words of each process, whatever the
network (Ji et al. 2016 do the same). A plain mean would halve what one process alone has learned of a rare word; so
each row moves by the mean of those processes' moves that moved it at all.
"""

from collections.abc import Callable

import numpy as np
import torch
import torch.distributed as distributed

from regard.training.processes import Processes
from regard.training.vectors.learner import Learner
from regard.training.vectors.loop import Share
from regard.training.vectors.tables import Table


def share_of(processes: Processes, learner: Learner) -> Share:
    """This process's blocks of a run, and how it agrees with the others."""
    return Share(processes.rank, processes.count, agreeing(learner), processes.most)


def agreeing(learner: Learner) -> Callable[[dict[str, Table]], None]:
    """What brings the tables of all processes to the same numbers, from what they agreed on last."""
    agreed = {name: table.copy() for name, table in learner.tables.items()}

    def agree(tables: dict[str, Table]) -> None:
        for name, table in tables.items():
            before = agreed[name]
            np.subtract(table, before, out=table)
            moved = table.any(axis=1).astype(np.float32)
            for numbers in (table, moved):
                distributed.all_reduce(torch.from_numpy(numbers))
            table /= np.maximum(moved, 1)[:, None]
            table += before
            before[...] = table

    return agree
