"""Random numbers in compiled code, and draws by count in constant time."""

import numpy as np
import numpy.typing as npt

from regard.training.vectors.chances import POWER, WHOLE
from regard.training.vectors.compiling import compiled


def alias_table(counts: npt.ArrayLike, power: float = POWER) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32]]:
    """For draws by count^power in constant time (Walker's alias method): a place is drawn evenly, and then either it

    is taken, with this chance in 2⁻³², or the word that it names.

    >>> chance, alias = alias_table([1, 3], power=1.0)
    >>> (chance / WHOLE).tolist(), alias.tolist()
    ([0.5, 1.0], [1, 1])
    """
    weights = np.asarray(counts, np.float64) ** power
    chance, alias = weights * (len(weights) / weights.sum()), np.arange(len(weights), dtype=np.int32)
    _level(chance, alias, np.empty(len(chance), np.int32), np.empty(len(chance), np.int32))
    return np.round(np.minimum(chance, 1) * WHOLE).astype(np.uint64), alias


@compiled
def _level(chance, alias, poor, rich):
    """Fill up every place that has less than its share from one that has more."""
    poor_count = rich_count = 0
    for place in range(len(chance)):
        if chance[place] < 1:
            poor[poor_count] = place
            poor_count += 1
        else:
            rich[rich_count] = place
            rich_count += 1
    while poor_count and rich_count:
        poor_count -= 1
        giver, taker = rich[rich_count - 1], poor[poor_count]
        alias[taker] = giver
        chance[giver] -= 1 - chance[taker]
        if chance[giver] < 1:
            rich_count -= 1
            poor[poor_count] = giver
            poor_count += 1
    # what rounding has left over is whole
    for left in range(poor_count):
        chance[poor[left]] = 1
    for left in range(rich_count):
        chance[rich[left]] = 1


@compiled
def next_random(state):
    """64 random bits (Marsaglia's xorshift); `state` holds one number that is not 0."""
    x = state[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state[0] = x
    return x


@compiled
def below(bits, count):
    """A whole number below `count`, of the upper half of some random bits."""
    return np.int64(((bits >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))


@compiled
def happens(bits, chance):
    """Whether something of this chance in 2⁻³² happens, by the lower half of some random bits."""
    return (bits & np.uint64(0xFFFFFFFF)) < chance


def random_state(*numbers: int) -> npt.NDArray[np.uint64]:
    """Where the random numbers of a block begin: a pure function of seed, epoch and block, so nothing is remembered."""
    return np.random.SeedSequence(numbers).generate_state(1, np.uint64) | np.uint64(1)
