/** What is answered about a state, as Python's session/answers.py does: the run, its numbers, the reasons for one. */
import { explanation, type Explanation } from "../measure/explanation";
import type { LocalRun } from "../run/local";
import type { Explained } from "../run/remote";
import type { Why } from "../run/run";
import { sliced } from "../run/slice";
import { pooled, type Tile, type TileAsked } from "../run/tile";
import { runOf } from "../trace/address";
import { abridged, type Tree } from "../trace/expression";
import { NotFound } from "../trace/near";
import { sizeOf, type Numbers } from "../trace/numbers";
import type { Trace } from "../trace/trace";
import { overview } from "./overview";

const CANDIDATES = 50; // words of a large vocabulary that are sent
const LEFT_OUT = 200_000; // up to this many cells, a run is repeated without each of its words
const ANSWER = 262_144; // numbers in one answer
const MOST_NUMPY = 256; // terms of an expression that is written out

/** Everything one screen shows. What an update would do takes ten times as long, and is measured when asked for. */
export function explain(run: LocalRun, learning: boolean): Explained {
  const { trace } = run;
  const extent = { leavesOut: cellsOf(trace) <= LEFT_OUT, learns: learning };
  return {
    explanation: shortened(explanation(trace, undefined, extent), run),
    claims: [],
    timeline: [...run.moments],
    outline: outlineOf(run),
    overview: overview(trace),
    learns: trace.has("target") && !learning,
  };
}

export const cellsOf = (trace: Trace): number =>
  trace.forward.reduce((sum, step) => sum + sizeOf(step.shape), 0) +
  trace.gradients.reduce((sum, step) => sum + sizeOf(step.shape), 0);

/** Of a large vocabulary only the most probable words, and the one that should follow. */
function shortened(data: Explanation, run: LocalRun): Explanation {
  const ranked = [...data.candidates].sort((a, b) => b.probability - a.probability);
  if (ranked.length <= CANDIDATES) return data;
  const kept = ranked.filter(({ word }, i) => i < CANDIDATES || word === run.info.next);
  const { learning } = data;
  if (!learning) return { ...data, candidates: kept, candidates_hidden: ranked.length - kept.length };
  const after = Object.entries(learning.next_probabilities).sort(([, a], [, b]) => b - a);
  const words = new Set([...kept, ...after.slice(0, CANDIDATES).map(([word]) => ({ word }))].map(({ word }) => word));
  const next = Object.fromEntries(after.filter(([word]) => words.has(word)));
  return {
    ...data,
    candidates: kept,
    candidates_hidden: ranked.length - kept.length,
    learning: { ...learning, next_probabilities: next },
  };
}

/** The steps of a trace without their numbers, and the words of its text. */
function outlineOf({ trace, state, moments }: LocalRun): NonNullable<Explained["outline"]> {
  const { T, Q, K } = trace.labels.words as Record<string, string[]>;
  const { scaling } = state;
  const updates = moments.at(-1)?.update;
  return {
    steps: [...trace.steps.values()].map(({ name, axes, shape, op, inputs }) => ({
      name,
      axes,
      shape,
      kind: op.kind,
      inputs: inputs.map((input) => input.name),
    })),
    labels: { T: T!, Q: Q!, K: K! },
    info: { ...trace.info, ...(scaling ? { scaling } : {}), ...(updates ? { updates } : {}) },
    edits: trace.edits.map((edit) => ({
      kind: edit.kind,
      step: edit.step,
      at: [...edit.at],
      number: "number" in edit ? edit.number : null,
    })),
    parameters: trace.parameters.map((step) => step.name),
  };
}

/** Where a name is looked up: a parameter's .next belongs to the trace before the update. */
const holding = ({ trace }: LocalRun, name: string): Trace =>
  trace.parent?.learned.length && name.includes(".next") ? trace.parent : trace;

/** The numbers of one step, or of a part of it: a position for an axis, or null for all of it. */
export function values(run: LocalRun, name: string, at: readonly (number | null)[] | null): object {
  const step = holding(run, name).step(name);
  const places = at ?? step.shape.map(() => null);
  if (places.length !== step.shape.length)
    throw new Error(`${step.name} has ${step.shape.length} axes, ${step.axes}, got ${places.length} positions`);
  places.forEach((place, axis) => {
    const size = step.shape[axis]!;
    if (place !== null && place >= size)
      throw new Error(`axis ${step.axes[axis]} of ${step.name} has ${size} positions, counted from 0, got ${place}`);
  });
  const cells = places.reduce<number>((count, place, axis) => (place === null ? count * step.shape[axis]! : count), 1);
  if (cells > ANSWER)
    throw new Error(`at most ${ANSWER} numbers are sent at once, asked for ${cells}; give positions (at)`);
  const part: Numbers = sliced(step.value, places);
  const axes = [...step.axes].filter((_, axis) => places[axis] === null).join("");
  return { step: step.name, axes, at: places, shape: part.shape, value: part.data, dtype: part.dtype };
}

/** The arithmetic of one number, and the numbers it was computed from. */
export function why(run: LocalRun, address: string, terms = 8): Why & { kind: string; more: number } {
  const trace = holding(run, address);
  const found = trace.why(address);
  const { cell } = found;
  const other = cell.run ? runOf(address) : null;
  const from = (run: string | null, own: string): string => (run === null ? own : `${run}:${own}`);
  const own = from(other, trace.addressOf(cell));
  return {
    cell: own,
    name: found.name,
    value: found.value,
    step: cell.step.name,
    at: [...cell.at],
    kind: cell.step.op.kind,
    text: found.text(4, terms),
    latex: found.latex(4, terms),
    symbols: found.symbols(terms),
    numpy: count(found.expression) <= MOST_NUMPY ? found.numpy() : null,
    given: found.isGiven,
    more: hidden(abridged(found.expression, terms)),
    parts: found.cells(terms).map((part) => ({
      cell: from(part.run === cell.run ? other : own, trace.addressOf(part)),
      name: trace.nameOf(part),
      value: part.step.at(part.at),
    })),
  };
}

/** How many terms an expression has, without writing them out. */
function count(expression: Tree): number {
  if (expression.kind === "sum") return expression.values.length;
  return expression.kind === "call" ? expression.parts.reduce((sum, part) => sum + count(part), 0) : 1;
}

/** How many terms an abridged expression leaves out. */
function hidden(expression: Tree): number {
  if (expression.kind === "more") return expression.count;
  return expression.kind === "call" ? expression.parts.reduce((sum, part) => sum + hidden(part), 0) : 0;
}

/** A part of one head's weights, pooled into a few cells. */
export function tile({ trace }: LocalRun, asked: Partial<TileAsked>): Tile {
  const { layer = 0, head = 0 } = asked;
  const name = `layer${layer}.weights`;
  if (!trace.has(name)) throw new NotFound(`no layer ${layer}, counted from 0`);
  const { data, shape } = trace.array(name);
  if (head >= shape[0]!) throw new NotFound(`no head ${head}; there are ${shape[0]}, counted from 0`);
  return pooled(data, shape, { rows: null, keys: null, height: 64, width: 64, ...asked, layer, head });
}
