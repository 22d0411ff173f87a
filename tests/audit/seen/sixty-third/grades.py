# my grades this term, to see whether I keep the scholarship (average needed: 80)
quiz = [7, 9, 6, 8, 10]
print(sum(quiz))                 # 40
print(sum(quiz) / len(quiz))     # 8.0

midterm = 34 / 40 * 100
print(midterm)                   # 85.0
final = 57 / 75 * 100
print(final)                     # 76.0

# quizzes 20 %, midterm 30 %, final 50 %
# 0.2*80 + 0.3*85 + 0.5*76 = 16 + 25.5 + 38 = 89.5
total = 0.2 * 80 + 0.3 * midterm + 0.5 * final
print(total)                     # 79.5

# what final would have been enough?  (80 - 16 - 25.5) / 0.5 = 77
needed = (80 - 16 - 25.5) / 0.5
print(round(needed * 75 / 100, 2))   # 57.75 of 75 points
