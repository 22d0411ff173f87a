/** The arithmetic of one cell, forward or backward, as text, LaTeX and runnable NumPy. */
import { beforeHand } from "./edits";
import { abridged, leaves, type Tree } from "./expression";
import { formatNumber, latexNumber } from "./format";
import { Given } from "./given";
import * as notation from "./notation";
import { isFloat } from "./numbers";
import { Replace } from "./replace";
import { keyOf, type Cell } from "./step";

/** Why a number is what it is: `0.7500 = 2.0281 / 2.7042`, and the cells that were read. */
export class Arithmetic {
  readonly value: number;
  readonly expression: Tree;

  constructor(
    readonly cell: Cell,
    private readonly nameOf: (cell: Cell) => string,
  ) {
    this.value = cell.step.at(cell.at);
    this.expression = cell.step.op.arithmetic(cell.at, cell.step.inputs);
  }

  get name(): string {
    return this.nameOf(this.cell);
  }

  get isGiven(): boolean {
    return !this.cell.step.inputs.length;
  }

  /** The cells that were read, in reading order, each once; of a long sum, those of its largest terms. */
  cells(mostTerms: number | null = 8): Cell[] {
    return [
      ...new Map(leaves(abridged(this.expression, mostTerms)).map((leaf) => [keyOf(leaf.cell), leaf.cell])).values(),
    ].map(this.here);
  }

  /** What was read is of the same run as the cell itself, unless it says another. */
  private here = (cell: Cell): Cell => (this.cell.run && !cell.run ? { ...cell, run: this.cell.run } : cell);

  /** `0.7500 = 2.0281 / 2.7042`; where there is nothing to compute, the number and where it comes from. */
  text(digits = 4, mostTerms: number | null = 8): string {
    const shown = abridged(this.expression, mostTerms);
    const result = this.result(shown, digits);
    if (shown.kind === "number" || shown.kind === "leaf") return `${result}${this.origin(digits)}`;
    return `${result} = ${notation.text(shown, { digits, mostTerms: null, result: this.value })}`;
  }

  /** Where a number that was not computed comes from. */
  origin(digits = 4): string {
    const { step, at } = this.cell;
    if (step.op instanceof Given) return " (given)";
    if (step.op instanceof Replace && step.op.isAt(at))
      return ` (set by hand; was ${formatNumber(beforeHand(step).at(at), digits)})`;
    return this.value === -Infinity ? " (hidden)" : "";
  }

  latex(digits = 4, mostTerms: number | null = 8): string {
    const shown = abridged(this.expression, mostTerms);
    const written = notation.latex(shown, { digits, mostTerms: null, result: this.value });
    return `${latexNumber(this.result(shown, digits))} = ${written}`;
  }

  /** One expression; with `import numpy as np` it evaluates to the cell. */
  numpy(): string {
    return notation.numpy(this.expression);
  }

  /** The same arithmetic with the names of the cells instead of their numbers. */
  symbols(mostTerms: number | null = 8): string {
    return notation.text(this.expression, { mostTerms }, (leaf) => this.nameOf(this.here(leaf.cell)));
  }

  result(shown: Tree, digits: number): string {
    if (!isFloat(this.cell.step.value)) return String(Math.trunc(this.value));
    return formatNumber(this.value, notation.decimalsOf(shown, digits, this.value));
  }
}
