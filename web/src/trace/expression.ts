/** The arithmetic of one cell: a small tree whose leaves are cells and constants. */
import { erf as erfOf } from "./erf";
import type { Cell } from "./step";

export interface Constant {
  kind: "number"; // of the recipe (the 2 in √2), printed as it is
  value: number;
}
export interface Leaf {
  kind: "leaf"; // a cell of another step: its value, and where to go on reading
  cell: Cell;
  value: number;
}
export interface Call {
  kind: "call"; // a sign applied to parts; + and * take any number of them
  sign: Sign;
  parts: Tree[];
  value: number;
}
export interface Sum {
  kind: "sum"; // of many terms, whose values are known at once and whose trees are made when looked at
  values: Float64Array;
  term: (position: number) => Tree;
  value: number;
}
export interface More {
  kind: "more"; // what an abridged sum leaves out
  count: number;
  value: number;
}
export type Tree = Constant | Leaf | Call | Sum | More;
export type Sign = "+" | "-" | "*" | "/" | "negative" | "exp" | "log" | "sqrt" | "tanh" | "erf" | "round";

export const tree = (value: number): Tree => ({ kind: "number", value });

export function call(sign: Sign, ...parts: Tree[]): Call {
  return { kind: "call", sign, parts, value: MEANING[sign](...parts.map((part) => part.value)) };
}

export function sum(values: Float64Array, term: (position: number) => Tree): Sum {
  return { kind: "sum", values, term, value: total(values) };
}

/** A sum that does not lose small terms beside large ones (Neumaier 1974). */
export function total(values: ArrayLike<number>): number {
  let result = 0;
  let lost = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    const next = result + value;
    lost += Math.abs(result) >= Math.abs(value) ? result - next + value : value - next + result;
    result = next;
  }
  return Number.isFinite(lost) ? result + lost : result;
}

export function roundHalfEven(x: number): number {
  const rounded = Math.round(x);
  return Math.abs(x % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

const MEANING: Record<Sign, (...parts: number[]) => number> = {
  "+": (...parts) => total(parts),
  "*": (...parts) => parts.reduce((product, part) => product * part, 1),
  "-": (a, b) => a - b,
  "/": (a, b) => a / b,
  negative: (a) => -a,
  exp: (a) => Math.exp(a),
  log: (a) => (a > 0 ? Math.log(a) : -Infinity),
  sqrt: (a) => Math.sqrt(a),
  tanh: (a) => Math.tanh(a),
  erf: (a) => erfOf(a),
  round: (a) => roundHalfEven(a),
};

/** What a sign makes of plain numbers, one or two of them. */
export const COMPUTED: Record<Sign, (a: number, b: number) => number> = {
  ...MEANING,
  "+": (a, b) => a + b,
  "*": (a, b) => a * b,
  log: Math.log,
};

export const times = (a: Tree, b: Tree): Tree => call("*", a, b);
export const over = (a: Tree, b: Tree): Tree => call("/", a, b);
export const round = (a: Tree): Tree => call("round", a);

export function partsOf(expression: Call | Sum): Tree[] {
  return expression.kind === "call" ? expression.parts : Array.from(expression.values, (_, i) => expression.term(i));
}

export function leaves(expression: Tree): Leaf[] {
  if (expression.kind === "leaf") return [expression];
  return expression.kind === "call" || expression.kind === "sum" ? partsOf(expression).flatMap(leaves) : [];
}

/** The expression with only the largest terms of its long sums, and how many more there are. */
export function abridged(expression: Tree, mostTerms: number | null): Tree {
  if (expression.kind === "call")
    return { ...expression, parts: expression.parts.map((part) => abridged(part, mostTerms)) };
  if (expression.kind !== "sum") return expression;
  const count = expression.values.length;
  if (mostTerms === null || count <= mostTerms + 1) return added(partsOf(expression));
  const size = (i: number): number => Math.abs(expression.values[i]!);
  const largest = Array.from(expression.values.keys())
    .sort((a, b) => size(b) - size(a) || a - b)
    .slice(0, mostTerms);
  largest.sort((a, b) => a - b);
  const kept = total(largest.map((i) => expression.values[i]!));
  const more: More = { kind: "more", count: count - mostTerms, value: expression.value - kept };
  return { kind: "call", sign: "+", parts: [...largest.map((i) => expression.term(i)), more], value: expression.value };
}

/** The sum of terms, without a plus sign where there is only one. */
export function added(terms: Tree[]): Tree {
  return terms.length > 1 ? call("+", ...terms) : (terms[0] ?? tree(0));
}
