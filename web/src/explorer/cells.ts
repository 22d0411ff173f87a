/** The cells of a matrix as they are drawn: where each stands, and what is written into it. */
import { formatInColumn } from "../trace/format";
import type { Labels } from "../trace/labels";

export interface Place {
  row: number;
  column: number;
  at: number[];
  key: string; // the cell by positions
  address: string; // and by words, as a person would write it
}

/** The place of one cell of a step whose axes before the last two stand at `lead`. */
export function placeOf(
  name: string,
  axes: string,
  lead: readonly number[],
  [row, column]: readonly [number, number],
  labels: Labels | undefined,
): Place {
  if (!axes) return { row, column, at: [], key: name, address: name };
  const at = axes.length - lead.length < 2 ? [...lead, column] : [...lead, row, column];
  const words = [...axes].map((letter, axis) => labels?.word(letter, at[axis]!));
  return { row, column, at, key: `${name}[${at.join()}]`, address: `${name}[${words.join()}]` };
}

/** What a number is asked for by its gradient: less of it where that is above zero. */
export const blamed = (gradient: number): string =>
  gradient === 0 ? "0" : `${gradient > 0 ? "▼" : "▲"}${formatInColumn(Math.abs(gradient), 4).replace(/^0\./, ".")}`;

/** A cell read aloud: its number, what it was before it was edited, what the loss asks of it. */
export const readAloud = (value: number, was: number | undefined, gradient: number | undefined, decimals: number) =>
  [
    formatInColumn(value, decimals),
    was === undefined ? "" : formatInColumn(was, decimals),
    gradient === undefined ? "" : blamed(gradient),
  ]
    .filter(Boolean)
    .join(" ");
