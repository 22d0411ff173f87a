#!/usr/bin/env python3
"""kitchen_units 1.4.0: convert grandma's American recipes.

Examples, so that you can check the thing by hand:

  oven      375 F      -> (375 - 32) * 5 / 9     = 190.6 C
  oven      425 F      -> (425 - 32) * 5 / 9     = 218.3 C
  butter    8 oz       -> 8 * 28.35 g            = 226.8 g
  pork      1.5 lb     -> 1.5 * 453.6 g          = 608.4 g
  flour     2.25 cups  -> 2.25 * 125 g           = 281.25 g
  milk      1.75 cups  -> 1.75 * 236.6 ml        = 414.05 ml
  vanilla   2 tsp      -> 2 * 4.93 ml            = 9.86 ml

A cup of flour is anything between 120 and 150 g, depending on how hard you
press. King Arthur says 120, grandma's index card from 1964 says 4.5 oz (that
would be 127.6 g). I settled for 125.
"""

OZ = 28.35      # gram
LB = 453.6      # gram
CUP = 236.6     # millilitre
TSP = 4.93      # millilitre
FLOUR = 125     # gram in a cup


def f_to_c(f):
    return (f - 32) * 5 / 9


def scale(amounts, servings_from, servings_to):
    """From 6 to 8 servings everything is multiplied by 8 / 6 = 1.333."""
    factor = servings_to / servings_from
    return {name: round(a * factor, 1) for name, a in amounts.items()}
