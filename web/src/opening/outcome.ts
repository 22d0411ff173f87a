/** What a run comes to, for those who look at it for five seconds: who is listened to how much, and what is said next.
 * Numbers are read off the run; a list that is cut says how much it leaves out. */
import type { Explorer } from "../explorer/explorer.svelte";
import { largest } from "../measure/together";
import type { Run } from "../run/run";
import type { Numbers } from "../trace/numbers";

export interface Listened {
  position: number;
  word: string;
  share: number;
  key: string; // its cell, by positions
  address: string; // and by words
}
export interface Said {
  word: string;
  position: number;
  share: number;
  key: string;
}

/** How much the word on screen reads of everybody it can read, in the order of the sentence. */
export function shares(explorer: Explorer, run: Run | null): Pick<Listened, "position" | "share">[] {
  const line = (name: string): Numbers | null => {
    const step = explorer.step(name);
    return step && run ? run.read(step.name, explorer.place(step)) : null;
  };
  const weights = line("weights");
  if (!weights || !run) return [];
  const visible = line("visible");
  return Array.from(weights.data, (share, position) => ({ share, position })).filter(
    ({ position }) => !visible || visible.data[position] !== 0,
  );
}

/** The same, with who is read, and the cells. */
export const listened = (explorer: Explorer, run: Run | null): Listened[] =>
  shares(explorer, run).map(({ share, position }) => ({
    position,
    share,
    word: run!.labels.written("K", position),
    ...explorer.cell("weights", { K: position }),
  }));

/** The words that are most likely to follow, the likeliest first. */
export function said(run: Run | null, most: number): { words: Said[]; rest: number; left: number } {
  const whole = run?.isLocal ? run.read("probabilities") : null;
  const along = run?.labels.along("V");
  if (run && whole && along && whole.shape.length === 1) {
    const words = largest(whole.data, most).map((position) => ({
      word: along[position]!,
      position,
      share: whole.data[position]!,
      key: `probabilities[${position}]`,
    }));
    return cut(words, along.length);
  }
  const found = run?.explanation();
  if (!found) return { words: [], rest: 0, left: 0 };
  const words = found.candidates
    .toSorted((a, b) => b.probability - a.probability)
    .slice(0, most)
    .map(({ word, probability, cells }, position) => ({
      word,
      position: along?.indexOf(word) ?? position,
      share: probability,
      key: cells?.probability ?? "",
    }));
  return cut(words, found.candidates.length + (found.candidates_hidden ?? 0));
}

const cut = (words: Said[], all: number): { words: Said[]; rest: number; left: number } => ({
  words,
  rest: Math.max(0, 1 - words.reduce((sum, { share }) => sum + share, 0)),
  left: all - words.length,
});

/** A share as people say it: whole percents where they are enough to tell it from its neighbours. */
export const percent = (share: number, decimals = 1): string => `${(100 * share).toFixed(decimals)} %`;
