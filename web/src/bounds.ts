/** How much may be done to a run: the bounds of src/regard/session/limits.py, since a link is a stranger's too. */
import type { Change } from "./state";

export const MOST = {
  changes: 500, // edits, moves, pins, hidden words and updates in one state
  pinned: 65_536, // numbers in one pin
  updates: 1_000, // of one change
  allUpdates: 10_000, // of one state
  address: 600, // characters
  name: 300,
  learns: 200, // parameters that are named
  toy: 20_000, // characters of a toy's TOML
  toyInALink: 2_000, // beyond, the browser keeps it
  toward: 16, // words that a word's nearness to is measured
  number: 1e30,
  rate: 1e6,
} as const;

/** What is done here, in the tab, ends after this long: nobody can use a page that does not answer. */
const LONGEST = 8_000; // ms

const isText = (data: unknown, most: number): data is string =>
  typeof data === "string" && data.length > 0 && data.length <= most;
const isNumber = (data: unknown, most: number): data is number => typeof data === "number" && Math.abs(data) <= most;

const isPlace = (data: unknown): boolean => Number.isInteger(data) && (data as number) >= 0 && (data as number) <= 1000;

/** Whether data from a link or a file is a change, and one within bounds. NaN and infinity are beyond all of them. */
export function isChange(data: unknown): data is Change {
  if (typeof data !== "object" || data === null) return false;
  const { kind, cell, step, word, name, layer, head, value, rate, times, learns } = data as Record<string, unknown>;
  switch (kind) {
    case "edit":
    case "move":
      return isText(cell, MOST.address) && isNumber(value, MOST.number);
    case "pin":
      return (
        isText(step, MOST.name) &&
        Array.isArray(value) &&
        value.length <= MOST.pinned &&
        value.every((one) => isNumber(one, MOST.number))
      );
    case "hide":
      return isText(word, MOST.name);
    case "switch":
      return isText(name, MOST.name) && (value === undefined || isNumber(value, MOST.number));
    case "silence":
      return isPlace(layer) && isPlace(head);
    case "update":
      return (
        isNumber(rate, MOST.rate) &&
        (times === undefined || (Number.isInteger(times) && isNumber(times, MOST.updates) && times >= 1)) &&
        (learns === undefined ||
          (Array.isArray(learns) &&
            learns.length <= MOST.learns &&
            learns.every((name: unknown) => isText(name, MOST.name))))
      );
    default:
      return false;
  }
}

/** Refuses what is too much before any of it is done. */
export function checkChanges(changes: readonly Change[]): void {
  if (changes.length > MOST.changes)
    throw new RangeError(`a state holds at most ${MOST.changes} changes, got ${changes.length}`);
  const odd = changes.findIndex((change) => !isChange(change));
  if (odd >= 0) throw new RangeError(`change ${odd + 1} has a number or a name that is out of bounds`);
  const updates = changes.reduce((sum, change) => sum + (change.kind === "update" ? (change.times ?? 1) : 0), 0);
  if (updates > MOST.allUpdates)
    throw new RangeError(`a state holds at most ${MOST.allUpdates} updates, got ${updates}`);
}

/** A clock for long work: to be called between its parts, it throws when too much time has passed. */
export function patience(longest = LONGEST): () => void {
  const end = performance.now() + longest;
  return () => {
    if (performance.now() > end) throw new RangeError("this takes too long to compute here; undo some of the changes");
  };
}
