"""What an operation is: a handful of kinds, plain data, closed under differentiation."""

from regard.ops.contract import Contract
from regard.ops.given import Given
from regard.ops.map import Map
from regard.ops.merge import Merge, Split
from regard.ops.operation import New, Operation, operation_from_data
from regard.ops.peak import Peak
from regard.ops.pick import Pick, Scatter
from regard.ops.replace import Replace

__all__ = [
    "Contract",
    "Given",
    "Map",
    "Merge",
    "New",
    "Operation",
    "Peak",
    "Pick",
    "Replace",
    "Scatter",
    "Split",
    "operation_from_data",
]
