/** An expression as a person or a program reads it: text, LaTeX, runnable NumPy. */
import { abridged, leaves, partsOf, type Leaf, type Sign, type Tree } from "./expression";
import { formatConstant, formatNumber, grouped, latexNumber, pythonNumber, rounded } from "./format";

const LONG_SUM = 100; // more terms than this are written np.sum([...]): Python's own parser nests a + b + c

// NumPy has no erf. A sum does it in one expression, within 4e-16: 2/π·(x/4 + Σ e^(−n²/16)·sin(nx/2)/n)
const ERF =
  "(lambda x, n: 2/np.pi*(x/4 + np.sum(np.exp(-n*n/16)*np.sin(n*x/2)/n)))(np.clip({}, -6.0, 6.0), np.arange(1, 28))";

type Write = (...parts: string[]) => string;

interface Notation {
  number: (value: number) => string;
  leaf: (leaf: Leaf) => string;
  signs: Record<Sign, Write>;
}

const FIRST = 0, LOOSE = 0, SUM = 1, TERM = 2, FACTOR = 3, BELOW = 4, POWER = 5; // prettier-ignore
/** sign: how tightly it binds, and how tightly each of its parts must bind to go without parentheses */
const BINDING: Record<Sign, [number, number[]]> = {
  "+": [SUM, [FIRST, TERM]],
  "-": [SUM, [SUM, TERM]],
  "*": [FACTOR, [FACTOR]],
  "/": [FACTOR, [FACTOR, BELOW]],
  negative: [SUM, [FACTOR]],
  log: [POWER, [LOOSE]],
  sqrt: [POWER, [LOOSE]],
  tanh: [POWER, [LOOSE]],
  erf: [POWER, [LOOSE]],
  round: [POWER, [LOOSE]],
  exp: [POWER, [LOOSE]],
};

/** The expression, in parentheses where what stands around it binds tighter. */
function write(notation: Notation, expression: Tree, around = 0): string {
  if (expression.kind === "leaf") return guard(notation.leaf(expression), around);
  if (expression.kind === "number") return guard(notation.number(expression.value), around);
  if (expression.kind === "more") return `… ${grouped(expression.count)} more`;
  const sign = expression.kind === "call" ? expression.sign : "+";
  const [binding, inside] = BINDING[sign];
  const parts = partsOf(expression).map((part, i) => write(notation, part, inside[Math.min(i, inside.length - 1)]));
  const written = notation.signs[sign](...parts);
  return binding < around ? `(${written})` : written;
}

/** Negative numbers stand in parentheses wherever something stands before them. */
const guard = (written: string, around: number): string =>
  written.startsWith("-") && around >= 1 ? `(${written})` : written;

/** The fewest decimals, from 2 to `digits`, that show all values exactly; `digits` if none does. */
export function decimalsFor(values: readonly number[], digits: number): number {
  const finite = values.filter(Number.isFinite);
  for (let decimals = Math.min(2, digits); decimals < digits; decimals++)
    if (finite.every((value) => Math.abs(rounded(value, decimals) - value) < 1e-9)) return decimals;
  return digits;
}

/** One number of decimals for a whole line: what the line needs to be exact, at most `digits`. */
export function decimalsOf(expression: Tree, digits: number, result?: number): number {
  const values = leaves(expression).map((leaf) => leaf.value);
  return decimalsFor(result === undefined ? values : [...values, result], digits);
}

const isPlain = (written: string): boolean => !/^-|[ ·/−(]/.test(written);
const root =
  (name: string): Write =>
  (a) =>
    isPlain(a) ? `${name}${a}` : `${name.trimEnd()}(${a})`;

const TEXT: Record<Sign, Write> = {
  "+": (...parts) => parts.join(" + "),
  "-": (a, b) => `${a} − ${b}`,
  "*": (...parts) => parts.join("·"),
  "/": (a, b) => `${a} / ${b}`,
  negative: (a) => `−${a}`,
  exp: root("e^"),
  log: root("ln "),
  sqrt: root("√"),
  tanh: (a) => `tanh(${a})`,
  erf: (a) => `erf(${a})`,
  round: (a) => `round(${a})`,
};

const LATEX: Record<Sign, Write> = {
  "+": (...parts) => parts.join(" + "),
  "-": (a, b) => `${a} - ${b}`,
  "*": (...parts) => parts.join(" \\cdot "),
  "/": (a, b) => `\\frac{${a}}{${b}}`,
  negative: (a) => `-${a}`,
  exp: (a) => `e^{${a}}`,
  log: (a) => `\\ln\\left(${a}\\right)`,
  sqrt: (a) => `\\sqrt{${a}}`,
  tanh: (a) => `\\tanh\\left(${a}\\right)`,
  erf: (a) => `\\operatorname{erf}\\left(${a}\\right)`,
  round: (a) => `\\operatorname{round}\\left(${a}\\right)`,
};

const NUMPY: Record<Sign, Write> = {
  "+": (...parts) => (parts.length <= LONG_SUM ? parts.join(" + ") : `np.sum([${parts.join(", ")}])`),
  "-": (a, b) => `${a} - ${b}`,
  "*": (...parts) => parts.join("*"),
  "/": (a, b) => `${a}/${b}`,
  negative: (a) => `-${a}`,
  exp: (a) => `np.exp(${a})`,
  log: (a) => `np.log(${a})`,
  sqrt: (a) => `np.sqrt(${a})`,
  tanh: (a) => `np.tanh(${a})`,
  erf: (a) => ERF.replace("{}", a),
  round: (a) => `np.round(${a})`,
};

export interface Manner {
  digits?: number;
  mostTerms?: number | null;
  result?: number | undefined;
}

/** The expression for a reader; long sums show their largest terms and how many more there are. */
export function text(
  expression: Tree,
  { digits = 4, mostTerms = 8, result }: Manner = {},
  leaf?: (leaf: Leaf) => string,
): string {
  const shown = abridged(expression, mostTerms);
  const decimals = decimalsOf(shown, digits, result);
  return write({ number: formatConstant, leaf: leaf ?? ((l) => formatNumber(l.value, decimals)), signs: TEXT }, shown);
}

/** The expression for a paper. */
export function latex(expression: Tree, { digits = 4, mostTerms = 8, result }: Manner = {}): string {
  const shown = abridged(expression, mostTerms);
  const decimals = decimalsOf(shown, digits, result);
  const notation: Notation = {
    number: (value) => latexNumber(formatConstant(value)),
    leaf: (leaf) => latexNumber(formatNumber(leaf.value, decimals)),
    signs: LATEX,
  };
  return write(notation, shown).replaceAll("…", "\\dots").replaceAll(" more", "\\text{ more}");
}

/** The expression as code: with `import numpy as np` it evaluates to the cell, to the last digits. */
export function numpy(expression: Tree): string {
  return write({ number: pythonNumber, leaf: (leaf) => pythonNumber(leaf.value), signs: NUMPY }, expression);
}
