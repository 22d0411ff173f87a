"""A run as a graph of named steps: reading, explaining, editing, differentiating, learning."""

from regard.trace.arithmetic import Arithmetic
from regard.trace.labels import Labels
from regard.trace.step import Cell, Step
from regard.trace.trace import Trace
from regard.trace.values import Values

__all__ = ["Arithmetic", "Cell", "Labels", "Step", "Trace", "Values"]
