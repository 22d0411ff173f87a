"""What one connection may do, and how much work may wait. How much a State may ask for is in session/limits.py."""

BODY = 2_000_000  # bytes of a request
THREADS = 3  # for computing, each with its own models
WAITING = 32  # requests in the queue
CONNECTIONS = 800
WATCHERS = 200  # of training
SECONDS_FOR_HEADERS = 10
SECONDS_FOR_BODY = 20
SECONDS_FOR_ANSWER = 60  # without any progress in sending it
