"""Small helpers for durations and dates."""
from datetime import date, timedelta

DAY = 86_400            # 24 * 60 * 60 seconds
WEEK = 604_800          # 7 days
YEAR = 31_536_000       # 365 days, leap years ignored
NIGHT = 8.5 * 3600      # 22:30 to 07:00, i.e. 30,600 s


def hms(seconds):
    """Write seconds as h:mm:ss.

    >>> hms(3661)
    '1:01:01'
    >>> hms(7_325)
    '2:02:05'
    >>> hms(DAY - 1)
    '23:59:59'
    """
    h, rest = divmod(seconds, 3600)
    m, s = divmod(rest, 60)
    return f"{h}:{m:02d}:{s:02d}"


def days_between(a, b):
    """
    >>> days_between(date(2024, 2, 1), date(2024, 3, 1))
    29
    >>> days_between(date(2023, 12, 24), date(2024, 1, 6))
    13
    >>> date(2024, 9, 30) + timedelta(days=45)
    datetime.date(2024, 11, 15)
    """
    return (b - a).days


if __name__ == "__main__":
    print(hms(10_000))                                           # -> 2:46:40
    print(days_between(date(2024, 1, 1), date(2025, 1, 1)))      # -> 366
    print(round(YEAR / WEEK, 2))                                 # -> 52.14
