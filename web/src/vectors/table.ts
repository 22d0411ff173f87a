/** A table of word vectors as the page sees it: what it is, where its words stand, and what is near what. */
import type { TraceData } from "../trace/wire";

export interface Table {
  name: string;
  title: string;
  notes: string[];
  words: number;
  width: number;
  drawn: number; // of the words: those on the map
  axes: [string, string];
  examples: string[]; // words and sums that can be asked for
}

/** A number, and where it opens. */
export interface Told {
  cell: string;
  value: number;
}

export interface Standing {
  word: string;
  row: number; // in the table
  across: Told;
  up: Told;
}

export interface Near {
  asked: string;
  terms: (Standing & { factor: number })[];
  near: (Standing & { cosine: Told })[];
  axes: [string, string];
  told: Told; // how much the plane can be trusted
  trace: TraceData;
}

/** A word that the map points out. */
export interface Mark {
  word: string;
  place: readonly [number, number];
  kind: "asked" | "near";
}

interface Slice {
  first: number;
  of: number;
  words: string[];
  places: number[];
}

export type Ask = <Answer>(path: string, body: unknown) => Promise<Answer>;

/** Words and where they stand: across and up, one pair after the other. */
export interface Points {
  words: string[];
  places: Float32Array;
}

const AT_ONCE = 25_000; // session/limits.py: POINTS_AT_ONCE

/** All points of a map, slice after slice; each time all that is here so far. */
export async function* pointsOf(
  ask: Ask,
  question: { model: string; along?: [string, string] },
): AsyncGenerator<Points> {
  let of = Infinity;
  const words: string[] = [];
  let places = new Float32Array();
  while (words.length < of) {
    const slice = await ask<Slice>("points", { ...question, first: words.length, count: AT_ONCE });
    if (!slice.words.length) return;
    of = slice.of;
    if (places.length !== 2 * of) places = new Float32Array(2 * of);
    places.set(slice.places, 2 * words.length);
    words.push(...slice.words);
    yield { words: [...words], places: places.subarray(0, 2 * words.length) };
  }
}

/** b − a + c: what is to c as b is to a? Null for any other sum. */
export function analogyIn(
  terms: readonly { word: string; factor: number }[],
): { a: number; b: number; c: number } | null {
  if (terms.length !== 3) return null;
  const added = [0, 1, 2].filter((i) => terms[i]!.factor === 1);
  const a = [0, 1, 2].find((i) => terms[i]!.factor === -1);
  return added.length === 2 && a !== undefined ? { a, b: added[0]!, c: added[1]! } : null;
}

/** The same of a sum as it is written, to know its plane before anything is answered. */
export function planeOf(asked: string): [string, string] | null {
  const found = /^\s*([^\s+−-]+)\s+[-−]\s+([^\s+−-]+)\s+\+\s+([^\s+−-]+)\s*$/u.exec(asked);
  if (!found) return null;
  const [, b, a, c] = found as unknown as [string, string, string, string];
  const isSame = a === b || a === c; // a direction from a word to itself is none
  return isSame ? null : [`${c} - ${a}`, `${b} - ${a}`];
}
