"""What does a loaf cost the bakery?"""
# prices per kilogram
flour, salt, yeast = 0.90, 0.50, 4.00

# one batch: 20 kg flour, 0.4 kg salt, 0.5 kg yeast
batch = 20 * flour + 0.4 * salt + 0.5 * yeast
round(batch, 2)  # 20.2

# water is 65 % of the flour
water = 20 * 65 / 100  # 13.0
dough = 20 + 0.4 + 0.5 + water  # 33.9

# a loaf needs 0.75 kg of dough
loaves = int(dough / 0.75)  # 45
round(dough - loaves * 0.75, 2)  # 0.15
round(batch / loaves, 3)  # 0.449

# oven: 3 kW for 2.5 hours at 0.32 per kWh
energy = 3 * 2.5  # 7.5
round(energy * 0.32, 2)  # 2.4
round((batch + energy * 0.32) / loaves, 3)  # 0.502

# sold at 3.20 each, five stay on the shelf
round((loaves - 5) * 3.20, 2)  # 128.0
