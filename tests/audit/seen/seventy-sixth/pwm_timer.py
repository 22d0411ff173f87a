"""PWM and sampling set-up for the pump driver (design note 22).

The timer runs from a 72 MHz clock through a prescaler; the counter counts 0..ARR.
"""
CLK = 72_000_000

# Fan: 25 kHz PWM, no prescaling
fan_arr = CLK // 25_000 - 1            # 72,000,000 / 25,000 = 2,880, minus 1: 2,879
fan_35 = round(0.35 * (fan_arr + 1))   # 35 % duty: 1,008

# Pump: 50 Hz servo signal, prescaler 72 -> one tick is 1 us
tick_hz = CLK // 72                    # 1,000,000 Hz
pump_arr = tick_hz // 50 - 1           # 19,999
idle, full = 1_000, 2_000              # pulse width in us


def pulse(percent):
    return idle + (full - idle) * percent // 100


p40 = pulse(40)                        # 1000 + 1000 * 40 / 100 = 1,400 us
p85 = pulse(85)                        # 1,850 us
duty85 = p85 / 20_000                  # 0.0925 of the 20 ms period, i.e. 9.25 %

# Average current: coil 12 V / 4.8 ohm
i_max = 12 / 4.8                       # 2.5 A
i_avg = i_max * 0.35                   # at 35 %: 0.875 A
power = 12 * i_avg                     # 10.5 W

# ADC: 12 bits, 3.3 V reference, shunt 0.1 ohm, gain 8
lsb_mv = 3300 / 4096                   # 0.8057 mV
v_shunt_mv = i_avg * 0.1 * 1000        # 87.5 mV
v_adc_mv = v_shunt_mv * 8              # 700 mV
code = int(v_adc_mv / lsb_mv)          # 700 / 0.8057 = 868.8, so code 868
limit = int(i_max * 0.1 * 8 * 1000 / lsb_mv)   # 2,000 mV: 2,482
