# Small helpers from my dashboard. The examples were checked by hand.


def bmi(kg, m):
    """Body mass index.

    bmi(70, 1.75) -> 70 / 3.0625 = 22.86
    bmi(82.5, 1.80) -> 82.5 / 3.24 = 25.46
    """
    return kg / m**2


def mpg_to_l100(mpg):
    """US miles per gallon to litres per 100 km: 235.215 / mpg.

    mpg_to_l100(30) -> 7.84
    mpg_to_l100(45) -> 4.36
    """
    return 235.215 / mpg


def pace(minutes, km):
    """Minutes per km.

    pace(52, 10) -> 5.2, i.e. 5 min 12 s
    pace(228, 42.195) -> 5.40
    """
    return minutes / km


def kwh(watts, hours):
    """kwh(1500, 2.5) -> 3.75"""
    return watts * hours / 1000
