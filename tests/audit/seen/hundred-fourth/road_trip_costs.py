"""Who owes what after the road trip (four people, one car).

>>> odo_start, odo_end = 48312, 49987
>>> odo_end - odo_start
1675

Fuel stops (litres, price per litre):

>>> stops = [(38.2, 1.859), (41.5, 1.779), (29.8, 1.919)]
>>> [round(l * p, 2) for l, p in stops]
[71.01, 73.83, 57.19]
>>> litres = sum(l for l, p in stops)
>>> round(litres, 1)
109.5
>>> round(100 * litres / 1675, 2)          # litres per 100 km
6.54

Other costs: campsite 3 nights at 34.50, ferry 58.00, toll 21.40.

>>> 3 * 34.50
103.5
>>> total = 71.01 + 73.83 + 57.19 + 103.50 + 58.00 + 21.40
>>> round(total, 2)
384.93
>>> round(total / 4, 2)
96.23

Average speed on the last day: 412 km in 5 h 20 min.

>>> round(412 / (5 + 20 / 60), 2)
77.25
"""

if __name__ == "__main__":
    import doctest
    doctest.testmod()
