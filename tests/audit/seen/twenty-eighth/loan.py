# Loan schedule for the used van.
# Offer from the bank dated 5 June 2025, reference 88-1043.
#
# Principal 12,000.00, 6 % a year, 36 monthly payments.
# Monthly rate: 6 % / 12 = 0.5 %, i.e. 0.005.
#
# Payment = 12000 * 0.005 / (1 - 1.005 ** -36)
#         = 60 / (1 - 0.835645)
#         = 365.06
#
# Total paid: 36 * 365.06 = 13,142.16, so the interest is 1,142.16 altogether.
#
# The first months:
#   month 1: interest 12,000.00 * 0.005 = 60.00, repaid 365.06 - 60.00 = 305.06,
#            left 12,000.00 - 305.06 = 11,694.94
#   month 2: interest 11,694.94 * 0.005 = 58.47, repaid 365.06 - 58.47 = 306.59,
#            left 11,694.94 - 306.59 = 11,388.35
#   month 3: interest 11,388.35 * 0.005 = 56.94, repaid 365.06 - 56.94 = 308.12,
#            left 11,388.35 - 308.12 = 11,180.23
#
# The dealer's own offer was 389 a month over 36 months: 14,004 in total, no thanks.


def payment(principal, yearly_rate, months):
    r = yearly_rate / 12
    return principal * r / (1 - (1 + r) ** -months)


def schedule(principal, yearly_rate, months):
    pay = round(payment(principal, yearly_rate, months), 2)
    left = principal
    for month in range(1, months + 1):
        interest = round(left * yearly_rate / 12, 2)
        left = round(left - (pay - interest), 2)
        yield month, interest, pay - interest, left


if __name__ == "__main__":
    for row in schedule(12_000, 0.06, 36):
        print("%3d %8.2f %8.2f %10.2f" % row)
