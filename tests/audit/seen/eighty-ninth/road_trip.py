"""Unit conversions for the road trip, checked with Python 3.11 on 2024-07-19."""

KM_PER_MILE = 1.609344
L_PER_US_GAL = 3.785411784

# Leg lengths in miles: Portland-Eugene 110, Eugene-Medford 168, Medford-Redding 150
legs = [110, 168, 150]
total_miles = sum(legs)
print(total_miles)                        # 428
total_km = total_miles * KM_PER_MILE
print(round(total_km, 1))                 # 688.8
print([round(m * KM_PER_MILE) for m in legs])   # [177, 270, 241]

# The car does 32 miles per US gallon.
gallons = total_miles / 32
print(gallons)                            # 13.375
litres = gallons * L_PER_US_GAL
print(f"{litres:.2f} L")                  # 50.63 L
print(f"{100 * litres / total_km:.2f} L/100 km")   # 7.35 L/100 km


def fahrenheit_to_celsius(f):
    return (f - 32) * 5 / 9


print(fahrenheit_to_celsius(95))          # 35.0
print(fahrenheit_to_celsius(14))          # -10.0
print(round(fahrenheit_to_celsius(70), 1))  # 21.1

# 65 mph is roughly 105 km/h; at that speed the 428 miles take about 6.6 hours.
print(round(65 * KM_PER_MILE, 1), round(428 / 65, 2))   # 104.6 6.58
