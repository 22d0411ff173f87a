import math

def dot(a, b):
    return sum(x * y for x, y in zip(a, b))

u = [2, -3, 6]
v = [4, 4, 7]

dot(u, v)
# >>> 38
math.sqrt(dot(u, u))
# >>> 7.0
math.sqrt(dot(v, v))
# >>> 9.0
round(dot(u, v) / (7.0 * 9.0), 4)
# >>> 0.6302

# distance, for comparison
diff = [x - y for x, y in zip(u, v)]   # [-2, -7, -1]
dot(diff, diff)
# >>> 54
round(math.sqrt(54), 3)
# >>> 7.348
