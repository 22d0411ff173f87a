# Car loan: 10,900 over 24 months at 7.2% nominal, i.e. 0.6% a month.
#
#   payment = P * r / (1 - (1 + r) ** -n)
#           = 10900 * 0.006 / (1 - 1.006 ** -24)
#           = 65.4 / 0.133740
#           = 489.01
#
# First month: interest 65.40, principal 423.61, left 10476.39
# Total paid over 24 months: 11736.24
# Total interest: 832.64


def payment(p, r, n):
    return p * r / (1 - (1 + r) ** -n)


def schedule(p, r, n):
    pay = payment(p, r, n)
    for month in range(1, n + 1):
        interest = p * r
        p -= pay - interest
        yield month, interest, p


if __name__ == "__main__":
    print(f"{payment(10900, 0.006, 24):.2f}")  # prints 489.01
