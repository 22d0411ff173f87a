"""What is drawn at random is drawn as often as it should be."""

import numpy as np

from regard.training.vectors.chances import WHOLE, kept_chances
from regard.training.vectors.numbering import END
from regard.training.vectors.sampling import alias_table, random_state
from regard.training.vectors.walk import draw, read_line, window_around

COUNTS = np.array([700, 200, 60, 30, 7, 3])


def test_negatives_come_by_count_to_the_power_of_three_quarters():
    chance, alias = alias_table(COUNTS)
    by_table = np.bincount(np.arange(6), chance / WHOLE, 6) + np.bincount(alias, 1 - chance / WHOLE, 6)
    wanted = COUNTS**0.75 / (COUNTS**0.75).sum()
    assert np.abs(by_table / 6 - wanted).max() < 1e-9
    drawn, state = np.empty(20_001, np.int32), random_state(1)
    count = draw(-5, 20_000, chance, alias, drawn, state)
    shares = np.bincount(drawn[1:count], minlength=6) / 20_000
    assert np.abs(shares - wanted).max() < 0.015


def test_a_negative_is_never_the_word_itself():
    chance, alias = alias_table(COUNTS)
    drawn = np.empty(1001, np.int32)
    count = draw(0, 1000, chance, alias, drawn, random_state(2))
    assert drawn[0] == 0 and 1 < count < 1000 and (drawn[1:count] != 0).all()


def test_frequent_words_are_skipped_and_lines_end():
    kept = kept_chances(COUNTS, 0.05)
    words = np.array(([0] * 4000 + [5] * 100) + [END] + [5, 5], np.int32)
    line, state = np.empty(10_000, np.int32), random_state(3)
    here, length = read_line(words, 0, kept, line, state)
    assert here == 4101
    assert (line[:length] == 5).sum() == 100  # a rare word stays
    share = np.sqrt(0.05 / 0.7) + 0.05 / 0.7
    assert abs((length - 100) / 4000 - share) < 0.03
    assert read_line(words, here, kept, line, state) == (len(words), 2)


def test_a_window_reaches_each_distance_equally_often():
    line, near, state = np.arange(50, dtype=np.int32), np.empty(10, np.int32), random_state(4)
    reaches = np.zeros(6)
    for _ in range(5000):
        count = window_around(line, 50, 20, 5, near, state)
        assert sorted(near[:count]) == [*range(20 - count // 2, 20), *range(21, 21 + count // 2)]
        reaches[count // 2] += 1
    assert np.abs(reaches[1:] / 5000 - 0.2).max() < 0.03
    assert window_around(line, 50, 0, 5, near, state) <= 5 and near[0] == 1
