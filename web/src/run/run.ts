/** A run of a model as the page sees it: computed here (toys) or by the server (deep models), behind one interface. */
import type { Differences } from "../measure/blame";
import type { Explanation } from "../measure/explanation";
import type { FlowPicture } from "../measure/picture";
import type { Change, Scaling, State } from "../state";
import type { Labels } from "../trace/labels";
import type { Numbers } from "../trace/numbers";
import type { Info } from "../trace/trace";

export interface Outline {
  readonly name: string;
  readonly axes: string;
  readonly shape: readonly number[];
  readonly kind: string; // of its operation
  readonly inputs: readonly string[];
}

/** One cell that another was computed from, or that was computed from it. */
export interface Part {
  cell: string; // its full address
  name: string; // its short one
  value: number;
}

/** Why a number is what it is. */
export interface Why extends Part {
  step: string;
  at: number[];
  text: string; // 0.7500 = 2.0281 / 2.7042
  latex: string;
  numpy: string | null;
  symbols: string;
  given: boolean;
  parts: Part[]; // in reading order
  note?: string; // where this is not the whole story
}

/** One point of the loss curve. */
export interface Moment {
  update: number;
  loss: number;
  predicted: string;
}

/** A claim of a document beside what is computed. */
export interface Claim {
  document: string; // how the code tells documents apart
  title: string; // how a reader is told
  line: number;
  about: string;
  claimed: string;
  computed: string;
  verdict: "exact" | "rounded" | "truncated" | "wrong" | "cannot run" | "not so in this model" | "overstated";
  fails: boolean;
  stage: number;
  cell: string | null;
  note: string;
}

/** Another way the run could have gone: how to make it, and what it would do to the loss. */
export interface WhatIf {
  name: string;
  why: string; // in a few words, what the switch lets one see
  isToggle?: boolean; // any number of the choices may be on
  choices: { label: string; isOn: boolean; state: State; change: Told | null }[];
  knob?: Knob;
}
/** A number that can be turned. */
export interface Knob {
  letter: string;
  value: number;
  own: number; // what it is if nobody turns it
  least: number;
  most: number;
  to: (value: number) => State;
}
/** How far a number of another run is from ours, and where that stands. */
export interface Told {
  cell: string;
  value: number;
}

/** A run that was watched: how right its weights are, what was not seen, and what cannot be done with it. */
export interface Watched {
  parity: string;
  worst: number | null;
  missed: Record<string, string>;
  cannot: string[];
}

/** Every head of a deep model at a glance. */
export interface Overview {
  words: [string, string];
  layers: number;
  heads: number;
  cells: number; // of the side of a pattern
  by_head: {
    layer: number;
    head: number;
    contribution: number | null;
    entropy: number;
    distance: number;
    first: number;
    cells?: Partial<Record<"contribution" | "entropy" | "distance" | "first", string>>;
    pattern: number[];
  }[];
  others: { name: string; contribution: number }[];
  rest: number;
}

/** What is asked for and is not here yet is null; it is fetched, and who asked is told when it comes. */
export interface Divided {
  scaling: Scaling;
  width: number; // of a head
}

export type Mattered = Pick<
  Explanation,
  "layer" | "head" | "readings" | "difference" | "predicted" | "findings" | "told"
>;

export interface Run {
  readonly isLocal: boolean;
  readonly isRounded?: boolean; // of a file: to be read only, its arrays at 8 bits
  readonly isLong?: boolean; // its weights are not kept: of other heads than the one that came, nothing is measured
  readonly state: State;
  readonly info: Info;
  readonly labels: Labels;
  readonly steps: ReadonlyMap<string, Outline>;
  readonly leftOut?: ReadonlySet<string>; // steps that the model has, and the file that holds the run has not
  readonly parameters: readonly string[];
  readonly moments: readonly Moment[];
  readonly claims: readonly Claim[];
  readonly watched?: Watched | null; // of a model that is not in glass: its weights alone, as its own code made them
  readonly overview: Overview | null; // null for toys, whose heads are all on screen

  /** A step's numbers, whole or at some places of its axes (null: all along that axis). */
  read(step: string, at?: readonly (number | null)[]): Numbers | null;
  /** The numbers of a measured step, by its name: made when they are first asked for. */
  measured(step: string, at?: readonly (number | null)[]): Numbers | null;
  /** Where the difference of two logits comes from, as it is drawn. */
  flow(): FlowPicture | null;
  /** Everything measured, as one head sees it. */
  explanation(shown?: { layer: string; head: number }): Explanation | null;
  /** The arithmetic of a number; of a long sum, so many terms. */
  why(address: string, terms?: number): Why | null;
  /** Which word mattered, as one head sees it; null until it is known. */
  mattered(shown: { layer: string; head: number }): Mattered | null;
  /** The cells that read this one directly. */
  dependents(address: string): { cells: Part[]; more: number } | null;
  /** What a cell was before it was edited; undefined where nobody touched it. */
  original(step: string, at: readonly number[]): number | undefined;
  /** `isAsked`: with what each would do to the loss, where finding that out takes a while. */
  whatIfs(isAsked?: boolean): WhatIf[];
  /** By what the scores of a layer are divided, where the run itself says so. */
  divided?(layer: string): Divided | null;
  /** The gradient beside finite differences, where these were or can be taken. */
  differences(): Differences | null;

  /** A further answer of the server about this run: a lens, a tile, words written on. Null until it is here, and where
   * there is no server. */
  fetched<Answer>(path: string, question: object): Answer | null;

  /** Told when something that was asked for does not come. */
  onerror?: (error: unknown, again?: () => void) => void;

  /** The run of another state: at once where that is possible. */
  to(state: State): Run | Promise<Run>;
}

/** As many decimals as a number has that is rounded to some two hundred parts of the largest of its row. */
export function decimalsOf(row: ArrayLike<number>): number {
  const largest = Array.from(row).reduce(
    (most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most),
    0,
  );
  return largest ? Math.max(0, Math.floor(-Math.log10(largest / 127))) : 0;
}

export const changedBy = (state: State, change: Change): State => ({ ...state, changes: [...state.changes, change] });
export const undone = (state: State): State => ({ ...state, changes: state.changes.slice(0, -1) });
