"""Models small enough to check by hand, with the numbers of the documents."""
