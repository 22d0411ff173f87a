"""Files of word vectors: one module per kind, each with a reader and a writer."""
