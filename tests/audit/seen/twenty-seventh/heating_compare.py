# heating_compare.py -- gas boiler or heat pump?  (evening class "Python for homeowners", unit 5)
#
# Our example house needs 18,000 kWh of heat per year (that is 18,000 * 3.6 = 64,800 MJ).
#
#   Gas boiler, efficiency 90 %:    18,000 / 0.90 = 20,000 kWh of gas
#                                   20,000 * 0.12 = 2,400 euros per year
#   Heat pump, seasonal COP 3.6:    18,000 / 3.6  = 5,000 kWh of electricity
#                                   5,000 * 0.30  = 1,500 euros per year
#
# Yearly saving: 2,400 - 1,500 = 900 euros. The heat pump costs 8,100 euros more to
# install (after the subsidy), so it has paid for itself after 8,100 / 900 = 9 years.
#
# CO2:  gas 20,000 * 0.201 = 4,020 kg, electricity 5,000 * 0.38 = 1,900 kg.
#       Reduction 2,120 kg, i.e. 52.7 %.
#
# With a bad COP of 2.4 it would be 7,500 kWh and 2,250 euros; then forget about it.
# Prices as of January 2024, they WILL be different when you read this.

HEAT_NEED = 18_000        # kWh per year
GAS_PRICE = 0.12          # euros per kWh
POWER_PRICE = 0.30        # euros per kWh


def gas_cost(efficiency=0.90):
    return HEAT_NEED / efficiency * GAS_PRICE


def pump_cost(cop=3.6):
    return HEAT_NEED / cop * POWER_PRICE


def payback(extra_cost=8_100):
    """Years until the extra cost is recovered."""
    return extra_cost / (gas_cost() - pump_cost())


if __name__ == "__main__":
    print(f"gas {gas_cost():.0f}  pump {pump_cost():.0f}  payback {payback():.1f} years")
