"""The keys that each query reads most, in Triton: found from marks that the one pass left, without a second one.

The keys of a row are cut into stretches, a stretch into groups: the keys that stand in the same place of each of its
tiles. A mark tells of a group how large its largest weight is, how large its second, and where the largest stands.

1. `_candidates`: of all groups that stand in the same place, take the largest; `count` of these places reach the last
   one of the `count` largest, so that many weights do, and what is smaller is out. Few groups reach it, 9 of 1,024 if
   weights are random and 8 are asked for. Of a group whose second does not reach it, only the largest is a candidate.
2. `_weigh`: a product for each candidate; what reaches the bound is kept.
3. `_select`: the largest of those kept. Of equal ones, the earlier key comes first.

Where too many reach the bound, as when all weights are equal, `_walk` goes over the whole row.
"""
# pyright: basic, reportArgumentType=false, reportCallIssue=false, reportGeneralTypeIssues=false
# pyright: reportAttributeAccessIssue=false, reportOperatorIssue=false, reportAssignmentType=false
# what Triton compiles has no types that a checker knows
# ruff: noqa: ARG001
# (these kernels take one list of sizes, whether they need all of it or not)

import triton
import triton.language as tl

from regard.attending.kernels.look_kernel import FAR, NOBODY, added_in_order, changed, code_of, compiled, weight_of

NOTHING = tl.constexpr(160.0)  # −log₂ of what single precision calls 0


@compiled
def _candidates(
    marks, reaches, rows, places, shifts, limits, counts, candidates, overflow, overflown, queries, marks_of_head,
    COUNT: tl.constexpr, LISTED: tl.constexpr, KEYS: tl.constexpr, GROUPS: tl.constexpr, STRETCH: tl.constexpr,
    ROWS: tl.constexpr, LANES: tl.constexpr,
):  # fmt: skip
    """Lists groups whose largest weight may be one of those asked for: from the front those of which only the largest
    may be, from the back those that are looked through."""
    each = tl.program_id(1).to(tl.int64)
    lane = tl.program_id(0) * LANES + tl.arange(0, LANES)
    row = tl.load(rows + lane)
    slot = each * (tl.num_programs(0) * LANES) + lane
    group = tl.arange(0, GROUPS)
    block = tl.program_id(0) * LANES // ROWS
    reaches += (each * (tl.num_programs(0) * LANES // ROWS) + block) * 2
    low = tl.load(reaches) // (KEYS * STRETCH)
    high = (tl.load(reaches + 1) + KEYS * STRETCH - 1) // (KEYS * STRETCH)
    MARKED: tl.constexpr = ROWS * GROUPS
    marks += tl.multiple_of(each * marks_of_head + tl.load(places + block * 4 + 2), 16)
    marks += (lane % ROWS)[:, None] * GROUPS + group[None, :]

    least = tl.full([LANES, GROUPS], NOBODY, tl.int32)
    for stretch in range(low, high):
        least = tl.minimum(least, tl.load(marks + stretch * MARKED))
    least = (least >> 16 << 6) | group[None, :]  # no two are equal
    last = tl.min(least, 1)
    for _ in range(1, COUNT):
        least = tl.where(least == last[:, None], NOBODY, least)
        last = tl.min(least, 1)
    # so large is, at most, −log₂ of the last of them; other kernels may add in another order, so a little more
    last = tl.minimum((last >> 6) + 1, 0x7BFF)
    limit = (last << 13).to(tl.float32, bitcast=True) * 5.192296858534828e33  # 2^112
    size = limit + tl.abs(tl.load(shifts + each * queries + row, mask=row >= 0, other=0.0))
    limit = tl.minimum(limit * 1.00004 + 1e-3 + 1e-6 * size, NOTHING)
    tl.store(limits + slot, limit)

    count = tl.zeros([LANES], tl.int32)
    for stretch in range(low, high):
        mark = tl.load(marks + stretch * MARKED)
        found = (mark >> 16 <= code_of(limit, 15)[:, None]) & (row >= 0)[:, None]
        whole = found & ((mark >> 6 & 1023) <= code_of(limit, 10)[:, None])
        one = tl.where(whole, 65536, found.to(tl.int32))  # both are counted in one number
        upto = count[:, None] + tl.cumsum(one, 1)
        at = tl.where(whole, LISTED - (upto >> 16), (upto & 65535) - 1)
        names = (stretch * GROUPS + group[None, :]) * 64 + (mark & 63)
        tl.store(candidates + slot[:, None] * LISTED + at, names, mask=found & (at >= 0) & (at < LISTED))
        count += tl.sum(one, 1)
    many = (count & 65535) + (count >> 16) > LISTED
    tl.store(counts + slot, tl.where(many, 0, count))
    place = tl.atomic_add(overflow + tl.zeros([LANES], tl.int32), 1, mask=many)
    tl.store(overflown + place, each * queries + row, mask=many)


@triton.jit
def _logarithms(
    q, k, visible, bias, row, key, seen, high, low,
    first_place, factor, cap, k_row, see_row, see_key, bias_row, bias_key,
    WIDTH: tl.constexpr, PADDED: tl.constexpr, MASK: tl.constexpr, CAP: tl.constexpr,
    BIAS: tl.constexpr, REACH: tl.constexpr,
):  # fmt: skip
    """log₂ of one row's weights on some keys; its query lies at `q`, and `high` and `low` divide them."""
    if MASK:
        there = row.to(tl.int64) * see_row + key.to(tl.int64) * see_key
        seen = seen & (tl.load(visible + there, mask=seen, other=0) != 0)
    k += key.to(tl.int64) * k_row
    if k.dtype.element_ty == tl.float32:
        scores = added_in_order(q + key * 0, k, seen, WIDTH)
    else:
        # a wide one piece by piece: few threads share a key, so that few steps add up what they have
        PIECE: tl.constexpr = PADDED if PADDED <= 64 else 32
        products = tl.zeros([key.shape[0], PIECE], tl.float32)
        for first in tl.static_range(0, WIDTH, PIECE):
            at = first + tl.arange(0, PIECE)
            asking = tl.load(q + at, mask=at < WIDTH, other=0.0).to(tl.float32)
            asked = tl.load(k[:, None] + at[None, :], mask=seen[:, None] & (at < WIDTH)[None, :], other=0.0)
            products += asking[None, :] * asked.to(tl.float32)
        scores = tl.sum(products, 1)
    scores = changed(
        scores, row + key * 0, first_place, key, bias, bias_row, bias_key, seen, factor, cap, CAP, BIAS, REACH
    )
    return tl.where(seen, tl.maximum(scores - high - low, FAR), FAR)


@compiled
def _weigh(
    q, k, begins, ends, shifts, rests, visible, bias,
    rows, limits, counts, candidates, kept_keys, kept, overflow, overflown,
    queries, keys, first_place, heads, shared, factor, cap,
    q_text, q_head, q_row, k_text, k_head, k_row, span_text, span_head,
    see_text, see_head, see_row, see_key, bias_text, bias_head, bias_row, bias_key,
    WIDTH: tl.constexpr, PADDED: tl.constexpr, REST_OF_SHIFT: tl.constexpr, MASK: tl.constexpr, CAP: tl.constexpr,
    BIAS: tl.constexpr, REACH: tl.constexpr, LISTED: tl.constexpr, KEYS: tl.constexpr, GROUPS: tl.constexpr,
    STRETCH: tl.constexpr, STEP: tl.constexpr, AT_ONCE: tl.constexpr,
):  # fmt: skip
    """The candidates of one row, and their weights: those that reach the bound are kept."""
    text, head = tl.program_id(2).to(tl.int64), tl.program_id(1)
    each = text * heads + head
    row = tl.load(rows + tl.program_id(0))
    slot = each * tl.num_programs(0) + tl.program_id(0)
    counted = tl.load(counts + slot)
    if (row >= 0) & (counted > 0):
        wide = head.to(tl.int64)
        span = text * span_text + wide * span_head + row
        begin, end, limit = tl.load(begins + span), tl.load(ends + span), tl.load(limits + slot)
        high = tl.load(shifts + each * queries + row)
        low = 0.0
        if REST_OF_SHIFT:
            low = tl.load(rests + each * queries + row)
        its_q = q + text * q_text + wide * q_head + row.to(tl.int64) * q_row
        k += text * k_text + (head // shared).to(tl.int64) * k_head
        if MASK:
            visible += text * see_text + wide * see_head
        if BIAS != "none":
            bias += text * bias_text + wide * bias_head
        candidates += slot * LISTED
        kept_keys += slot * LISTED
        kept += slot * LISTED
        SIDE: tl.constexpr = KEYS // GROUPS  # neighbouring keys of a group
        count = 0
        alone = (counted & 65535) * (SIDE * STEP)  # keys where a largest may be; after them, all keys of whole groups
        every = alone + (counted >> 16) * (SIDE * STRETCH)
        for start in range(0, every, AT_ONCE):
            nth = start + tl.arange(0, AT_ONCE)
            later = nth - alone
            which = tl.where(later < 0, nth // (SIDE * STEP), LISTED - 1 - later // (SIDE * STRETCH))
            name = tl.load(candidates + which, mask=nth < every, other=0)
            turn = tl.where(later < 0, (name & 63) * STEP + nth // SIDE % STEP, later // SIDE % STRETCH)
            key = ((name >> 6) // GROUPS * STRETCH + turn) * KEYS + (name >> 6) % GROUPS * SIDE + nth % SIDE
            found = _logarithms(
                its_q, k, visible, bias, row, key, (key >= begin) & (key < end) & (nth < every), high, low,
                first_place, factor, cap, k_row, see_row, see_key, bias_row, bias_key,
                WIDTH, PADDED, MASK, CAP, BIAS, REACH,
            )  # fmt: skip
            keeps = (found >= -limit).to(tl.int32)
            at = count + tl.cumsum(keeps, 0) - 1
            there = (keeps > 0) & (at < LISTED)
            tl.store(kept_keys + at, key, mask=there)
            tl.store(kept + at, found, mask=there)
            count += tl.sum(keeps, 0)
        tl.store(counts + slot, tl.minimum(count, LISTED))
        if count > LISTED:
            tl.store(overflown + tl.atomic_add(overflow, 1), each * queries + row)


@compiled
def _select(
    rows, counts, kept_keys, kept, top_keys, top, queries,
    LISTED: tl.constexpr, COUNT: tl.constexpr, LANES: tl.constexpr,
):  # fmt: skip
    """The largest of those kept of each row, in their order; of equal ones, the earlier key first."""
    each = tl.program_id(1).to(tl.int64)
    lane = tl.program_id(0) * LANES + tl.arange(0, LANES)
    row = tl.load(rows + lane)
    slot = each * (tl.num_programs(0) * LANES) + lane
    out = each * queries + row
    at = tl.arange(0, LISTED)
    there = at[None, :] < tl.load(counts + slot)[:, None]
    logarithm = tl.load(kept + slot[:, None] * LISTED + at[None, :], mask=there, other=FAR)
    key = tl.load(kept_keys + slot[:, None] * LISTED + at[None, :], mask=there, other=NOBODY)
    for nth in range(COUNT):
        most = tl.max(logarithm, 1)
        first = tl.min(tl.where(logarithm == most[:, None], key, NOBODY), 1)
        p = weight_of(most)
        tl.store(top + out * COUNT + nth, p, mask=row >= 0)
        tl.store(top_keys + out * COUNT + nth, tl.where(p > 0, first, -1), mask=row >= 0)
        logarithm = tl.where(key == first[:, None], FAR, logarithm)


@compiled
def _walk(
    q, k, begins, ends, shifts, rests, visible, bias, overflow, overflown, top_keys, top,
    queries, keys, first_place, heads, shared, factor, cap,
    q_text, q_head, q_row, k_text, k_head, k_row, span_text, span_head,
    see_text, see_head, see_row, see_key, bias_text, bias_head, bias_row, bias_key,
    WIDTH: tl.constexpr, PADDED: tl.constexpr, REST_OF_SHIFT: tl.constexpr, MASK: tl.constexpr, CAP: tl.constexpr,
    BIAS: tl.constexpr, REACH: tl.constexpr, COUNT: tl.constexpr, KEPT: tl.constexpr, AT_ONCE: tl.constexpr,
):  # fmt: skip
    """Whole rows, of those few of which too many weights reached the bound."""
    for turn in range(tl.program_id(0), tl.load(overflow), tl.num_programs(0)):
        out = tl.load(overflown + turn).to(tl.int64)
        each, row = out // queries, (out % queries).to(tl.int32)
        text, head = each // heads, each % heads
        its_q = q + text * q_text + head * q_head + row.to(tl.int64) * q_row
        high = tl.load(shifts + out)
        low = 0.0
        if REST_OF_SHIFT:
            low = tl.load(rests + out)
        its_bias, its_mask = bias, visible
        if MASK:
            its_mask = visible + text * see_text + head * see_head
        if BIAS != "none":
            its_bias = bias + text * bias_text + head * bias_head
        place = tl.arange(0, KEPT)
        best = tl.full([KEPT], FAR, tl.float32)
        best_keys = tl.full([KEPT], NOBODY, tl.int32)
        last = FAR + 0.0
        span = text * span_text + head * span_head + row
        begin, end = tl.load(begins + span), tl.load(ends + span)
        for start in range(begin, end, AT_ONCE):
            key = start + tl.arange(0, AT_ONCE)
            found = _logarithms(
                its_q, k + text * k_text + head // shared * k_head, its_mask, its_bias, row, key, key < end,
                high, low, first_place, factor, cap, k_row, see_row, see_key, bias_row, bias_key,
                WIDTH, PADDED, MASK, CAP, BIAS, REACH,
            )  # fmt: skip
            if tl.max(found, 0) > last:  # an equal one that comes later is no better
                before, before_keys = best, best_keys
                for nth in range(COUNT):
                    most = tl.maximum(tl.max(before, 0), tl.max(found, 0))
                    earlier = tl.min(tl.where(before == most, before_keys, NOBODY), 0)
                    first = tl.minimum(earlier, tl.min(tl.where(found == most, key, NOBODY), 0))
                    first = tl.where(most > FAR, first, NOBODY)
                    best = tl.where(place == nth, most, best)
                    best_keys = tl.where(place == nth, first, best_keys)
                    before = tl.where(before_keys == first, FAR, before)
                    found = tl.where(key == first, FAR, found)
                    last = most
        p = weight_of(best)
        tl.store(top + out * COUNT + place, p, mask=place < COUNT)
        tl.store(top_keys + out * COUNT + place, tl.where(p > 0, best_keys, -1), mask=place < COUNT)
