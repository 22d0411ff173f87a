"""Word vectors: one vector per word, whoever made them; what stands near what, and files of every common kind."""
