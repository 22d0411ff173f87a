"""How large a toy may be: small enough to be checked by hand, or at least to be read."""

MAX_TOKENS = 64
MOST_WORDS, MOST_WIDTH, MOST_HEADS, MOST_LAYERS = 1000, 256, 32, 12
