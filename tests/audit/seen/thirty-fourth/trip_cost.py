#!/usr/bin/env python3
# What did the trip to the coast cost? (August 2023, four of us)
#
# Distance there and back: 2 * 342 km = 684 km
# The car drinks 6.2 litres per 100 km:
#     684 / 100 * 6.2 = 42.41 litres
# At 1.79 euros a litre:
#     42.41 * 1.79 = 75.91 euros
# Motorway toll 18.60 each way: 37.20 euros
# Parking, 3 days at 12.50: 37.50 euros
#     75.91 + 37.20 + 37.50 = 150.61 euros
# Divided by four: 37.65 euros each
#
# The train would have been 4 * 49.90 = 199.60 euros, so the car was
# 48.99 euros cheaper. It took about 4.5 hours, Apple Maps had said 3:50.
#
# CO2: one litre of petrol makes 2.31 kg, so 42.41 * 2.31 = 97.97 kg,
# or 24.5 kg per person.
#
# American cousins: 235.2 / 6.2 = 37.9 miles per gallon.

KM = 2 * 342
LITRES_PER_100 = 6.2
PRICE = 1.79


def fuel_cost(km=KM):
    """Fuel in euros, e.g. fuel_cost(100) is about 11.10."""
    return km / 100 * LITRES_PER_100 * PRICE


if __name__ == "__main__":
    print(f"{fuel_cost():.2f}")
