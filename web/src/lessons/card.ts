/** A lesson's cards as the server tells them: Python computed every number from the lesson's trace. */
import type { Claim, Outline } from "../run/run";
import type { Change, State } from "../state";
import type { TraceData } from "../trace/wire";
import type { Frames } from "./frames";

export type Answer = number | string;

export interface Mistake {
  name: string;
  says: string;
  value: Answer;
}

/** A paper, a page or a film to read on. */
export interface Reading {
  name: string;
  by: string;
  year: number;
  about: string;
}

export interface Card {
  document: string; // by its title
  question: string; // the section of the document, or what it asks
  line: number;
  title: string;
  stage: number; // the one to look at
  says: string;
  asks: string;
  hint: string;
  reveals: string;
  answer: Answer;
  decimals: number; // that the answer is asked to
  mistakes: Mistake[];
  cell: string | null; // where the answer stands, by positions
  row: number | null;
  head: number | null;
  choices: string[]; // empty where a number is asked for
  veils: string | null; // the step that stays hidden until the answer is shown, and all that follow from it
  changes: Change[]; // what showing the answer does to the run
}

export interface Lesson {
  name: string;
  title: string;
  idea: string;
  documents: string[]; // by their titles
  questions: number;
  wrong: number;
  all: number;
}

export interface WholeLesson extends Lesson {
  claims: Claim[];
  remarks: string[];
  cards: Card[];
  frames?: Frames[]; // runs side by side; absent from what an earlier one wrote
  reading: Reading[];
  explore: State | null; // the same run without the lesson
  trace: TraceData;
}

/** A lesson's run is called after it. */
export const LESSON = "lesson/";
export const lessonOf = (model: string | undefined): string | null =>
  model?.startsWith(LESSON) ? model.slice(LESSON.length) : null;
export const stateOf = (name: string): State => ({ model: LESSON + name, text: "", changes: [] });

/** A step and everything that was computed from it: what would give the answer away. */
export function following(steps: ReadonlyMap<string, Outline>, name: string): Set<string> {
  const found = new Set([name]);
  let before = 0;
  while (found.size > before) {
    before = found.size;
    for (const step of steps.values()) if (step.inputs.some((input) => found.has(input))) found.add(step.name);
  }
  return found;
}
