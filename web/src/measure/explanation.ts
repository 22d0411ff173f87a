/** Everything the screen says about a run, read off its cells, in the words of Python's `Explanation.data()`. */
import { layerOf, withoutLayer } from "../trace/names";
import { rowOf } from "../trace/numbers";
import type { Cell } from "../trace/step";
import type { Trace } from "../trace/trace";
import { agreeing, roles, type Differences } from "./blame";
import { contributions, type Component } from "./contributions";
import { findings, written } from "./findings";
import { afterUpdate } from "./learning";
import { compared } from "./margin";
import { largest } from "./together";
import { saysWithout } from "./without";

const MOST_LOGITS = 6; // whose blame is told, of a large vocabulary

/** Where numbers live: the address of each, by the name that it has beside it. */
export type Cells<Name extends string> = Partial<Record<Name, string>>;

type Measured =
  | "score" | "scaled" | "biased" | "exp" | "weight" | "sent_size" | "contribution"
  | "without_difference" | "without_change"; // prettier-ignore

/** One word on the way to its weight, and four answers to "which word mattered?". They often disagree. */
export interface Reading {
  word: string;
  position: number;
  visible: boolean;
  score: number;
  scaled: number;
  biased: number | null;
  exp: number;
  weight: number;
  sent_size: number;
  contribution: number;
  without: string | null; // the prediction when nobody may read the word
  without_difference: number | null; // the margin of that run
  without_change?: number | null; // how far that is from the margin here
  cells?: Cells<Measured>; // absent from what a first edition wrote
}

export interface Candidate {
  word: string;
  logit: number;
  probability: number;
  cells?: Cells<"logit" | "probability">;
}

export interface Learning {
  loss: number;
  loss_of_guessing: number;
  logit_blame?: { word: string; value: number; cell: string }[]; // the most; absent from what an earlier one wrote
  score_blame: number[] | null;
  roles: Record<string, number>;
  finite_difference_error: number | null;
  finite_difference_rounding: number | null; // how far rounding alone can take it
  finite_difference_agrees: boolean | null;
  rate: number;
  next_loss: number;
  next_predicted: string;
  next_probabilities: Record<string, number>;
  next_weights: number[];
  cells?: Cells<"loss" | "loss_of_guessing" | "rate" | "next_loss"> & { roles: Record<string, string> };
}

export interface Explanation {
  predicted: string;
  layer: string;
  head: number | null;
  readings: Reading[];
  total: number;
  context: number[];
  difference: { first: string; second: string; of_logits: number; cell?: string }; // absent from a watched run
  components: { name: string; contribution: number; cell?: string | null }[];
  rest: number;
  held_fixed: string[];
  candidates: Candidate[];
  candidates_hidden?: number;
  learning: Learning | null;
  findings: string[];
  told?: Part[][]; // the same, with the cells of their numbers; absent from what a first edition wrote
}

/** A piece of a sentence: words, or a number that opens. */
export type Part = string | { text: string; value: number; cell: string };

/** How finite differences compare, as the explanation has it; null where they were not taken. */
export function differencesOf(learning: Learning | null): Differences | null {
  const error = learning?.finite_difference_error ?? null;
  if (error === null) return null;
  const agree = learning!.finite_difference_agrees as boolean | null | undefined; // a first edition did not say
  return { error, agree: agree === undefined ? agreeing(error, 0) : agree };
}

const LEFT_OUT_ONE_BY_ONE = 64; // words up to which the run is repeated without each of them
const valueOf = ({ step, at }: Cell): number => step.at(at);

/** What is measured besides the run itself; both take further runs. */
export interface Extent {
  leavesOut: boolean; // the run is repeated without each of its words
  learns: boolean; // and after one update
}
const WHOLE: Extent = { leavesOut: true, learns: true };

/** Measure a run, as one head sees it: by default the one that moves the logits most. */
export function explanation(run: Trace, shown?: { layer: string; head: number }, extent = WHOLE): Explanation {
  const trace = run.of === null && run.has("loss") ? run.backward() : run;
  const { components, held } = contributions(trace);
  const { layer, head } = shown ?? leadingHead(trace, components);
  const [first, second] = compared(trace);
  const margin = trace.number("margin");
  const query = trace.number("query");
  const words = trace.labels.along("K")!;
  const leavesOut = extent.leavesOut && words.length <= LEFT_OUT_ONE_BY_ONE;
  const readings = words.map((_, position) => readingOf(trace, layer, head, query, position, leavesOut));
  const learning = extent.learns && trace.has("target") ? learn(trace, layer, head, query) : null;
  const found = findings(trace, readings, learning);
  const told = components.map(({ name, cell }) => ({
    name,
    contribution: cell ? valueOf(cell) : 0,
    cell: cell && trace.addressOf(cell),
  }));
  return {
    predicted: trace.predicted,
    layer,
    head,
    readings,
    total: trace.step(`${layer}.total`).at([head, query]),
    context: [...rowOf(trace.array(`${layer}.context`), [head, query])],
    difference: { first, second, of_logits: margin, cell: "margin" },
    components: told,
    rest: margin - told.reduce((sum, { contribution }) => sum + contribution, 0),
    held_fixed: held,
    candidates: candidatesOf(trace),
    learning,
    findings: found.map(written),
    told: found,
  };
}

/** Numbers by name, and their addresses beside them. */
function told<Name extends string>(
  trace: Trace,
  cells: Record<Name, Cell | null>,
): { values: Record<Name, number>; cells: Cells<Name> } {
  const found = (Object.entries(cells) as [Name, Cell | null][]).filter(([, cell]) => cell) as [Name, Cell][];
  return {
    values: Object.fromEntries(found.map(([name, cell]) => [name, valueOf(cell)])) as Record<Name, number>,
    cells: Object.fromEntries(found.map(([name, cell]) => [name, trace.addressOf(cell)])) as Cells<Name>,
  };
}

/** The head whose contribution to the margin is largest; if none reaches the logits, the last layer's first. */
function leadingHead(trace: Trace, components: readonly Component[]): { layer: string; head: number } {
  const size = ({ cell }: Component): number => (cell ? Math.abs(valueOf(cell)) : 0);
  const heads = components.filter((one): one is Component & { head: number } => one.head !== null);
  if (heads.length) return heads.reduce((best, one) => (size(one) > size(best) ? one : best));
  const last = trace.forward.findLast(({ name }) => layerOf(name) && withoutLayer(name) === "context")!;
  return { layer: layerOf(last.name), head: 0 };
}

function readingOf(
  trace: Trace,
  layer: string,
  head: number,
  query: number,
  position: number,
  leavesOut: boolean,
): Reading {
  const at = [head, query, position];
  const cell = (name: string): Cell | null => {
    const step = trace.steps.get(`${layer}.${name}`);
    return step ? { step, at } : null;
  };
  const measured = (family: string): Cell | null => {
    const step = trace.measure(family).get(`${layer}.${family}`);
    return step ? { step, at } : null;
  };
  const { values, cells } = told<Measured>(trace, {
    score: cell("scores"),
    scaled: cell("scaled"),
    biased: cell("biased"),
    exp: cell("exps"),
    weight: cell("weights"),
    sent_size: measured("sent"),
    contribution: measured("contribution"),
    without_difference: leavesOut ? { step: trace.step("without"), at: [position] } : null,
    without_change: leavesOut ? { step: trace.step("without.change"), at: [position] } : null,
  });
  const visible = trace.step("visible");
  const table = trace.steps.get("given"); // of a toy that begins at scores: which of them there are
  const isGiven = table === undefined || table.at(at.slice(-2)) !== 0;
  return {
    word: trace.labels.shown("K", position),
    position,
    visible: isGiven && visible.at(at.slice(-visible.axes.length)) !== 0,
    ...{ biased: null, sent_size: 0, contribution: 0, without_difference: null, without_change: null },
    ...values,
    without: leavesOut ? saysWithout(trace, position) : null,
    cells,
  };
}

function candidatesOf(trace: Trace): Candidate[] {
  const [logits, probabilities] = [trace.step("logits"), trace.step("probabilities")];
  return trace.labels.along("V")!.map((word, i) => {
    const { values, cells } = told(trace, {
      logit: { step: logits, at: [i] },
      probability: { step: probabilities, at: [i] },
    });
    return { word, ...values, cells };
  });
}

/** The logits with the most blame, in the order of their words. */
function logitBlame(trace: Trace): { word: string; value: number; cell: string }[] {
  const step = trace.steps.get("logits.grad");
  if (!step) return [];
  const [values, words] = [step.value.data, trace.labels.along("V")!];
  return largest(values.map(Math.abs), MOST_LOGITS)
    .sort((a, b) => a - b)
    .map((at) => ({ word: words[at]!, value: values[at]!, cell: trace.addressOf({ step, at: [at] }) }));
}

function learn(trace: Trace, layer: string, head: number, query: number): Learning {
  const { values, cells } = told(trace, {
    loss: trace.cell("loss"),
    loss_of_guessing: trace.cell("guessing"),
    rate: trace.cell("after.rate"),
    next_loss: trace.cell("after.loss"),
  });
  const blamed = roles(trace);
  const blame = trace.steps.get(`${layer}.scores.grad`);
  const next = trace.array("after.probabilities").data;
  return {
    ...values,
    logit_blame: logitBlame(trace),
    score_blame: blame ? [...rowOf(blame.value, [head, query])] : null,
    roles: Object.fromEntries(blamed.map(([role, cell]) => [role, valueOf(cell)])),
    finite_difference_error: null, // measured apart: it takes many runs
    finite_difference_rounding: null,
    finite_difference_agrees: null,
    next_predicted: afterUpdate(trace).predicted,
    next_probabilities: Object.fromEntries(trace.labels.along("V")!.map((word, i) => [word, next[i]!])),
    next_weights: [...rowOf(trace.array(`${layer}.after.weights`), [head, query])],
    cells: { ...cells, roles: Object.fromEntries(blamed.map(([role, cell]) => [role, trace.addressOf(cell)])) },
  };
}
