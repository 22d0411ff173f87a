"""Packed numbers are what the gguf package unpacks, bit for bit, however they are read."""

import gguf
import numpy as np
import pytest

from regard.models.gguf.packed import KINDS, Packed
from regard.ops.contract import Contract
from regard.ops.given import Given
from regard.trace.step import Step

QUANTISED = [number for number, kind in KINDS.items() if kind.length > 1]
H, D, C = 3, 5, 512  # two or sixteen blocks


def random_bytes(number, rows, columns):
    """Any bytes, with scales that are no NaN."""
    kind = KINDS[number]
    generator = np.random.default_rng(number)
    blocks = generator.integers(0, 256, (rows, columns // kind.length * kind.type.itemsize), np.uint8).view(kind.type)
    for name in kind.type.names or ():
        if kind.type[name].kind == "f":
            blocks[name] = generator.normal(size=blocks[name].shape)
    return blocks


def unpacked(number, blocks):
    raw = blocks.view(np.uint8).reshape(len(blocks), -1)
    return gguf.quants.dequantize(raw, gguf.GGMLQuantizationType(number))


@pytest.fixture(params=QUANTISED, ids=lambda number: KINDS[number].name)
def number(request):
    return request.param


def test_the_kinds_have_the_sizes_and_numbers_that_the_package_has():
    for number, kind in KINDS.items():
        theirs = gguf.GGMLQuantizationType(number)
        assert (kind.name, (kind.length, kind.type.itemsize)) == (theirs.name, gguf.GGML_QUANT_SIZES[theirs])
    wanted = {"F32", "F16", "BF16", "Q8_0", "Q4_0", "Q4_1", "Q4_K", "Q6_K"}
    assert {kind.name for kind in KINDS.values()} == wanted


def test_every_number_is_the_package_s(number):
    blocks = random_bytes(number, 7, C)
    ours = np.asarray(Packed(blocks, KINDS[number], (7,), (C,), (0, 1)))
    assert ours.dtype == np.float64 and np.array_equal(ours, unpacked(number, blocks))


INDICES = [
    ..., 1, -1, slice(1, 3), (0, 300, 4), (slice(None), 37), (slice(None), slice(30, 35), 2), (..., 0),
    (slice(None), slice(400, 30, -7)), (slice(2, 2),), (1, slice(5, 5)), ([2, 0, 2],), (np.array([[1], [2]]), 511),
    (np.array([[2], [0]]), np.arange(512)[None], 3), (slice(None), [511, 0, 511]), (0, slice(None), [4, 4, 1]),
    (np.array([True, False, True]),), np.int64(2),
]  # fmt: skip


@pytest.mark.parametrize("at", INDICES, ids=str)
def test_it_is_read_as_numpy_reads_an_array(number, at):
    """With the axes of ours, W_Q's: heads, then what is summed over, then each head's own."""
    blocks, order = random_bytes(number, H * D, C), np.random.default_rng(1).permutation(H * D)
    packed = Packed(blocks, KINDS[number], (H, D), (C,), (0, 2, 1), order)
    whole = unpacked(number, blocks)[order].reshape(H, D, C).transpose(0, 2, 1).astype(np.float64)
    assert packed.shape == whole.shape and packed.size == whole.size and packed.ndim == 3
    assert np.array_equal(packed[at], whole[at])


def test_a_row_may_be_several_axes(number):
    """As W_O's: what is summed over is the heads, side by side."""
    blocks = random_bytes(number, D, C)
    packed = Packed(blocks, KINDS[number], (D,), (2, C // 2), (1, 2, 0))
    whole = unpacked(number, blocks).reshape(D, 2, C // 2).transpose(1, 2, 0)
    for at in (..., (1, 200, 3), (0,), (slice(None), slice(3, 9)), (..., np.array([1, 1]))):
        assert np.array_equal(packed[at], whole[at])


@pytest.mark.parametrize("at", [(0, 0, 0, 0), (..., ...), (None,), (9,), (0, 512)], ids=str)
def test_what_is_not_there_is_an_index_error(at):
    packed = Packed(random_bytes(8, H * D, C), KINDS[8], (H, D), (C,), (0, 2, 1))
    with pytest.raises(IndexError):
        packed[at]


@pytest.mark.parametrize("spec, other", [("TC,HCD->HTD", (2, C)), ("HTD,HCD->TC", (H, 2, D)), ("D,HCD->HC", (D,))])
def test_products_are_those_of_the_whole_matrix(number, spec, other, monkeypatch):
    """Block by block, along rows and along what lies in a row."""
    monkeypatch.setattr("regard.ops.narrow.BLOCK", 97)
    blocks = random_bytes(number, H * D, C)
    packed = Packed(blocks, KINDS[number], (H, D), (C,), (0, 2, 1))
    first = np.random.default_rng(2).normal(size=other)
    steps = Step("a", Given(first, spec.split(",")[0])), Step("W", Given(packed, "HCD", "parameter"))
    found = Step("product", Contract(spec), steps).value
    expected = np.einsum(spec, first, np.asarray(packed))
    assert np.abs(found - expected).max() <= 1e-12 * np.abs(expected).max()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_scale_that_is_not_finite_is_found(number, bad):
    blocks = random_bytes(number, 3, C)
    assert KINDS[number].are_finite(blocks)
    blocks["scale"][2, 1] = bad
    assert not KINDS[number].are_finite(blocks)
