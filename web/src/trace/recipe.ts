/** The formulas, as Python wrote them down (ops/recipe.py): a recipe becomes a function of numbers (columns.ts) and one
 * of trees.
 *
 * The one computes, the other builds the expression that a person reads, so what is shown is what was computed. A
 * formula's `blame` has one entry per input: which formula gives that input's gradient, and from what: "g" the gradient
 * of the result, "y" the result, a number the input at that position.
 */
import { overColumns, type Compute } from "./columns";
import { call, tree, type Sign, type Tree } from "./expression";
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
export type Condition = ["zero", Recipe] | ["below", Recipe, Recipe] | ["and", Condition, Condition] | Recipe;

export interface FormulaData {
  recipe: Recipe;
  folds: boolean; // takes any number of inputs: two at a time, from the left
  constants: number;
  blame: readonly (Blame | null)[];
  gate?: Blame | null; // of a curve: the share of its input that it lets through, times what comes back
}

export interface Formula {
  compute: Compute;
  show: (values: readonly Tree[]) => Tree;
  blame: readonly (Blame | null)[];
  gate: Blame | null;
  constants: number;
}

const TWO = { "+": true, "-": true, "*": true, "/": true };
const applied = (sign: Sign, a: Tree, b: Tree): Tree => (sign in TWO ? call(sign, a, b) : call(sign, a));

type Run<Result> = (inputs: readonly Tree[]) => Result;

/** The recipe as what builds its tree. */
function built(recipe: Recipe): Run<Tree> {
  if (typeof recipe === "number" || typeof recipe === "string") {
    const value = tree(typeof recipe === "number" ? recipe : recipe === "inf" ? Infinity : -Infinity);
    return () => value;
  }
  if (Array.isArray(recipe)) {
    const [sign, first, second] = recipe;
    const a = built(first!);
    const b = second === undefined ? a : built(second);
    return (x) => applied(sign, a(x), b(x));
  }
  if ("input" in recipe) {
    const { input } = recipe;
    return (x) => x[input]!;
  }
  const [holds, then, otherwise] = [decided(recipe.if), built(recipe.then), built(recipe.else)];
  return (x) => (holds(x) ? then(x) : otherwise(x));
}

function decided(condition: Condition): Run<boolean> {
  const value = (recipe: Recipe): Run<number> => {
    const run = built(recipe);
    return (x) => run(x).value;
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
      const [a, b] = [decided(condition[1]), decided(condition[2])];
      return (x) => a(x) && b(x);
    }
  }
  const a = value(condition);
  return (x) => a(x) !== 0;
}

export function formulaFrom({ recipe, folds, constants, blame, gate = null }: FormulaData): Formula {
  const once = built(recipe);
  const show: Run<Tree> = folds ? (inputs) => inputs.reduce((a, b) => once([a, b])) : once;
  return { compute: overColumns(recipe, folds), show, blame, gate, constants };
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
