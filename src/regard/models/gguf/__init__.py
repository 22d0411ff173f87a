"""The border to GGUF, llama.cpp's files: the format, its packed numbers, and a Model made of them. Needs no torch."""
