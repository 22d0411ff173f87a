"""Everything asked of a layer's weights in one pass over them, in Triton: the matrix is never stored.

With q, k and the log-sum-exp of each row, p(i,j) = exp(q_i·k_j·scale − lse_i). A program owns some rows (queries) and
walks over the keys, tile by tile; a tile lies keys × rows, as k·qᵀ gives it, and that decides what is cheap:

- A sum over a row runs along the walk. The neighbouring keys that a thread holds add to one part, one multiply-add for
  each weight, and the parts of a row meet once, when the walk is over. So do the largest weight, its key, and the
  log-sum-exp.
- For the keys that a query reads most, each part keeps the two largest weights among a stretch of keys, and leaves
  a mark of them when the stretch is over; what the marks tell is in top_kernel.py.
- A sum over a column is needed of every tile. It runs along the side of the tile that one thread holds, so it costs one
  addition for each weight. Its parts go to a strip of scratch memory of its own; `_gather` adds the strips up.

Nothing is added to by two programs, so the same numbers come out bit for bit, every time.
"""
# pyright: basic, reportArgumentType=false, reportCallIssue=false, reportGeneralTypeIssues=false
# pyright: reportAttributeAccessIssue=false, reportOperatorIssue=false, reportAssignmentType=false
# what Triton compiles has no types that a checker knows

import inspect

import triton
import triton.language as tl

LOG2_E = tl.constexpr(1.4426950408889634)  # GPUs compute 2^x: scores are multiplied by it, entropies divided
FAR = tl.constexpr(-1e30)  # the logarithm of a hidden weight: 2^FAR is 0, and 0 · FAR is 0 where 0 · −∞ would be none
NOBODY = tl.constexpr(2147483647)  # after every key
# sizes of which it does not matter what divides them: no further kernel is compiled for them
ANY = (
    *(
        "queries",
        "keys",
        "first_place",
        "heads",
        "shared",
        "cap",
        "factor",
        "span_text",
        "span_head",
        "see_text",
        "see_head",
        "columns_of_head",
        "marks_of_head",
        "block_count",
        "first_block",
        "step",
        "all_strips",
        "all_width",
        "first_column",
    ),
    *("see_row", "see_key", "block_text", "block_head", "block_row", "bias_text", "bias_head", "bias_row", "bias_key"),
)


def compiled(function):
    """Compiled, and of the sizes in ANY as of any others."""
    names = inspect.signature(function).parameters
    return triton.jit(function, do_not_specialize=[name for name in ANY if name in names])


@triton.jit
def _order(KEYS: tl.constexpr):
    """Which key of a tile stands in which of its rows: a thread holds the rows r and r + 8, and r + 64 if there are so
    many, of a tensor core's tile; these are neighbouring keys, so that their largest is found without anybody's help.
    """
    row = tl.arange(0, KEYS)
    if KEYS >= 64:
        spread: tl.constexpr = 2 * (KEYS // 64)  # keys of a thread, for each of its rows of the text
        row = (row >> 3 & 1) + (row >> 6) * 2 + (row & 7) * spread + (row >> 4 & 3) * 8 * spread
    return row


@triton.jit
def _halves(x, FIRST: tl.constexpr, SECOND: tl.constexpr, ROWS: tl.constexpr):
    """The keys of which a bit of their row is 0, and those of which it is 1."""
    half, other = tl.split(tl.permute(tl.reshape(x, (FIRST, 2, SECOND, ROWS)), (0, 2, 3, 1)))
    return tl.reshape(half, (FIRST * SECOND, ROWS)), tl.reshape(other, (FIRST * SECOND, ROWS))


@triton.jit
def _largest_of_groups(x, KEYS: tl.constexpr, ROWS: tl.constexpr):
    """The largest of each group of neighbouring keys: (groups, rows), in the order of the keys."""
    if KEYS == 128:
        half, other = _halves(x, 1, 64, ROWS)
        x = tl.maximum(half, other)
    if KEYS >= 64:
        half, other = _halves(x, 4, 8, ROWS)
        x = tl.maximum(half, other)
    return x


@triton.jit
def _plus_products_of_pairs(sums, x, y, ROWS: tl.constexpr):
    x, x_other = _halves(x, 4, 8, ROWS)
    y, y_other = _halves(y, 4, 8, ROWS)
    return sums + x * y + x_other * y_other


@triton.jit
def _plus_products(sums, x, y, KEYS: tl.constexpr, ROWS: tl.constexpr):
    """Σ x·y of each group of neighbouring keys, added to its sum: one multiply-add for each key."""
    if KEYS == 128:
        x, x_other = _halves(x, 1, 64, ROWS)
        y, y_other = _halves(y, 1, 64, ROWS)
        sums = _plus_products_of_pairs(_plus_products_of_pairs(sums, x, y, ROWS), x_other, y_other, ROWS)
    elif KEYS == 64:
        sums = _plus_products_of_pairs(sums, x, y, ROWS)
    else:
        sums += x * y
    return sums


@triton.jit
def _plus(sums, x, KEYS: tl.constexpr, ROWS: tl.constexpr):
    """Σ x of each group of neighbouring keys, added to its sum."""
    if KEYS == 128:
        half, other = _halves(x, 1, 64, ROWS)
        x = half + other
    if KEYS >= 64:
        half, other = _halves(x, 4, 8, ROWS)
        x = half + other
    return sums + x


@triton.jit
def _halves_of_rows(x, KEYS: tl.constexpr, ROWS: tl.constexpr):
    """Every other eight rows, and the eight between them, which the same thread holds."""
    half, other = tl.split(tl.permute(tl.reshape(x, (KEYS, ROWS // 16, 2, 8)), (0, 1, 3, 2)))
    return tl.reshape(half, (KEYS, ROWS // 2)), tl.reshape(other, (KEYS, ROWS // 2))


@triton.jit
def _fourths_of_rows(x, KEYS: tl.constexpr, ROWS: tl.constexpr):
    first, third = _halves_of_rows(x, KEYS, ROWS)
    first, second = _halves_of_rows(first, KEYS, ROWS // 2)
    third, fourth = _halves_of_rows(third, KEYS, ROWS // 2)
    return first, second, third, fourth


@triton.jit
def _power_by_polynomial(x):
    """2^x without the one unit that computes powers: 2^integer as the bits of a number, times a polynomial of what is
    left, which is off by 2.6e-6 at most. What is smaller than 2^−126 is 2^−126."""
    x = tl.maximum(x, -126.0, propagate_nan=tl.PropagateNan.ALL)
    rounded = x + 12583039.0  # 1.5 · 2^23 + 127: its last bits are the integer, and 127
    left = x - (rounded - 12583039.0)
    p = 0.99999928 + left * (0.69312179 + left * (0.24024744 + left * (0.05591786 + left * 0.0095700994)))
    return p * (rounded.to(tl.int32, bitcast=True) << 23).to(tl.float32, bitcast=True)


@triton.jit
def _sums_of_powers(logarithm, POLYNOMIAL: tl.constexpr, KEYS: tl.constexpr, ROWS: tl.constexpr, STRIP: tl.constexpr):
    """Σ 2^x over the rows of each strip, (keys, strips). Fourths first: a thread's additions need not wait for each
    other. With `POLYNOMIAL`, an eighth of the powers is computed so, beside the others."""
    if STRIP < 32:
        sums = tl.exp2(logarithm)
    else:
        first, second, third, fourth = _fourths_of_rows(logarithm, KEYS, ROWS)
        sums = tl.exp2(first) + tl.exp2(second) + tl.exp2(third)
        if POLYNOMIAL and STRIP >= 64:
            half, other = _halves_of_rows(sums, KEYS, ROWS // 4)
            fourth, last = _halves_of_rows(fourth, KEYS, ROWS // 4)
            sums = half + other + tl.exp2(fourth) + _power_by_polynomial(last)
        else:
            sums += tl.exp2(fourth)
    return tl.sum(tl.reshape(sums, (KEYS, ROWS // STRIP, sums.shape[1] * STRIP // ROWS)), 2)


@triton.jit
def _sums(p, KEYS: tl.constexpr, ROWS: tl.constexpr, STRIP: tl.constexpr):
    """Σ p over the rows of each strip, (keys, strips)."""
    sums = p
    if STRIP >= 32:
        first, second, third, fourth = _fourths_of_rows(p, KEYS, ROWS)
        sums = first + second + third + fourth
    return tl.sum(tl.reshape(sums, (KEYS, ROWS // STRIP, sums.shape[1] * STRIP // ROWS)), 2)


@triton.jit
def _apart(first, order, SIGN: tl.constexpr, KEYS: tl.constexpr, ROWS: tl.constexpr):
    """How far neighbouring rows are from the keys of a tile, (keys, rows), the first row from the first key `first`.
    Which of its eighths of rows a number stands for, a thread knows when it is compiled: no register is taken by it.
    """
    apart = (first - order).to(tl.float32)[:, None] + tl.arange(0, 8).to(tl.float32)[None, :]
    eighths = (tl.arange(0, ROWS // 8) * (8 * SIGN)).to(tl.float32)
    return tl.reshape((apart * SIGN)[:, None, :] + eighths[None, :, None], (KEYS, ROWS))


@triton.jit
def _up_to(first, order, KEYS: tl.constexpr, ROWS: tl.constexpr):
    """Which keys of a tile neighbouring rows see that each see one key more than the row before, up to their own; the
    first row stands `first` places after the first key. As in `_apart`, eighths of rows are known when it is compiled.
    """
    apart = (first - order)[:, None] + tl.arange(0, 8)[None, :]
    eighths = tl.arange(0, ROWS // 8) * -8
    return tl.reshape(apart[:, None, :] >= eighths[None, :, None], (KEYS, ROWS))


@triton.jit
def code_of(surprise, BITS: tl.constexpr):
    """−log₂ of a weight in few bits, such that a smaller code is a larger weight, and no code is larger than it
    should be: 5 of the exponent, the others of the fraction."""
    numbers = tl.minimum(tl.maximum(surprise, 0.0), 60000.0) * 1.925929944387236e-34  # 2^-112: exponents begin at 0
    return numbers.to(tl.int32, bitcast=True) >> (28 - BITS)


@triton.jit
def _mark(largest, second):
    """The two largest of a group in one number: 15 bits of the largest, 10 of the second, 6 of where the largest is."""
    where = largest.to(tl.int32, bitcast=True) & 63
    return (code_of(-largest, 15) << 16) | (code_of(-second, 10) << 6) | where


@triton.jit
def weight_of(logarithm):
    """2^x, and 1 where x is above 0: no weight is larger, but a score and a log-sum-exp that were added up in two
    orders differ by a rounding. NaN stays NaN."""
    p = tl.exp2(logarithm)
    return tl.where(p > 1.0, 1.0, p)


@triton.jit
def keys_at(k, k_row, key, inside, FROM: tl.constexpr, COUNT: tl.constexpr, WIDTH: tl.constexpr, WHOLE: tl.constexpr):
    at = FROM + tl.arange(0, COUNT)
    where = k + key[:, None] * k_row + at[None, :]
    if WHOLE and FROM + COUNT <= WIDTH:
        found = tl.load(where)
    else:
        found = tl.load(where, mask=inside[:, None] & (at < WIDTH)[None, :], other=0.0)
    return found


@triton.jit
def dot_of(
    k, k_row, key, inside, q_first, q_rest,
    WIDTH: tl.constexpr, FIRST: tl.constexpr, REST: tl.constexpr, PRECISION: tl.constexpr, WHOLE: tl.constexpr,
):  # fmt: skip
    """k·qᵀ of a tile, keys × rows. A width such as 72 is taken as 64 and 16, of which 8 are zeros."""
    scores = tl.dot(keys_at(k, k_row, key, inside, 0, FIRST, WIDTH, WHOLE), q_first, input_precision=PRECISION)
    if REST:
        part = keys_at(k, k_row, key, inside, FIRST, REST, WIDTH, WHOLE)
        scores = tl.dot(part, q_rest, scores, input_precision=PRECISION)
    return scores


@triton.jit
def added_in_order(q, k, seen, WIDTH: tl.constexpr):
    """Products of pairs, one number after the other, as `tl.dot` adds them up in float32: a score is the same to the
    last bit as in the log-sum-exp that it is divided by, so that a weight of 1 is 1 also where scores are thousands."""
    scores = tl.zeros(seen.shape, tl.float32)
    for i in range(WIDTH):
        scores = tl.fma(tl.load(q + i, mask=seen, other=0.0), tl.load(k + i, mask=seen, other=0.0), scores)
    return scores


@triton.jit
def changed(scores, row, first_place, key, bias, bias_row, bias_key, inside, factor, cap, CAP, BIAS, REACH):
    """What a score becomes before it is shifted: capped as in Gemma 2, biased by a matrix or by distance."""
    if CAP:
        # cap · tanh(s / cap); tanh(x) = 1 − 2 / (1 + e^2x), which loses digits where x is small: there by its series
        x = scores * (factor / cap)
        series = x * (1.0 - x * x * (1.0 / 3.0 - x * x * (2.0 / 15.0 - x * x * (17.0 / 315.0))))
        scores = cap * tl.where(tl.abs(x) < 0.15, series, 1.0 - 2.0 / (1.0 + tl.exp2(x * (2.0 * LOG2_E))))
        factor = LOG2_E
    scores = scores * factor
    if BIAS == "matrix":
        there = row.to(tl.int64) * bias_row + key.to(tl.int64) * bias_key
        scores += tl.load(bias + there, mask=inside, other=0.0).to(tl.float32) * LOG2_E
    if BIAS == "distance":
        apart = tl.minimum(tl.abs(row + first_place - key), REACH - 1)
        scores += tl.load(bias + apart).to(tl.float32) * LOG2_E
    return scores


@triton.jit
def reach_of(begin, end, KEYS: tl.constexpr, MASK: tl.constexpr):
    """Where the walk over the keys starts and stops, in whole tiles; and between which of them every row sees every
    key, so that nobody has to look who sees what. Rows that see nothing do not count."""
    sees = begin < end
    lowest, highest = tl.min(tl.where(sees, begin, NOBODY), 0), tl.max(tl.where(sees, end, 0), 0)
    inner, outer = tl.max(tl.where(sees, begin, 0), 0), tl.min(tl.where(sees, end, NOBODY), 0)
    start = tl.minimum(lowest, highest) // KEYS * KEYS
    stop = (highest + KEYS - 1) // KEYS * KEYS
    if MASK:
        inner, outer = stop, stop
    else:
        inner = tl.minimum((inner + KEYS - 1) // KEYS * KEYS, stop)
        outer = tl.maximum(tl.minimum(outer, highest) // KEYS * KEYS, inner)
    return start, inner, outer, stop


@triton.jit
def queries_at(q, q_row, row, mine, FROM: tl.constexpr, COUNT: tl.constexpr, WIDTH: tl.constexpr):
    at = FROM + tl.arange(0, COUNT)
    there = row.to(tl.int64)[:, None] * q_row + at[None, :]
    return tl.load(q + there, mask=mine[:, None] & (at < WIDTH)[None, :], other=0.0)


@compiled
def _look(
    q, k, begins, ends, shifts, rests, visible, bias, rows, places, blocks,
    columns, reaches, totals, entropies, distances, largests, mosts, marks, lse_high, lse_low,
    queries, keys, first_place, heads, shared, factor, cap,
    q_text, q_head, q_row, k_text, k_head, k_row, span_text, span_head,
    see_text, see_head, see_row, see_key, bias_text, bias_head, bias_row, bias_key,
    block_text, block_head, block_row, columns_of_head, marks_of_head,
    WIDTH: tl.constexpr, FIRST: tl.constexpr, REST: tl.constexpr, PRECISION: tl.constexpr, ALIGNED: tl.constexpr,
    REST_OF_SHIFT: tl.constexpr, MASK: tl.constexpr, CAP: tl.constexpr, BIAS: tl.constexpr, REACH: tl.constexpr,
    STAIRS: tl.constexpr, COLUMNS: tl.constexpr, TOTAL: tl.constexpr, ENTROPY: tl.constexpr, DISTANCE: tl.constexpr,
    LARGEST: tl.constexpr, STRETCH: tl.constexpr, STEP: tl.constexpr, LSE: tl.constexpr, POLYNOMIAL: tl.constexpr,
    ROWS: tl.constexpr, KEYS: tl.constexpr, STRIP: tl.constexpr, STAGES: tl.constexpr,
):  # fmt: skip
    # whose rows: later ones first, of all heads, since under a causal mask they take longest; −1 fills a strip up
    block = tl.num_programs(1) - 1 - tl.program_id(1)
    each = tl.program_id(0).to(tl.int64)
    text, head = each // heads, each % heads
    rows += block * ROWS + tl.arange(0, ROWS)
    row = tl.load(rows)
    mine = row >= 0
    begins += text * span_text + head * span_head
    ends += text * span_text + head * span_head
    begin, end = tl.load(begins + row, mask=mine, other=0), tl.load(ends + row, mask=mine, other=0)
    start, inner, outer, stop = reach_of(begin, end, KEYS, MASK)
    # of a row that sees nothing, every weight is 2^(something − 10^30)
    shift = tl.zeros([ROWS], tl.float32)
    rest = tl.zeros([ROWS], tl.float32)
    if not LSE:
        shift = tl.load(shifts + each * queries + row, mask=mine, other=0.0)
        if REST_OF_SHIFT:
            rest = tl.load(rests + each * queries + row, mask=mine, other=0.0)
    shift = tl.where(begin < end, shift, -FAR)

    k_row = tl.multiple_of(k_row, ALIGNED)
    q += text * q_text + head * q_head
    k += text * k_text + head // shared * k_head
    if MASK:
        visible += text * see_text + head * see_head
        blocks += text * block_text + head * block_head
    if BIAS != "none":
        bias += text * bias_text + head * bias_head
    strips: tl.constexpr = ROWS // STRIP
    room = 0
    if COLUMNS != "none":
        columns += each * columns_of_head + tl.load(places + block * 4)
        room = tl.multiple_of(tl.load(places + block * 4 + 1), KEYS)
    q_first = tl.trans(queries_at(q, q_row, row, mine, 0, FIRST, WIDTH))
    q_rest = q_first
    if REST:
        q_rest = tl.trans(queries_at(q, q_row, row, mine, FIRST, REST, WIDTH))
    order = _order(KEYS)
    GROUPS: tl.constexpr = KEYS if LSE or KEYS < 64 else 32
    group = tl.arange(0, GROUPS)
    MARKED: tl.constexpr = ROWS * GROUPS
    if STRETCH:
        marks += tl.multiple_of(each * marks_of_head + tl.load(places + block * 4 + 2), 16)

    # before the first of these rows' places a distance is row − key, after the last one key − row
    place = (row + first_place).to(tl.float32)
    first_of_all = tl.max(tl.where(mine, row - tl.arange(0, ROWS), -NOBODY), 0) + first_place
    left = outer
    right = outer
    if DISTANCE:
        before = tl.min(tl.where(mine, row, NOBODY), 0) + first_place
        left = tl.minimum(tl.maximum((before + 1) // KEYS * KEYS, inner), outer)
        after = tl.max(row, 0) + first_place
        right = tl.minimum(tl.maximum((after + KEYS - 1) // KEYS * KEYS, left), outer)

    total = tl.zeros([GROUPS, ROWS], tl.float32)
    surprise = tl.zeros([GROUPS, ROWS], tl.float32)
    distance = tl.zeros([GROUPS, ROWS], tl.float32)
    peak = tl.full([GROUPS, ROWS], FAR, tl.float32)
    second = tl.full([GROUPS, ROWS], FAR, tl.float32)
    peak_at = tl.zeros([GROUPS, ROWS], tl.int32)
    # 0: some rows see some keys; 1, 2, 3: all see all, which are before, among or after them; 4: some see some
    for phase in tl.static_range(5):
        low = start if phase == 0 else inner if phase == 1 else left if phase == 2 else right if phase == 3 else outer
        high = inner if phase == 0 else left if phase == 1 else right if phase == 2 else outer if phase == 3 else stop
        if (DISTANCE or phase < 2 or phase == 4) and not (STAIRS and phase == 0):
            for here in tl.range(low, high, KEYS, num_stages=STAGES):
                key = here + order
                inside = key < keys
                row_here = row
                if (phase % 4 == 0 and not STAIRS) or BIAS != "none":
                    row_here = tl.load(rows, volatile=True)  # again: kept, they would take registers from every phase
                mine_here = row_here >= 0
                found = True
                if MASK:
                    some = tl.load(blocks + row_here.to(tl.int64) * block_row + here // KEYS, mask=mine_here, other=0)
                    found = tl.max(some, 0) > 0
                if found:
                    scores = dot_of(
                        k + tl.cast(here, tl.int64) * k_row, k_row, order, inside, q_first, q_rest,
                        WIDTH, FIRST, REST, PRECISION, phase % 4 != 0,
                    )  # fmt: skip
                    if CAP or BIAS != "none":
                        scores = changed(
                            scores, row_here[None, :], first_place, key[:, None], bias, bias_row, bias_key,
                            inside[:, None] & mine_here[None, :], factor, cap, CAP, BIAS, REACH,
                        )  # fmt: skip
                        logarithm = scores - shift[None, :]
                    else:
                        logarithm = scores * factor - shift[None, :]
                    if REST_OF_SHIFT:
                        logarithm -= rest[None, :]
                    if BIAS == "matrix":
                        logarithm = tl.maximum(logarithm, FAR)  # a bias of −∞ hides, too
                    if phase % 4 == 0 and STAIRS:
                        logarithm = tl.where(_up_to(first_of_all - here, order, KEYS, ROWS), logarithm, FAR)
                    elif phase % 4 == 0:
                        begin_here = tl.load(begins + row_here, mask=mine_here, other=0, volatile=True)
                        end_here = tl.load(ends + row_here, mask=mine_here, other=0, volatile=True)
                        seen = (key[:, None] >= begin_here[None, :]) & (key[:, None] < end_here[None, :])
                        if MASK:
                            there = row_here.to(tl.int64)[None, :] * see_row + key.to(tl.int64)[:, None] * see_key
                            seen = seen & (tl.load(visible + there, mask=seen, other=0) != 0)
                        logarithm = tl.where(seen, logarithm, FAR)
                    if LSE:
                        # each place keeps its largest score, and its sum of 2^(score − largest)
                        apart = logarithm - peak
                        smaller = tl.exp2(-tl.abs(apart))
                        total = tl.where(apart > 0, total * smaller + 1.0, total + smaller)
                        peak = tl.maximum(peak, logarithm)
                    else:
                        p = logarithm
                        if TOTAL or ENTROPY or DISTANCE or COLUMNS == "max":
                            p = tl.exp2(logarithm)
                        if COLUMNS != "none":
                            if COLUMNS == "max":
                                parts = tl.max(tl.reshape(p, (KEYS, strips, STRIP)), 2)
                            elif TOTAL or ENTROPY or DISTANCE:
                                parts = _sums(p, KEYS, ROWS, STRIP)
                            else:
                                parts = _sums_of_powers(logarithm, POLYNOMIAL and phase % 4 != 0, KEYS, ROWS, STRIP)
                            tl.store(columns + tl.arange(0, strips)[None, :] * room + key[:, None], parts)
                        if TOTAL:
                            total = _plus(total, p, KEYS, ROWS)
                        if ENTROPY:
                            surprise = _plus_products(surprise, p, logarithm, KEYS, ROWS)
                        if DISTANCE:
                            if strips == 1:
                                apart = _apart(first_of_all - here, order, -1 if phase == 3 else 1, KEYS, ROWS)
                            else:
                                apart = (place[None, :] - key.to(tl.float32)[:, None]) * (-1 if phase == 3 else 1)
                            if phase != 1 and phase != 3:
                                apart = tl.abs(apart)
                            distance = _plus_products(distance, p, apart, KEYS, ROWS)
                        if STRETCH:
                            # the last bits of a number say where it stands: in which tiles of the stretch
                            most = _largest_of_groups(logarithm, KEYS, ROWS).to(tl.int32, bitcast=True)
                            most = ((most & -64) | (here // KEYS % STRETCH // STEP)).to(tl.float32, bitcast=True)
                            second = tl.maximum(second, tl.minimum(peak, most))
                            peak = tl.maximum(peak, most)
                        if LARGEST:
                            most = _largest_of_groups(logarithm, KEYS, ROWS)
                            peak_at = tl.where(most > peak, here, peak_at)
                            peak = tl.maximum(peak, most)
                elif COLUMNS != "none":
                    nobody = tl.zeros([KEYS, strips], tl.float32)
                    tl.store(columns + tl.arange(0, strips)[None, :] * room + key[:, None], nobody)
                if STRETCH:  # noqa: SIM102  (what is divided by it is compiled only then)
                    if here // KEYS % STRETCH == STRETCH - 1:
                        mark_at = marks + here // (KEYS * STRETCH) * MARKED
                        tl.store(mark_at + tl.arange(0, ROWS)[None, :] * GROUPS + group[:, None], _mark(peak, second))
                        peak = tl.full([GROUPS, ROWS], FAR, tl.float32)
                        second = tl.full([GROUPS, ROWS], FAR, tl.float32)

    row = tl.load(rows, volatile=True)
    mine = row >= 0
    out = each * queries + row
    if STRETCH:  # noqa: SIM102
        if stop % (KEYS * STRETCH) != 0:
            mark_at = marks + stop // (KEYS * STRETCH) * MARKED
            tl.store(mark_at + tl.arange(0, ROWS)[None, :] * GROUPS + group[:, None], _mark(peak, second))
    if COLUMNS != "none" or STRETCH:
        tl.store(reaches + (each * tl.num_programs(1) + block) * 2, start)
        tl.store(reaches + (each * tl.num_programs(1) + block) * 2 + 1, stop)
    if LSE:
        most = tl.max(peak, 0)
        sum_of_all = tl.sum(total * tl.exp2(peak - most[None, :]), 0)
        tl.store(lse_high + out, tl.where(most > FAR, most, -float("inf")), mask=mine)
        tl.store(lse_low + out, tl.where(most > FAR, tl.log2(sum_of_all), 0.0), mask=mine)
    if TOTAL:
        tl.store(totals + out, tl.sum(total, 0), mask=mine)
    if ENTROPY:
        tl.store(entropies + out, tl.maximum(-tl.sum(surprise, 0) / LOG2_E, 0.0), mask=mine)
    if DISTANCE:
        tl.store(distances + out, tl.sum(distance, 0), mask=mine)
    if LARGEST:
        most = tl.max(peak, 0)
        p = weight_of(most)
        where = tl.min(tl.where(peak == most[None, :], peak_at + group[:, None] * (KEYS // GROUPS), NOBODY), 0)
        tl.store(largests + out, p, mask=mine)
        tl.store(mosts + out, tl.where(p > 0, where, -1), mask=mine)


@compiled
def _gather(
    columns, reaches, places, received, pooled,
    own_keys, block_count, columns_of_head, first_block, step, all_strips, all_keys, all_width, first_column,
    SUM: tl.constexpr, LATER: tl.constexpr, STRIPS: tl.constexpr, AT_ONCE: tl.constexpr, KEYS: tl.constexpr,
    EVENLY: tl.constexpr,
):  # fmt: skip
    """Adds strips up: a program owns the keys of one column of the picture, and goes down the strips of a slab."""
    across = tl.program_id(0).to(tl.int64)
    each = tl.program_id(1).to(tl.int64)
    width = tl.num_programs(0)
    first_key = (across * 0 + first_column) * all_keys // all_width
    left = ((first_column + across) * all_keys // all_width - first_key).to(tl.int32)
    right = ((first_column + across + 1) * all_keys // all_width - first_key).to(tl.int32)
    if EVENLY:  # then neighbours can be read together
        left = across.to(tl.int32) * EVENLY
        right = left + EVENLY
    columns += tl.multiple_of(each * columns_of_head, 16)
    reaches += each * block_count * 2
    pooled += each * all_strips * width + across
    for start in range(left, right, KEYS):
        key = start + tl.arange(0, KEYS)
        inside = key < right
        sums = tl.zeros([KEYS], tl.float32)
        if LATER:
            sums = tl.load(received + each * own_keys + key, mask=inside, other=0.0)
        for first in range(0, block_count * STRIPS, AT_ONCE):
            strip = first + tl.arange(0, AT_ONCE)
            block, nth = strip // STRIPS, strip % STRIPS
            mine = block < block_count
            low = tl.load(reaches + block * 2, mask=mine, other=0)
            high = tl.load(reaches + block * 2 + 1, mask=mine, other=0)
            # which of all strips it is, in their order
            there = pooled + ((first_block + block * step) * STRIPS + nth).to(tl.int64) * width
            of_strips = tl.zeros([AT_ONCE], tl.float32)
            if start > left:
                of_strips = tl.load(there, mask=mine, other=0.0)
            if tl.max(((low < right) & (high > start)).to(tl.int32), 0) > 0:
                low, high = tl.multiple_of(low, 16), tl.multiple_of(high, 16)  # whole tiles, and so is all that follows
                at = tl.multiple_of(tl.load(places + block * 4, mask=mine, other=0), 16)
                at += tl.multiple_of(tl.load(places + block * 4 + 1, mask=mine, other=0), 16) * nth
                seen = (key[None, :] >= low[:, None]) & (key[None, :] < high[:, None]) & inside[None, :]
                numbers = tl.load(columns + at[:, None] + key[None, :], mask=seen, other=0.0)
                if SUM:
                    sums += tl.sum(numbers, 0)
                    of_strips += tl.sum(numbers, 1)
                else:
                    sums = tl.maximum(sums, tl.max(numbers, 0))
                    of_strips = tl.maximum(of_strips, tl.max(numbers, 1))
            tl.store(there, of_strips, mask=mine)
        tl.store(received + each * own_keys + key, sums, mask=inside)
