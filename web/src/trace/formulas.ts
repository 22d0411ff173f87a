/** The registered formulas: one line each, computed on numbers and shown on trees, with the way blame passes back.
 *
 * A formula's `blame` has one entry per input: which formula gives that input's gradient, and from what: "g" the
 * gradient of the result, "y" the result, a number the input at that position.
 */
import {
  add,
  atLeastZero,
  atMost,
  erf,
  exp,
  isPositive,
  isZero,
  log,
  negative,
  over,
  sqrt,
  subtract,
  tanh,
  times,
  tree,
  where,
  type Value,
} from "./expression";

export interface Blame {
  formula: string;
  of: readonly ("g" | "y" | number)[];
  withConstants?: boolean;
}

export interface Formula {
  compute: (...values: Value[]) => Value;
  blame: readonly (Blame | null)[];
  constants: number;
}

const PASSED: Blame = { formula: "same", of: ["g"] };
const DENSITY = 1 / Math.sqrt(2 * Math.PI);
const STEEPEST = 600; // e^600 still fits a double, also summed; only a peak set by hand can ask for more
const CUBIC = 0.044715; // of the tanh approximation to GELU (Hendrycks and Gimpel 2016)
const STEEP = Math.sqrt(2 / Math.PI);

/** What is divided by 0 is 0: a row in which everything is hidden has no weights, and they add up to nothing. */
function divide(a: Value, b: Value): Value {
  if (typeof b === "object" && b.value === 0) return tree(0);
  return over(a, where(isZero(b), Infinity, b));
}

/** √2, written as a root where it is shown. */
const rootOfTwo = (x: Value): Value => (typeof x === "object" ? sqrt(tree(2)) : Math.SQRT2);
/** Φ(x), the share of a normal distribution below x. */
const cumulative = (x: Value): Value => times(0.5, add(1, erf(over(x, rootOfTwo(x)))));
const bend = (x: Value): Value => tanh(times(STEEP, add(x, times(CUBIC, times(times(x, x), x)))));
const logistic = (x: Value): Value => times(0.5, add(1, tanh(over(x, 2))));
/** Shown only where there is a shift: e^0.7071, not e^(0.7071 − 0). */
const shift = (x: Value, peak: Value): Value => (isZero(peak) ? x : subtract(x, peak));

function geluBlame(g: Value, x: Value): Value {
  return times(g, add(cumulative(x), times(x, times(DENSITY, exp(over(negative(times(x, x)), 2))))));
}

function geluTanhBlame(g: Value, x: Value): Value {
  const bent = bend(x);
  const slope = times(STEEP, add(1, times(3 * CUBIC, times(x, x))));
  const curved = times(times(times(0.5, x), subtract(1, times(bent, bent))), slope);
  return times(g, add(times(0.5, add(1, bent)), curved));
}

function siluBlame(g: Value, x: Value): Value {
  const share = logistic(x);
  return times(g, times(share, add(1, times(x, subtract(1, share)))));
}

type Compute = (...values: Value[]) => Value;
const rule = (compute: Compute, blame: readonly (Blame | null)[] = [], constants = 0): Formula => ({
  compute,
  blame,
  constants,
});
const by = (formula: string, ...of: ("g" | "y" | number)[]): Blame => ({ formula, of });
const alike = (formula: string, ...of: ("g" | "y" | number)[]): Blame => ({ formula, of, withConstants: true });

export const FORMULAS: Readonly<Record<string, Formula>> = {
  same: rule((x) => x, [PASSED]),
  negative: rule((x) => negative(x), [by("negative", "g")]),
  add: rule((...terms: Value[]) => terms.reduce(add), [PASSED]),
  subtract: rule((a, b) => subtract(a, b), [PASSED, by("negative", "g")]),
  product: rule((a, b) => times(a, b), [by("product", "g", 1), by("product", "g", 0)]),
  divide: rule(divide, [by("divide", "g", 1), by("divide_blame", "g", "y", 1)]),
  divide_blame: rule((g, y, b) => negative(divide(times(g, y), b))),
  // attention: a score over the root of the head width, or over the head width, or as it is
  over_root: rule((x, n) => over(x, sqrt(n)), [alike("over_root", "g")], 1),
  over: rule((x, n) => over(x, n), [alike("over", "g")], 1),
  hide: rule((x, visible) => where(visible, x, -Infinity), [by("keep", "g", 1), null]),
  keep: rule((g, visible) => where(visible, g, 0)),
  exp: rule((x, peak) => exp(atMost(shift(x, peak), STEEPEST)), [by("product", "g", "y"), null]),
  softmax_blame: rule((weight, g, average) => times(weight, subtract(g, average))),
  rotate: rule(
    (x, turned, cosine, sine) => add(times(x, cosine), times(turned, sine)),
    [by("product", "g", 2), by("product", "g", 3), null, null],
  ),
  // norms
  root: rule((x, floor) => sqrt(atLeastZero(add(x, floor))), [by("root_blame", "g", "y")], 1),
  root_blame: rule((g, y) => divide(g, times(2, y))),
  // activations
  gelu: rule((x) => times(x, cumulative(x)), [by("gelu_blame", "g", 0)]),
  gelu_blame: rule(geluBlame),
  gelu_tanh: rule((x) => times(times(0.5, x), add(1, bend(x))), [by("gelu_tanh_blame", "g", 0)]),
  gelu_tanh_blame: rule(geluTanhBlame),
  silu: rule((x) => times(x, logistic(x)), [by("silu_blame", "g", 0)]),
  silu_blame: rule(siluBlame),
  // loss
  surprise: rule((p) => where(isPositive(p), negative(log(p)), Infinity), [by("surprise_blame", "g", 0)]),
  surprise_blame: rule((g, p) => negative(divide(g, p))),
  logit_blame: rule((p, g, target) => subtract(times(p, g), target)),
  // what a person does
  update: rule((w, g, rate) => subtract(w, times(rate, g)), [], 1),
  rescale: rule(
    (kept, left, dragged, room) => where(dragged, times(room, divide(kept, left)), kept),
    [alike("rescale_blame", "g", 1, 2), by("rescale_left_blame", "g", "y", 1, 2), null],
    1,
  ),
  rescale_blame: rule((g, left, dragged, room) => where(dragged, times(room, divide(g, left)), g), [], 1),
  rescale_left_blame: rule((g, y, left, dragged) => where(dragged, negative(divide(times(g, y), left)), 0)),
};

export function formula(name: string): Formula {
  const found = Object.hasOwn(FORMULAS, name) ? FORMULAS[name] : undefined;
  if (!found)
    throw new Error(`unknown formula "${name}"; this version knows ${Object.keys(FORMULAS).sort().join(", ")}`);
  return found;
}

/** The rule for an input; a formula of any number of inputs has one rule for all of them. */
export function blameOf({ blame }: Formula, position: number): Blame | null {
  return blame[Math.min(position, blame.length - 1)] ?? null;
}
