/** What is worth saying about a run: computed rules, at most three. The numbers in them are cells. */
import { general } from "../trace/format";
import { total } from "../trace/expression";
import { roleOf } from "../trace/names";
import type { Trace } from "../trace/trace";
import type { Learning, Part, Reading } from "./explanation";

const MOST = 3;
type Sentence = Part[];

export function findings(trace: Trace, rows: readonly Reading[], learning: Learning | null): Sentence[] {
  return [
    ...editedRows(trace),
    ...flip(trace, learning),
    ...ratio(trace, learning),
    ...leftOut(trace, rows),
    ...shape(rows),
  ].slice(0, MOST);
}

export const written = (sentence: readonly Part[]): string =>
  sentence.map((part) => (typeof part === "string" ? part : part.text)).join("");

/** An edited row of weights no longer sums to 1, and we say so. */
function editedRows(trace: Trace): Sentence[] {
  const rows = new Map(
    trace.edits.filter((e) => e.kind === "edit").map((e) => [`${e.step}${e.at.slice(0, -1).join()}`, e]),
  );
  return [...rows.values()].flatMap((edit) => {
    if (!trace.has(edit.step) || !["weights", "probabilities"].includes(roleOf(edit.step))) return [];
    const cell = { step: trace.step(`${edit.step}.sum`), at: edit.at.slice(0, -1) };
    const value = cell.step.at(cell.at);
    const sum = { text: general(value, 4), value, cell: trace.addressOf(cell) };
    return Math.abs(value - 1) > 1e-9 ? [[`the edited row of ${edit.step} sums to `, sum, ", not to 1"]] : [];
  });
}

function flip(trace: Trace, learning: Learning | null): Sentence[] {
  const flips = learning && learning.next_predicted !== trace.predicted;
  return flips ? [[`the prediction flips after 1 update: ${trace.predicted} → ${learning.next_predicted}`]] : [];
}

function ratio(trace: Trace, learning: Learning | null): Sentence[] {
  const sizes = learning?.roles ?? {};
  const asking = ["W_Q", "W_K"].filter((role) => sizes[role]);
  if (!asking.length || sizes.W_V === undefined) return [];
  const most = Object.keys(sizes).find((role) => asking.includes(role))!; // the largest first
  const cell = `blame.${most}.ratio`;
  const value = trace.number(cell);
  const times = { text: value.toFixed(0), value, cell };
  return value >= 10 ? [["W_Q, W_K got ", times, "× less gradient than W_V"]] : [];
}

/** Leave-one-out, told for the most attended word that changes the prediction. */
function leftOut(trace: Trace, rows: readonly Reading[]): Sentence[] {
  const others = rows.filter((row) => row.weight > 0).length > 1; // without its only word a row says nothing
  const changed = rows.filter(
    (row) => row.without !== null && row.without !== trace.predicted && row.weight > 0 && others,
  );
  if (!changed.length) return [];
  const word = changed.reduce((best, row) => (row.weight > best.weight ? row : best));
  return [[`without the word "${word.word}" this model says "${word.without}"`]];
}

function shape(rows: readonly Reading[]): Sentence[] {
  const weights = rows.map((row) => row.weight);
  if (weights.some((weight) => weight < 0) || Math.abs(total(weights) - 1) > 1e-6) return [];
  const visible = weights.filter((weight) => weight > 0).length;
  const largest = Math.max(...weights);
  const share = ({ weight, cells }: Reading, digits: number): Part => ({
    text: `${(100 * weight).toFixed(digits)}%`,
    value: weight,
    cell: cells!.weight!,
  });
  const sink = rows[0]!;
  const most = rows[weights.indexOf(largest)]!;
  return [
    ...(visible > 2 && sink.weight > 0.5
      ? [["the first word takes ", share(sink, 0), " of the attention (a sink)"]]
      : []),
    ...(visible > 1 && largest > 0.99
      ? [["the row is saturated: one word has ", share(most, 1), ", and the scores get almost no gradient"]]
      : []),
    ...(visible > 2 && largest < 1.2 / visible ? [["attention is almost uniform: no word stands out"]] : []),
  ];
}
