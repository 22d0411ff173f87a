"""Scale the family pancake recipe.

The card is for 4 people and 12 pancakes: 250 g flour, 500 ml milk, 3 eggs,
40 g butter. For 10 people everything is multiplied by 10 / 4 = 2.5.

>>> scale(250, 4, 10)
625.0
>>> scale(500, 4, 10)
1250.0
>>> scale(3, 4, 10)
7.5
>>> scale(40, 4, 10)
100.0
>>> 12 * 10 / 4
30.0

So that is 8 eggs (small ones). Energy per pancake, from the packets, for the
small recipe: flour 250 g * 3.4 kcal = 850, milk 500 ml * 0.64 kcal = 320,
eggs 3 * 78 kcal = 224, butter 40 g * 7.2 kcal = 288. Sum 1692 kcal.

>>> round(1692 / 12)
141

Frying: the pan takes 3 minutes a pancake. With two pans 30 pancakes need
30 * 3 / 2 = 45 minutes, with one pan 90.

American cousins: 250 g flour is 250 / 125 = 2 cups, 500 ml milk is 2.11 cups.

>>> round(500 / 236.6, 2)
2.11
"""


def scale(amount, people, guests):
    return amount * guests / people


if __name__ == "__main__":
    import doctest
    doctest.testmod()
