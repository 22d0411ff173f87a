# Two fair dice: 36 equally likely outcomes.
#
#   sum      2  3  4  5  6  7  8  9 10 11 12
#   ways     1  2  3  4  5  6  5  4  3  2  1     (total 36)
#
# P(sum = 7)        = 6/36  = 0.1667
# P(sum >= 10)      = 6/36  = 0.1667
# P(doubles)        = 6/36  = 0.1667
# P(at least one 6) = 11/36 = 0.3056   (1 - 25/36)


def expected_sum():
    """Mean of the sum of two dice.

    One die has mean (1+2+3+4+5+6)/6 = 21/6 = 3.5 and variance 35/12 = 2.9167.
    Two dice: mean 7, variance 35/6 = 5.8333, standard deviation 2.4152.
    """
    return 7.0


def prob_no_seven(n):
    """Chance of seeing no seven in n throws: (5/6)**n.

    n = 1: 0.8333,  n = 4: 0.4823,  n = 10: 0.1615
    So in 4 throws a seven turns up with probability 0.5177, a bit better than even.
    """
    return (5 / 6) ** n
