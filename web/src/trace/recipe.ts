/** The formulas, as Python wrote them down (ops/recipe.py): a recipe becomes a function of numbers and one of trees.
 *
 * Handed numbers it computes, handed trees it builds the expression that a person reads, so what is shown is what was
 * computed. A formula's `blame` has one entry per input: which formula gives that input's gradient, and from what:
 * "g" the gradient of the result, "y" the result, a number the input at that position.
 */
import { call, COMPUTED, tree, type Sign, type Tree } from "./expression";
import written from "./formulas.json";

export interface Blame {
  formula: string;
  of: readonly ("g" | "y" | number)[];
  withConstants: boolean;
}

/** A constant, an input by its place, a sign and its parts, or one of two recipes. */
export type Recipe = number | "inf" | "-inf" | { input: number } | [Sign, ...Recipe[]] | Choice;
interface Choice {
  if: Condition;
  then: Recipe;
  else: Recipe;
}
/** What decides: a comparison, or a value that is not 0. */
type Condition = ["zero", Recipe] | ["below", Recipe, Recipe] | ["and", Condition, Condition] | Recipe;

export interface FormulaData {
  recipe: Recipe;
  folds: boolean; // takes any number of inputs: two at a time, from the left
  constants: number;
  blame: readonly (Blame | null)[];
  gate?: Blame | null; // of a curve: the share of its input that it lets through, times what comes back
}

export interface Formula {
  compute: (values: readonly number[]) => number;
  show: (values: readonly Tree[]) => Tree;
  blame: readonly (Blame | null)[];
  gate: Blame | null;
  constants: number;
}

/** What recipes are made of: numbers, or trees. */
interface Matter<Value> {
  constant: (value: number) => Value;
  sign: (sign: Sign) => (a: Value, b: Value) => Value; // of a sign with one part, b is not looked at
  number: (value: Value) => number;
}

const NUMBERS: Matter<number> = {
  constant: (value) => value,
  sign: (sign) => COMPUTED[sign],
  number: (value) => value,
};
const TREES: Matter<Tree> = {
  constant: tree,
  sign: (sign) => (sign in TWO ? (a, b) => call(sign, a, b) : (a) => call(sign, a)),
  number: ({ value }) => value,
};
const TWO = { "+": true, "-": true, "*": true, "/": true };

type Run<Value, Result = Value> = (inputs: readonly Value[]) => Result;

/** The recipe as a function, put together once and not looked at again for every cell. */
function compiled<Value>(recipe: Recipe, matter: Matter<Value>): Run<Value> {
  if (typeof recipe === "number" || typeof recipe === "string") {
    const value = matter.constant(typeof recipe === "number" ? recipe : recipe === "inf" ? Infinity : -Infinity);
    return () => value;
  }
  if (Array.isArray(recipe)) {
    const [sign, first, second] = recipe;
    const apply = matter.sign(sign);
    const a = compiled(first!, matter);
    const b = second === undefined ? a : compiled(second, matter);
    return second === undefined ? (x) => apply(a(x), undefined as Value) : (x) => apply(a(x), b(x));
  }
  if ("input" in recipe) {
    const { input } = recipe;
    return (x) => x[input]!;
  }
  const [holds, then, otherwise] = [
    decided(recipe.if, matter),
    compiled(recipe.then, matter),
    compiled(recipe.else, matter),
  ];
  return (x) => (holds(x) ? then(x) : otherwise(x));
}

function decided<Value>(condition: Condition, matter: Matter<Value>): Run<Value, boolean> {
  const value = (recipe: Recipe): Run<Value, number> => {
    const run = compiled(recipe, matter);
    return (x) => matter.number(run(x));
  };
  if (Array.isArray(condition)) {
    if (condition[0] === "zero") {
      const a = value(condition[1]);
      return (x) => a(x) === 0;
    }
    if (condition[0] === "below") {
      const [a, b] = [value(condition[1]), value(condition[2])];
      return (x) => a(x) < b(x);
    }
    if (condition[0] === "and") {
      const [a, b] = [decided(condition[1], matter), decided(condition[2], matter)];
      return (x) => a(x) && b(x);
    }
  }
  const a = value(condition);
  return (x) => a(x) !== 0;
}

function folded<Value>(run: Run<Value>): Run<Value> {
  return (inputs) => inputs.reduce((a, b) => run([a, b]));
}

export function formulaFrom({ recipe, folds, constants, blame, gate = null }: FormulaData): Formula {
  const [compute, show] = [compiled(recipe, NUMBERS), compiled(recipe, TREES)];
  return { compute: folds ? folded(compute) : compute, show: folds ? folded(show) : show, blame, gate, constants };
}

const FORMULAS: ReadonlyMap<string, Formula> = new Map(
  Object.entries(written as unknown as Record<string, FormulaData>).map(([name, data]) => [name, formulaFrom(data)]),
);

export function formula(name: string): Formula {
  const found = FORMULAS.get(name);
  if (!found)
    throw new Error(`unknown formula "${name}"; this version knows ${[...FORMULAS.keys()].sort().join(", ")}`);
  return found;
}

/** The rule for an input; a formula of any number of inputs has one rule for all of them. */
export function blameOf({ blame }: Formula, position: number): Blame | null {
  return blame[Math.min(position, blame.length - 1)] ?? null;
}
