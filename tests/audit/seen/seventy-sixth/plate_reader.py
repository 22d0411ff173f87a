"""Growth curves from the plate reader, strain LB-12 (run of 11 Oct).

OD600 was read every 20 min. Quick numbers by hand first, script for the rest later.
"""
import math

blank = 0.042
raw = [0.092, 0.117, 0.157, 0.218, 0.318, 0.467]
od = [round(x - blank, 3) for x in raw]
# od = [0.050, 0.075, 0.115, 0.176, 0.276, 0.425]

# ratio from one reading to the next
ratios = [round(b / a, 3) for a, b in zip(od, od[1:])]
# ratios = [1.500, 1.533, 1.530, 1.568, 1.540]

# exponential part: first to last reading, 5 intervals of 20 min = 100 min
minutes = 5 * 20
fold = od[-1] / od[0]              # 0.425 / 0.050 = 8.5
mu = math.log(fold) / minutes      # ln 8.5 = 2.1401, so mu = 0.0214 per min
mu_h = 60 * mu                     # 1.284 per hour
doubling = math.log(2) / mu        # 0.6931 / 0.0214 = 34.2 min

# generations during the run
gens = minutes / doubling          # 100 / 32.4 = 3.09
check = math.log2(fold)            # 3.09 as well, good

# cells: 8e8 per mL at OD 1.0, 0.2 mL in a well
start_cells = 8e8 * od[0] * 0.2    # 8e8 * 0.050 * 0.2 = 8e6
end_cells = start_cells * fold     # 6.8e7

# plate: 96 wells, 12 blanks, 6 strains, the rest split evenly
wells_per_strain = (96 - 12) // 6  # 84 / 6 = 14
medium_ml = 96 * 0.2 * 1.1         # with 10 % spare: 19.2 * 1.1 = 21.12 mL
