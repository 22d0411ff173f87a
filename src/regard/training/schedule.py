"""How the learning rate moves: up in a straight line, down along half a cosine."""

import math

from regard.training.settings import TrainingSettings


def rate_share(update: int, settings: TrainingSettings) -> float:
    """The rate of an update as a share of the highest; updates are counted from 1.

    >>> s = TrainingSettings(updates=100, warm_up_share=0.1, final_rate=0.1)
    >>> [round(rate_share(u, s), 3) for u in (1, 10, 55, 100)]
    [0.1, 1.0, 0.55, 0.1]
    """
    if update <= settings.warm_up:
        return update / settings.warm_up
    done = (update - settings.warm_up) / max(1, settings.updates - settings.warm_up)
    return settings.final_rate + (1 - settings.final_rate) * 0.5 * (1 + math.cos(math.pi * min(1.0, done)))
