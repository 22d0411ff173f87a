/** A recipe over many cells at once: each sign runs through a stretch of cells before the next one does.
 *
 * A browser may not make code from a recipe (the page's content policy), and asking the recipe anew for every cell
 * takes ten times as long.
 */
import { COMPUTED, type Sign } from "./expression";
import type { Condition, Recipe } from "./recipe";

type Stretch = Float64Array;
type Run = (inputs: readonly Stretch[], count: number) => Stretch;

const LENGTH = 1024; // cells of a stretch: some of them fit in the nearest cache

const LOOPS: Partial<Record<Sign, (to: Stretch, a: Stretch, b: Stretch, count: number) => void>> = {
  "+": (to, a, b, count) => {
    for (let i = 0; i < count; i++) to[i] = a[i]! + b[i]!;
  },
  "-": (to, a, b, count) => {
    for (let i = 0; i < count; i++) to[i] = a[i]! - b[i]!;
  },
  "*": (to, a, b, count) => {
    for (let i = 0; i < count; i++) to[i] = a[i]! * b[i]!;
  },
  "/": (to, a, b, count) => {
    for (let i = 0; i < count; i++) to[i] = a[i]! / b[i]!;
  },
};

function valueOf(recipe: Recipe): Run {
  if (typeof recipe === "number" || typeof recipe === "string") {
    const value = typeof recipe === "number" ? recipe : recipe === "inf" ? Infinity : -Infinity;
    const result = new Float64Array(LENGTH).fill(value);
    return () => result;
  }
  if (Array.isArray(recipe)) return signed(...recipe);
  if ("input" in recipe) {
    const { input } = recipe;
    return (inputs) => inputs[input]!;
  }
  const [holds, then, otherwise] = [decided(recipe.if), valueOf(recipe.then), valueOf(recipe.else)];
  const result = new Float64Array(LENGTH);
  return (inputs, count) => {
    const [which, a, b] = [holds(inputs, count), then(inputs, count), otherwise(inputs, count)];
    for (let i = 0; i < count; i++) result[i] = which[i] ? a[i]! : b[i]!;
    return result;
  };
}

function signed(sign: Sign, first?: Recipe, second?: Recipe): Run {
  const a = valueOf(first!);
  const b = second === undefined ? a : valueOf(second);
  const result = new Float64Array(LENGTH);
  const apply = COMPUTED[sign];
  const loop =
    LOOPS[sign] ??
    ((to, a, b, count) => {
      for (let i = 0; i < count; i++) to[i] = apply(a[i]!, b[i]!);
    });
  return (inputs, count) => {
    const one = a(inputs, count);
    loop(result, one, b === a ? one : b(inputs, count), count);
    return result;
  };
}

/** 1 where a condition holds. */
function decided(condition: Condition): Run {
  const result = new Float64Array(LENGTH);
  if (Array.isArray(condition) && (condition[0] === "below" || condition[0] === "and")) {
    const [kind, first, second] = condition;
    const [a, b] = kind === "below" ? [valueOf(first), valueOf(second)] : [decided(first), decided(second)];
    return (inputs, count) => {
      const [one, two] = [a(inputs, count), b(inputs, count)];
      if (kind === "below") for (let i = 0; i < count; i++) result[i] = one[i]! < two[i]! ? 1 : 0;
      else for (let i = 0; i < count; i++) result[i] = one[i]! * two[i]!;
      return result;
    };
  }
  const isZero = Array.isArray(condition) && condition[0] === "zero";
  const a = valueOf((isZero ? condition[1] : condition) as Recipe);
  return (inputs, count) => {
    const one = a(inputs, count);
    for (let i = 0; i < count; i++) result[i] = (one[i] === 0) === isZero ? 1 : 0;
    return result;
  };
}

export type Compute = (inputs: readonly Float64Array[], constants: readonly number[]) => Float64Array;

/** The recipe as a function of whole arrays, all of one length. */
export function overColumns(recipe: Recipe, folds: boolean): Compute {
  let run: Run | undefined; // put together when first needed
  return (inputs, constants) => {
    run ??= valueOf(recipe);
    const given = constants.map((value) => new Float64Array(LENGTH).fill(value));
    const result = new Float64Array(inputs[0]!.length);
    for (let begin = 0; begin < result.length; begin += LENGTH) {
      const count = Math.min(LENGTH, result.length - begin);
      const parts = inputs.map((input) => input.subarray(begin, begin + count));
      const made = folds ? parts.reduce((a, b) => run!([a, b], count)) : run([...parts, ...given], count);
      result.set(made.length === count ? made : made.subarray(0, count), begin);
    }
    return result;
  };
}
