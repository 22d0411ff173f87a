"""
Road trip, four friends, three days.

Legs: 184 km, 236 km and 205 km, together 625 km.
The car uses 6.4 litres per 100 km, so 625 / 100 * 6.4 = 40.0 litres;
at 1.85 euro per litre that is 74.00 euro of petrol.
"""

legs = [184, 236, 205]
distance = sum(legs)
assert distance == 625

litres = distance / 100 * 6.4
fuel = litres * 1.85
print(f"{fuel:.2f}")                 # 74.00

tolls = 7.90 + 12.40 + 5.70
print(f"{tolls:.2f}")                # 26.00

nights = 2
hostel = nights * 4 * 27.50
print(f"{hostel:.2f}")               # 2 * 4 * 27.50 = 220.00

food = 3 * 4 * 18
print(food)                          # 216

total = fuel + tolls + hostel + food
print(f"{total:.2f}")                # 74.00 + 26.00 + 220.00 + 216.00 = 536.00
print(f"{total / 4:.2f}")            # 134.00 each
print(f"{hostel / total:.1%}")       # the hostel is 41.0% of everything

# Driving time at the speeds we managed: 184/92 + 236/80 + 205/82 hours
hours = 184 / 92 + 236 / 80 + 205 / 82
print(f"{hours:.2f}")                # 2.00 + 2.95 + 2.50 = 7.45
print(f"{distance / hours:.1f}")     # average speed 83.9 km/h
