# Least squares by hand: hours of study against points in the test (class 9b, May 2022)
hours = [1, 2, 4, 5, 8]
points = [41, 50, 58, 67, 84]

n = len(hours)
mx = sum(hours) / n
my = sum(points) / n
print(mx, my)  # 4.0 60.0

sxy = sum((x - mx) * (y - my) for x, y in zip(hours, points))
sxx = sum((x - mx) ** 2 for x in hours)
syy = sum((y - my) ** 2 for y in points)
print(sxy, sxx, syy)  # 180.0 30.0 1090.0

slope = sxy / sxx
icept = my - slope * mx
print(f"points = {slope:.1f} * hours + {icept:.1f}")  # points = 6.0 * hours + 36.0

r = sxy / (sxx * syy) ** 0.5
print(round(r, 4), round(r * r, 4))  # 0.9954 0.9908

# predictions and residuals
pred = [round(icept + slope * x, 1) for x in hours]
print(pred)  # [42.0, 48.0, 60.0, 66.0, 84.0]
print([round(y - p, 1) for y, p in zip(points, pred)])  # [-1.0, 2.0, -2.0, 1.0, 0.0]

# 6 hours were not in the data; a pass needs 50 points
print(round(icept + slope * 6, 1))  # 72.0
