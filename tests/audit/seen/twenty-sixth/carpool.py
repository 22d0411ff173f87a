#!/usr/bin/env python3
"""Is it cheaper to share the car? A tiny calculator for our trip on 12 October.

Example, as discussed on Signal:

    distance        540 km (there and back)
    consumption     6.4 l / 100 km
    petrol price    1.79 EUR per litre
    people          3

We need 540 / 100 * 6.4 = 34.56 litres. That costs 34.56 * 1.79 = 61.86 EUR, or 20.62 EUR for
each of us. The train is 29.90 EUR per person, 89.70 EUR for all three, so the car saves
27.84 EUR in total. With two people it would have been 30.93 EUR each and the train wins.

Burning a litre of petrol gives roughly 2.37 kg of CO2: 34.56 * 2.37 = 81.9 kg, 27.3 kg per head.
"""
import argparse


def share(km, per_100, price, people):
    litres = km / 100 * per_100
    return litres, litres * price, litres * price / people


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--km", type=float, default=540)
    ap.add_argument("--per100", type=float, default=6.4)   # my 2016 Polo, measured
    ap.add_argument("--price", type=float, default=1.79)   # checked on 9 Oct, 7:30
    ap.add_argument("--people", type=int, default=3)
    a = ap.parse_args()
    litres, cost, each = share(a.km, a.per100, a.price, a.people)
    print(f"{litres:.2f} l, {cost:.2f} EUR, {each:.2f} EUR each")
    # 5 hours 15 minutes for 540 km is an average of 540 / 5.25 = 102.9 km/h, a bit optimistic


if __name__ == "__main__":
    main()
