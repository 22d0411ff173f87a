# Worksheet 12: which phone plan is cheaper?
def plan_a(minutes):            # 9.90 a month and 0.08 a minute
    return 9.90 + 0.08 * minutes

def plan_b(minutes):            # 15.50 a month and 0.03 a minute
    return 15.50 + 0.03 * minutes

print(round(plan_a(60), 2))     # 14.7
print(round(plan_b(60), 2))     # 17.3
print(round(plan_a(200), 2))    # 25.9
print(round(plan_b(200), 2))    # 21.5

# Break-even: 9.90 + 0.08 m = 15.50 + 0.03 m, so m = 5.60 / 0.05
m = (15.50 - 9.90) / (0.08 - 0.03)
print(round(m))                 # 112
print(round(plan_a(m), 2))      # 18.86

# A year with 200 minutes each month, difference of the plans:
print(round(12 * (plan_a(200) - plan_b(200)), 2))   # 52.8
