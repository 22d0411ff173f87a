"""The page in the browser: one local server, one door, every number bounded.

A request carries the whole State of what is on screen; the answer is made from a Trace. The server remembers nothing
about its clients, only traces that it has computed before.
"""
