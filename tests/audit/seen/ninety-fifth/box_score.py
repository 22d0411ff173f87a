"""Box score of the cup match on 11 January 2025, Falcons v Harbour (round 3)."""

# name: (two-pointers made, three-pointers made, free throws made, shots tried)
falcons = {
    "Adeyemi": (6, 2, 3, 15),
    "Brandt": (4, 0, 2, 9),
    "Costa": (1, 5, 0, 11),
    "Dahl": (3, 1, 4, 8),
    "Eriksen": (7, 0, 1, 12),
}

points = {name: 2 * two + 3 * three + ft for name, (two, three, ft, _) in falcons.items()}
print(points)
# {'Adeyemi': 21, 'Brandt': 10, 'Costa': 17, 'Dahl': 13, 'Eriksen': 15}
print("total", sum(points.values()))  # total 76

made = sum(two + three for two, three, _, _ in falcons.values())
tried = sum(row[3] for row in falcons.values())
print(made, "of", tried)  # 29 of 55
print(f"{made / tried:.1%}")  # 52.7%

best = max(points, key=points.get)
print(best, points[best])  # Adeyemi 21

# share of the points that came from behind the arc: 8 threes are 24 points
print(f"{24 / sum(points.values()):.1%}")  # 31.6%
print(sum(points.values()) / len(points))  # 15.2
