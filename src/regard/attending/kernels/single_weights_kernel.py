"""Single weights, found by their places or by their size, in Triton: the keys that a query reads most, one chosen key.

What reaches a bound that the one pass has found is walked over again; all else needs one product for each weight.
"""
# pyright: basic, reportArgumentType=false, reportCallIssue=false, reportGeneralTypeIssues=false
# pyright: reportAttributeAccessIssue=false, reportOperatorIssue=false, reportAssignmentType=false
# what Triton compiles has no types that a checker knows
# ruff: noqa: ARG001
# (these kernels take one list of sizes, whether they need all of it or not)

import triton
import triton.language as tl

from regard.attending.kernels.look_kernel import FAR, NOBODY, changed, compiled, keys_at, queries_at, reach_of


@compiled
def _beyond(
    q, k, begins, ends, shifts, rests, visible, bias, bounds, counts, kept_keys, kept,
    queries, keys, first_place, heads, shared, factor, cap,
    q_text, q_head, q_row, k_text, k_head, k_row, span_text, span_head,
    see_text, see_head, see_row, see_key, bias_text, bias_head, bias_row, bias_key,
    WIDTH: tl.constexpr, FIRST: tl.constexpr, REST: tl.constexpr, PRECISION: tl.constexpr, ALIGNED: tl.constexpr,
    REST_OF_SHIFT: tl.constexpr, MASK: tl.constexpr, CAP: tl.constexpr, BIAS: tl.constexpr, REACH: tl.constexpr,
    KEEP: tl.constexpr, ROWS: tl.constexpr, KEYS: tl.constexpr, STAGES: tl.constexpr,
):  # fmt: skip
    """All weights that reach a row's bound, in the order of their keys: few. Here a tile lies rows × keys, so that a
    row's keys are one thread's and its neighbours'."""
    block = tl.num_programs(0) - 1 - tl.program_id(0)
    each = tl.program_id(1).to(tl.int64)
    text, head = each // heads, each % heads
    row = block * ROWS + tl.arange(0, ROWS)
    mine = row < queries
    out = each * queries + row
    begin = tl.load(begins + text * span_text + head * span_head + row, mask=mine, other=0)
    end = tl.load(ends + text * span_text + head * span_head + row, mask=mine, other=0)
    start, inner, outer, stop = reach_of(begin, end, KEYS, MASK)
    shift = tl.where(begin < end, tl.load(shifts + out, mask=mine, other=0.0), -FAR)
    rest = tl.zeros([ROWS], tl.float32)
    if REST_OF_SHIFT:
        rest = tl.load(rests + out, mask=mine, other=0.0)
    # a tensor core may add in another order here, so a little less is enough; what is hidden reaches no bound
    least = tl.load(bounds + out, mask=mine, other=0.0)
    # (loaded once more: Triton 3.6 cannot lay out one value for this and for the tiles)
    size = tl.abs(least) + tl.abs(tl.load(shifts + out, mask=mine, other=0.0))
    least = tl.maximum(least - 1e-3 - 1e-6 * size, FAR / 2)
    k_row = tl.multiple_of(k_row, ALIGNED)
    q += text * q_text + head * q_head
    k += text * k_text + head // shared * k_head
    if MASK:
        visible += text * see_text + head * see_head
    if BIAS != "none":
        bias += text * bias_text + head * bias_head
    q_first = queries_at(q, q_row, row, mine, 0, FIRST, WIDTH)
    q_rest = q_first
    if REST:
        q_rest = queries_at(q, q_row, row, mine, FIRST, REST, WIDTH)
    count = tl.zeros([ROWS], tl.int32)
    order = tl.arange(0, KEYS)
    for phase in tl.static_range(3):
        low = start if phase == 0 else inner if phase == 1 else outer
        high = inner if phase == 0 else outer if phase == 1 else stop
        for here in tl.range(low, high, KEYS, num_stages=STAGES):
            key = here + order
            inside = key < keys
            where = k + tl.cast(here, tl.int64) * k_row
            part = keys_at(where, k_row, order, inside, 0, FIRST, WIDTH, phase == 1)
            scores = tl.dot(q_first, tl.trans(part), input_precision=PRECISION)
            if REST:
                part = keys_at(where, k_row, order, inside, FIRST, REST, WIDTH, phase == 1)
                scores = tl.dot(q_rest, tl.trans(part), scores, input_precision=PRECISION)
            scores = changed(
                scores, row[:, None], first_place, key[None, :], bias, bias_row, bias_key,
                inside[None, :] & mine[:, None], factor, cap, CAP, BIAS, REACH,
            )  # fmt: skip
            logarithm = scores - shift[:, None]
            if REST_OF_SHIFT:
                logarithm -= rest[:, None]
            reaches = logarithm >= least[:, None]
            if phase != 1:
                seen = (key[None, :] >= begin[:, None]) & (key[None, :] < end[:, None])
                if MASK:
                    there = row.to(tl.int64)[:, None] * see_row + key.to(tl.int64)[None, :] * see_key
                    seen = seen & (tl.load(visible + there, mask=seen, other=0) != 0)
                reaches = reaches & seen
            for _ in range(tl.max(tl.sum(reaches.to(tl.int32), 1), 0)):
                first = tl.min(tl.where(reaches, key[None, :], NOBODY), 1)
                is_first = key[None, :] == first[:, None]
                found = tl.max(tl.where(is_first, logarithm, FAR), 1)
                keeps = (first < NOBODY) & (count < KEEP)
                tl.store(kept_keys + out * KEEP + count, first, mask=keeps)
                tl.store(kept + out * KEEP + count, found, mask=keeps)
                count += (first < NOBODY).to(tl.int32)
                reaches = reaches & (key[None, :] > first[:, None])
    tl.store(counts + out, count, mask=mine)


@triton.jit
def _select(counts, kept_keys, kept, top_keys, top, rows, KEEP: tl.constexpr, TOP: tl.constexpr, ROWS: tl.constexpr):
    """The largest of those kept of each row, in their order; of equal ones, the earlier key first."""
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    at = tl.arange(0, KEEP)
    there = (row < rows)[:, None] & (at[None, :] < tl.load(counts + row, mask=row < rows, other=0)[:, None])
    logarithm = tl.load(kept + row[:, None] * KEEP + at[None, :], mask=there, other=FAR)
    key = tl.load(kept_keys + row[:, None] * KEEP + at[None, :], mask=there, other=NOBODY)
    for nth in range(TOP):
        most = tl.max(logarithm, 1)
        first = tl.min(tl.where(logarithm == most[:, None], key, NOBODY), 1)
        p = tl.exp2(most)
        tl.store(top + row * TOP + nth, p, mask=row < rows)
        tl.store(top_keys + row * TOP + nth, tl.where(p > 0, first, -1), mask=row < rows)
        logarithm = tl.where(key == first[:, None], FAR, logarithm)


@triton.jit
def _seen(begins, ends, visible, text, head, row, key, mine, span_text, span_head, see_text, see_head, see_row, see_key,
          MASK: tl.constexpr):  # fmt: skip
    """Whether each row sees its one key."""
    span = text * span_text + head * span_head + row
    seen = (key >= tl.load(begins + span, mask=mine, other=0)) & (key < tl.load(ends + span, mask=mine, other=0)) & mine
    if MASK:
        there = text * see_text + head * see_head + row.to(tl.int64) * see_row + key.to(tl.int64) * see_key
        seen = seen & (tl.load(visible + there, mask=seen, other=0) != 0)
    return seen


@compiled
def _refine(
    q, k, begins, ends, visible, bias, mosts,
    queries, keys, first_place, heads, shared, factor, cap,
    q_text, q_head, q_row, k_text, k_head, k_row, span_text, span_head,
    see_text, see_head, see_row, see_key, bias_text, bias_head, bias_row, bias_key,
    WIDTH: tl.constexpr, PADDED: tl.constexpr, MASK: tl.constexpr, CAP: tl.constexpr,
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
        seen = _seen(begins, ends, visible, text, head, row, key, (first >= 0), span_text, span_head,
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
    seen = _seen(begins, ends, visible, text, head, row, key, mine, span_text, span_head,
                 see_text, see_head, see_row, see_key, MASK)  # fmt: skip
    at = tl.arange(0, PADDED)
    there = seen[:, None] & (at < WIDTH)[None, :]
    asking = tl.load(
        q + text * q_text + head * q_head + row.to(tl.int64)[:, None] * q_row + at[None, :], mask=there, other=0.0
    )
    asked = tl.load(
        k + text * k_text + head // shared * k_head + key.to(tl.int64)[:, None] * k_row + at[None, :],
        mask=there,
        other=0.0,
    )
    scores = tl.sum(asking.to(tl.float32) * asked.to(tl.float32), 1)
    if BIAS != "none":
        bias += text * bias_text + head * bias_head
    scores = changed(scores, row, first_place, key, bias, bias_row, bias_key, seen, factor, cap, CAP, BIAS, REACH)
    logarithm = scores - tl.load(shifts + each * queries + row, mask=mine, other=0.0)
    if REST_OF_SHIFT:
        logarithm -= tl.load(rests + each * queries + row, mask=mine, other=0.0)
    p = tl.where(seen, tl.exp2(logarithm), 0.0)
    tl.store(out + (each * tl.num_programs(2) + nth) * queries + row, p, mask=mine)
