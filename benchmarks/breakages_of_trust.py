"""Breakages of the gate, of files and of what is printed: what benchmarks/mutations.py tries. Each names its tests."""

from breakages import Mutation

MUTATIONS: tuple[Mutation, ...] = ()
