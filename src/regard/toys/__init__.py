"""Toys: models small enough to check by hand, as data. One TOML file each, in the format that anybody can write."""
