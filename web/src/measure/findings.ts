/** What is worth saying about a run: computed rules, at most three. */
import { general } from "../trace/format";
import { total } from "../trace/expression";
import { roleOf } from "../trace/names";
import { rowOf } from "../trace/numbers";
import type { Trace } from "../trace/trace";
import type { Learning, Reading } from "./explanation";

const MOST = 3;

export function findings(trace: Trace, rows: readonly Reading[], learning: Learning | null): string[] {
  return [
    ...editedRows(trace),
    ...flip(trace, learning),
    ...ratio(learning),
    ...leftOut(trace, rows),
    ...shape(rows),
  ].slice(0, MOST);
}

/** An edited row of weights no longer sums to 1, and we say so. */
function editedRows(trace: Trace): string[] {
  const rows = new Map(
    trace.edits.filter((e) => e.kind === "edit").map((e) => [`${e.step}${e.at.slice(0, -1).join()}`, e]),
  );
  return [...rows.values()].flatMap((edit) => {
    const step = trace.steps.get(edit.step);
    if (!step || !["weights", "probabilities"].includes(roleOf(edit.step))) return [];
    const sum = total(rowOf(step.value, edit.at.slice(0, -1)));
    return Math.abs(sum - 1) > 1e-9 ? [`the edited row of ${edit.step} sums to ${general(sum, 4)}, not to 1`] : [];
  });
}

function flip(trace: Trace, learning: Learning | null): string[] {
  const flips = learning && learning.next_predicted !== trace.predicted;
  return flips ? [`the prediction flips after 1 update: ${trace.predicted} → ${learning.next_predicted}`] : [];
}

function ratio(learning: Learning | null): string[] {
  const sizes = learning?.roles ?? {};
  const asking = Math.max(sizes.W_Q ?? 0, sizes.W_K ?? 0);
  const times = asking ? (sizes.W_V ?? 0) / asking : 0;
  return times >= 10 ? [`W_Q, W_K got ${times.toFixed(0)}× less gradient than W_V`] : [];
}

/** Leave-one-out, told for the most attended word that changes the prediction. */
function leftOut(trace: Trace, rows: readonly Reading[]): string[] {
  const others = rows.filter((row) => row.weight > 0).length > 1; // without its only word a row says nothing
  const changed = rows.filter(
    (row) => row.without !== null && row.without !== trace.predicted && row.weight > 0 && others,
  );
  if (!changed.length) return [];
  const word = changed.reduce((best, row) => (row.weight > best.weight ? row : best));
  return [`without the word "${word.word}" this model says "${word.without}"`];
}

function shape(rows: readonly Reading[]): string[] {
  const weights = rows.map((row) => row.weight);
  if (weights.some((weight) => weight < 0) || Math.abs(total(weights) - 1) > 1e-6) return [];
  const visible = weights.filter((weight) => weight > 0).length;
  const largest = Math.max(...weights);
  const percent = (share: number, digits: number): string => `${(100 * share).toFixed(digits)}%`;
  return [
    ...(visible > 2 && weights[0]! > 0.5
      ? [`the first word takes ${percent(weights[0]!, 0)} of the attention (a sink)`]
      : []),
    ...(visible > 1 && largest > 0.99
      ? [`the row is saturated: one word has ${percent(largest, 1)}, and the scores get almost no gradient`]
      : []),
    ...(visible > 2 && largest < 1.2 / visible ? ["attention is almost uniform: no word stands out"] : []),
  ];
}
