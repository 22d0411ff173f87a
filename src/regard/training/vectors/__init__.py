"""How words get their vectors: texts → numbers on disk → skip-gram, CBOW or GloVe → WordVectors."""
