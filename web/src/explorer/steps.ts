/** Steps as a person would call them, above a line of arithmetic. */
import type { Part, Why } from "../run/run";

const CALLED: Readonly<Record<string, string>> = {
  weights: "share of the row",
  exps: "e to the score",
  total: "sum of the row",
  masked: "what may be seen",
  biased: "with its bias by distance",
  scaled: "scaled",
  scores: "query · key",
  context: "values, mixed by weight",
  probabilities: "share of all words",
  logits: "compared with a word",
  loss: "surprise",
};

export const calledStep = (step: string): string | null => CALLED[step.replace(/^(.*:)?(layer\d+\.)?/, "")] ?? null;

const place = (cell: string): string => /\[.*\]$/s.exec(cell)?.[0] ?? "";

/** The number that a step was mainly made of: the same place, one step before. */
export function before(why: Why): Part | null {
  if (!why.at.length || why.parts.length > 4) return null;
  const same = why.parts.filter((part) => place(part.cell) === place(why.cell) && part.value !== 0);
  return same.length === 1 && calledStep(same[0]!.cell.split("[")[0]!) ? same[0]! : null;
}

/** The products of a dot product, if that is what a number is. */
export function productsOf(why: Why): { products: number[]; cells: [string, string][] } | null {
  const terms = why.symbols.split(" + ").filter((term) => !term.startsWith("…"));
  if (terms.length < 9 || why.parts.length !== 2 * terms.length || !terms.every((term) => term.includes("·")))
    return null;
  const cells = terms.map((_, i): [string, string] => [why.parts[2 * i]!.cell, why.parts[2 * i + 1]!.cell]);
  return { products: terms.map((_, i) => why.parts[2 * i]!.value * why.parts[2 * i + 1]!.value), cells };
}
