"""Breakages of the bounds on memory and time: what benchmarks/mutations.py tries. Each names its tests."""

from breakages import Mutation

MUTATIONS: tuple[Mutation, ...] = ()
