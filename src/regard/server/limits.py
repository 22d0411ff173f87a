"""What one connection may do, and how much work may wait. How much a State may ask for is in session/limits.py."""

BODY = 2_000_000  # bytes of a request
CHECKED_AT_ONCE = 16_384  # bytes of a request that are checked without a thread: a millisecond
NAMES = 40_000  # in a request; 500 changes have 3,000, and a text of nothing but quotes and colons 10,000
THREADS = 3  # for computing
WAITING = 32  # requests in the queue
CONNECTIONS = 800
WATCHERS = 200  # of training
SECONDS_FOR_HEADERS = 10
SECONDS_FOR_BODY = 20
SECONDS_FOR_ANSWER = 60  # without any progress in sending it
