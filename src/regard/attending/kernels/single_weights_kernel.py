"""Single weights by their places, in Triton: a tile of them, one chosen key of each query, one of a group of keys."""
# pyright: basic, reportArgumentType=false, reportCallIssue=false, reportGeneralTypeIssues=false
# pyright: reportAttributeAccessIssue=false, reportOperatorIssue=false, reportAssignmentType=false
# what Triton compiles has no types that a checker knows
# ruff: noqa: ARG001
# (these kernels take one list of sizes, whether they need all of it or not)

import triton
import triton.language as tl

from regard.attending.kernels.look_kernel import FAR, added_in_order, changed, compiled, keys_at, queries_at, weight_of


@triton.jit
def sees(begins, ends, visible, text, head, row, key, mine, span_text, span_head, see_text, see_head, see_row, see_key,
          MASK: tl.constexpr):  # fmt: skip
    """Whether each row sees its one key."""
    span = text * span_text + head * span_head + row
    seen = (key >= tl.load(begins + span, mask=mine, other=0)) & (key < tl.load(ends + span, mask=mine, other=0)) & mine
    if MASK:
        there = text * see_text + head * see_head + row.to(tl.int64) * see_row + key.to(tl.int64) * see_key
        seen = seen & (tl.load(visible + there, mask=seen, other=0) != 0)
    return seen


@compiled
def _tile(
    q, k, begins, ends, shifts, rests, visible, bias, out,
    queries, keys, first_place, heads, shared, factor, cap,
    q_text, q_head, q_row, k_text, k_head, k_row, span_text, span_head,
    see_text, see_head, see_row, see_key, bias_text, bias_head, bias_row, bias_key,
    WIDTH: tl.constexpr, FIRST: tl.constexpr, REST: tl.constexpr, PRECISION: tl.constexpr,
    REST_OF_SHIFT: tl.constexpr, MASK: tl.constexpr, CAP: tl.constexpr, BIAS: tl.constexpr, REACH: tl.constexpr,
    ROWS: tl.constexpr, KEYS: tl.constexpr,
):  # fmt: skip
    """Every weight, rows × keys: of parts that are small."""
    each = tl.program_id(2).to(tl.int64)
    text, head = each // heads, each % heads
    row, key = tl.program_id(1) * ROWS + tl.arange(0, ROWS), tl.program_id(0) * KEYS + tl.arange(0, KEYS)
    mine, inside = row < queries, key < keys
    q += text * q_text + head * q_head
    k += text * k_text + head // shared * k_head
    there, wide = row.to(tl.int64), key.to(tl.int64)
    asked = tl.trans(keys_at(k, k_row, wide, inside, 0, FIRST, WIDTH, False))
    scores = tl.dot(queries_at(q, q_row, row, mine, 0, FIRST, WIDTH), asked, input_precision=PRECISION)
    if REST:
        asked = tl.trans(keys_at(k, k_row, wide, inside, FIRST, REST, WIDTH, False))
        scores = tl.dot(queries_at(q, q_row, row, mine, FIRST, REST, WIDTH), asked, scores, input_precision=PRECISION)
    both = mine[:, None] & inside[None, :]
    if BIAS != "none":
        bias += text * bias_text + head * bias_head
    scores = changed(
        scores, row[:, None], first_place, key[None, :], bias, bias_row, bias_key, both, factor, cap, CAP, BIAS, REACH
    )
    span = text * span_text + head * span_head + row
    begin, end = tl.load(begins + span, mask=mine, other=0), tl.load(ends + span, mask=mine, other=0)
    seen = (key[None, :] >= begin[:, None]) & (key[None, :] < end[:, None])
    if MASK:
        visible += text * see_text + head * see_head
        seen = seen & (tl.load(visible + there[:, None] * see_row + wide[None, :] * see_key, mask=seen, other=0) != 0)
    logarithm = scores - tl.load(shifts + each * queries + row, mask=mine, other=0.0)[:, None]
    if REST_OF_SHIFT:
        logarithm -= tl.load(rests + each * queries + row, mask=mine, other=0.0)[:, None]
    p = tl.where(seen, weight_of(logarithm), 0.0)
    tl.store(out + (each * queries + there)[:, None] * keys + key[None, :], p, mask=both)


@compiled
def _refine(
    q, k, begins, ends, shifts, rests, visible, bias, mosts,
    queries, keys, first_place, heads, shared, factor, cap,
    q_text, q_head, q_row, k_text, k_head, k_row, span_text, span_head,
    see_text, see_head, see_row, see_key, bias_text, bias_head, bias_row, bias_key,
    WIDTH: tl.constexpr, PADDED: tl.constexpr, REST_OF_SHIFT: tl.constexpr, MASK: tl.constexpr, CAP: tl.constexpr,
    BIAS: tl.constexpr, REACH: tl.constexpr, GROUP: tl.constexpr, ROWS: tl.constexpr,
):  # fmt: skip
    """Which key of its group a query reads most: the group's first key is there, and the others follow it."""
    each = tl.program_id(1).to(tl.int64)
    text, head = each // heads, each % heads
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    first = tl.load(mosts + each * queries + row, mask=row < queries, other=-1)
    at = tl.arange(0, PADDED)
    q += text * q_text + head * q_head
    asking = tl.load(
        q + row.to(tl.int64)[:, None] * q_row + at[None, :],
        mask=(first >= 0)[:, None] & (at < WIDTH)[None, :], other=0.0,
    ).to(tl.float32)  # fmt: skip
    if BIAS != "none":
        bias += text * bias_text + head * bias_head
    largest = tl.full([ROWS], FAR, tl.float32)
    most = first
    for nth in tl.static_range(GROUP):
        key = first + nth
        seen = sees(begins, ends, visible, text, head, row, key, (first >= 0), span_text, span_head,
                   see_text, see_head, see_row, see_key, MASK)  # fmt: skip
        asked = tl.load(
            k + text * k_text + head // shared * k_head + key.to(tl.int64)[:, None] * k_row + at[None, :],
            mask=seen[:, None] & (at < WIDTH)[None, :], other=0.0,
        )  # fmt: skip
        scores = tl.sum(asking * asked.to(tl.float32), 1)
        scores = changed(scores, row, first_place, key, bias, bias_row, bias_key, seen, factor, cap, CAP, BIAS, REACH)
        scores = tl.where(seen, scores, FAR)
        most = tl.where(scores > largest, key, most)
        largest = tl.maximum(largest, scores)
    tl.store(mosts + each * queries + row, most, mask=row < queries)


@compiled
def _at(
    q, k, begins, ends, shifts, rests, visible, bias, chosen, out,
    queries, keys, first_place, heads, shared, factor, cap,
    q_text, q_head, q_row, k_text, k_head, k_row, span_text, span_head,
    see_text, see_head, see_row, see_key, bias_text, bias_head, bias_row, bias_key,
    WIDTH: tl.constexpr, PADDED: tl.constexpr, REST_OF_SHIFT: tl.constexpr, MASK: tl.constexpr, CAP: tl.constexpr,
    BIAS: tl.constexpr, REACH: tl.constexpr, BACK: tl.constexpr, ROWS: tl.constexpr,
):  # fmt: skip
    """One weight of each query: on a chosen key, or on the one so many places back."""
    each, nth = tl.program_id(1).to(tl.int64), tl.program_id(2)
    text, head = each // heads, each % heads
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    mine = row < queries
    number = tl.load(chosen + nth)
    key = row + first_place - number if BACK else tl.zeros([ROWS], tl.int32) + number
    seen = sees(begins, ends, visible, text, head, row, key, mine, span_text, span_head,
                see_text, see_head, see_row, see_key, MASK)  # fmt: skip
    q += text * q_text + head * q_head + row.to(tl.int64) * q_row
    k += text * k_text + head // shared * k_head + key.to(tl.int64) * k_row
    if q.dtype.element_ty == tl.float32:
        scores = added_in_order(q, k, seen, WIDTH)
    else:
        at = tl.arange(0, PADDED)
        there = seen[:, None] & (at < WIDTH)[None, :]
        asking = tl.load(q[:, None] + at[None, :], mask=there, other=0.0).to(tl.float32)
        asked = tl.load(k[:, None] + at[None, :], mask=there, other=0.0).to(tl.float32)
        scores = tl.sum(asking * asked, 1)
    if BIAS != "none":
        bias += text * bias_text + head * bias_head
    scores = changed(scores, row, first_place, key, bias, bias_row, bias_key, seen, factor, cap, CAP, BIAS, REACH)
    logarithm = scores - tl.load(shifts + each * queries + row, mask=mine, other=0.0)
    if REST_OF_SHIFT:
        logarithm -= tl.load(rests + each * queries + row, mask=mine, other=0.0)
    p = tl.where(seen, weight_of(logarithm), 0.0)
    tl.store(out + (each * tl.num_programs(2) + nth) * queries + row, p, mask=mine)
