/** What lies between two runs: the numbers of each, and the first less the second, as steps of a small trace. Its
 * arithmetic names both runs; every number opens in the run that it is of. */
import { said } from "../opening/outcome";
import { toldOf } from "../run/local";
import type { Part, Run, Why } from "../run/run";
import { Given } from "../trace/given";
import { Labels } from "../trace/labels";
import { FormulaMap } from "../trace/map";
import { numbers, type Numbers } from "../trace/numbers";
import { Step, type Cell } from "../trace/step";
import { Trace } from "../trace/trace";
import { aligned, type Pair } from "./aligned";

export const SIGNS = ["①", "②"] as const;
type Sign = (typeof SIGNS)[number];

/** One of the two: a run, and which of its heads is looked at. */
export interface Side {
  run: Run;
  layer: number;
  head: number;
}
/** A number of one of the two runs. */
export interface Shown {
  cell: string;
  value: number;
}
/** The numbers of one step, of both runs, and their difference: one after the other along its axes. */
export interface Trio {
  shape: readonly number[];
  both: readonly [readonly Shown[], readonly Shown[]];
  less: readonly Shown[];
}

const NEXT = 5; // words that may follow, of each run
export const MOST = 16; // words of a sentence that are drawn; of a longer one, the last

export class Between implements Pick<Run, "why"> {
  private readonly sources = new Map<string, readonly Shown[]>(); // of a given step, where its numbers come from
  private readonly steps: Step[] = [];
  readonly labels: Labels;
  readonly weights: Trio;
  readonly next: Trio | null;
  readonly loss: Trio | null;

  constructor(
    private readonly sides: readonly [Side, Side],
    readonly pairs: readonly Pair[],
    readonly words: readonly string[], // that may follow
    read: { weights: [Shown[], Shown[]]; next: [Shown[], Shown[]]; loss: [Shown, Shown] | null },
  ) {
    const along = pairs.map(({ word }) => word);
    this.labels = new Labels({ Q: along, K: along, V: words });
    this.weights = this.subtracted("weights", "QK", [pairs.length, pairs.length], read.weights);
    this.next = words.length ? this.subtracted("probabilities", "V", [words.length], read.next) : null;
    this.loss = read.loss && this.subtracted("loss", "", [], [[read.loss[0]], [read.loss[1]]]);
  }

  private readonly trace = (): Trace =>
    Trace.of({ forward: this.steps, labels: this.labels, info: {}, edits: [], of: null });

  private subtracted(name: string, axes: string, shape: readonly number[], both: readonly [Shown[], Shown[]]): Trio {
    const given = both.map((shown, i) => {
      const step = new Step(
        `${["first", "second"][i]}.${name}`,
        new Given(arrayOf(shown, shape), axes, "constant"),
        [],
      );
      this.sources.set(step.name, shown);
      return step;
    });
    const step = new Step(`difference.${name}`, new FormulaMap("subtract", `${axes},${axes}->${axes}`), given);
    this.steps.push(...given, step);
    const less = Array.from(step.value.data, (value, i) => ({ value, cell: cellOf(step.name, shape, i) }));
    return { shape, both, less };
  }

  why(address: string, terms = 8): Why | null {
    const there = /^([①②]):(.*)$/s.exec(address);
    if (there) return this.inside(there[1] as Sign, there[2]!, terms);
    const trace = this.trace();
    const own = (cell: Cell): Part => ({
      cell: trace.addressOf(cell),
      name: trace.nameOf(cell),
      value: cell.step.at(cell.at),
    });
    return toldOf(trace.why(address), own, (cell) => this.sourceOf(cell) ?? own(cell), terms);
  }

  /** A number of one of the two runs, by its address there. */
  private inside(sign: Sign, address: string, terms: number): Why | null {
    const why = this.sides[SIGNS.indexOf(sign)]!.run.why(address, terms);
    const marked = <One extends Part>(part: One): One => ({
      ...part,
      cell: `${sign}:${part.cell}`,
      name: `${part.name} ${sign}`,
    });
    return why && { ...marked(why), parts: why.parts.map(marked) };
  }

  private sourceOf({ step, at }: Cell): Part | null {
    const place = at.reduce((sum, position, axis) => sum * step.shape[axis]! + position, 0);
    const shown = this.sources.get(step.name)?.[place];
    if (!shown) return null;
    const [sign, name] = [shown.cell.slice(0, 1), shown.cell.slice(2)];
    return { ...shown, name: `${name} ${sign}` };
  }
}

const cellOf = (step: string, shape: readonly number[], place: number): string => {
  if (!shape.length) return step;
  return `${step}[${shape.length === 2 ? [Math.floor(place / shape[1]!), place % shape[1]!].join(",") : place}]`;
};
const arrayOf = (shown: readonly Shown[], shape: readonly number[]): Numbers =>
  numbers(
    Float64Array.from(shown, ({ value }) => value),
    shape,
  );

/** What can be said of two runs side by side; null until the numbers of both are here. */
export function between(one: Side, other: Side): Between | null {
  const sides = [one, other] as const;
  const tokens = sides.map(({ run }) => run.labels.along("K") ?? run.labels.along("T") ?? []);
  const all = aligned(tokens[0]!, tokens[1]!);
  const pairs = all.slice(-MOST);
  const weights = sides.map((side, i) =>
    weightsOf(
      side,
      SIGNS[i]!,
      pairs.map((pair) => (i ? pair.second : pair.first)),
    ),
  );
  if (!weights[0] || !weights[1]) return null;
  const words = inBothSaid(one.run, other.run);
  const next = sides.map(({ run }, i) => words.map((word) => sharesOf(run, SIGNS[i]!, word)));
  if (next.some((shares) => shares.includes(null))) return null;
  const losses = sides.map(({ run }, i) => lossOf(run, SIGNS[i]!));
  return new Between(sides, pairs, words, {
    weights: [weights[0], weights[1]],
    next: next as [Shown[], Shown[]],
    loss: losses[0] && losses[1] ? [losses[0], losses[1]] : null,
  });
}

function weightsOf({ run, layer, head }: Side, sign: Sign, places: readonly number[]): Shown[] | null {
  const name = `layer${layer}.weights`;
  const keys = run.steps.get(name)?.shape.at(-1);
  const found = keys === undefined ? null : run.read(name, [head, null, null]);
  if (!found) return null;
  return places.flatMap((query) =>
    places.map((key) => ({
      cell: `${sign}:${name}[${head},${query},${key}]`,
      value: found.data[query * keys! + key]!,
    })),
  );
}

/** The words that either run would say next, as far as both know them; the likeliest of the first come first. */
function inBothSaid(one: Run, other: Run): string[] {
  const said = [...new Set([one, other].flatMap((run) => topOf(run).map(({ word }) => word)))];
  return said.filter((word) => [one, other].every((run) => knows(run, word, one.state.model === other.state.model)));
}
const topOf = (run: Run): { word: string }[] => (run.info.query === undefined ? [] : said(run, NEXT).words);
const candidates = (run: Run, word: string) => said(run, 1000).words.find((one) => one.word === word);
const knows = (run: Run, word: string, isSameModel: boolean): boolean =>
  isSameModel || candidates(run, word) !== undefined;

function sharesOf(run: Run, sign: Sign, word: string): Shown | null {
  const listed = candidates(run, word);
  if (listed) return { cell: `${sign}:${listed.key}`, value: listed.share };
  const asked = run.why(`probabilities[${JSON.stringify(word)}]`);
  return asked && { cell: `${sign}:${asked.cell}`, value: asked.value };
}

function lossOf(run: Run, sign: Sign): Shown | null {
  const learning = run.explanation()?.learning;
  return learning ? { cell: `${sign}:${learning.cells?.loss ?? "loss"}`, value: learning.loss } : null;
}
