"""Kitchen unit conversions for the cookbook generator.

Definitions used: 1 US cup = 236.588 ml, 1 tablespoon = 14.787 ml,
1 teaspoon = 4.929 ml, 1 oz = 28.3495 g, 1 lb = 453.592 g.

Quick table (rounded):

    2 cups          473.2 ml
    3/4 cup         177.4 ml
    3 tablespoons   44.4 ml
    5 teaspoons     24.6 ml
    6 oz            107.1 g
    2.5 lb          1,134.0 g
"""

CUP = 236.588
OZ = 28.3495
LB = 453.592


def f_to_c(f):
    """Oven temperatures.

    >>> round(f_to_c(350), 1)
    176.7
    >>> round(f_to_c(425), 1)
    218.3
    """
    return (f - 32) * 5 / 9


def butter_sticks(grams):
    """A stick is 4 oz, i.e. 113.398 g; 250 g is 2.20 sticks."""
    return grams / (4 * OZ)


# Pancakes: the recipe for 4 asks for 1.5 cups of milk = 355 ml.
# For 10 people that is 2.5 times as much, 887 ml or 3.75 cups.
# Flour: 8 oz for 4, 20 oz for 10 -> 567 g.
