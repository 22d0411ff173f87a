# Box score of the school final, 24 February 2024 (gym 2, tip-off 18:15)

players = {
    #          2pt made, 3pt made, free throws made, free throws tried, minutes
    "Ines":   (5, 2, 3, 4, 32),
    "Priya":  (7, 0, 4, 6, 30),
    "Tomke":  (2, 4, 0, 0, 28),
    "Ruth":   (3, 1, 5, 6, 24),
    "Odile":  (4, 0, 1, 2, 26),
}


def points(twos, threes, free):
    return 2 * twos + 3 * threes + free


score = {name: points(*row[:3]) for name, row in players.items()}
print(score)
# {'Ines': 19, 'Priya': 18, 'Tomke': 16, 'Ruth': 14, 'Odile': 9}

total = sum(score.values())
print("team:", total)
# team: 67

print("average:", total / len(score))
# average: 15.2

made = sum(row[2] for row in players.values())
tried = sum(row[3] for row in players.values())
print(f"free throws: {made}/{tried} = {made / tried:.1%}")
# free throws: 13/18 = 72.2%

# Ines: 2 * 5 + 3 * 2 + 3 = 19 points in 32 minutes
print(round(score["Ines"] / 32 * 40, 1))   # points per 40 minutes: 23.8
print(max(score, key=score.get))           # Ines
