/** Where a screen gets its runs from, and what it can choose from. */
import type { Progress } from "../run/progress";
import type { Run } from "../run/run";
import type { State } from "../state";

/** Where others can open what is on screen. */
export interface Links {
  site: string | null; // the address of a hosted page; null: there is none
  models: string[]; // that it has
}

/** Where runs come from: the server, or a file that holds one. */
export interface Source {
  /** Models to choose from; none where there is only what came. */
  models(): Promise<Model[]>;
  run(state: State): Promise<Run>;
  /** One file that shows this state anywhere; null where nobody can write it. */
  exported: ((state: State) => Promise<Blob>) | null;
  links?: () => Promise<Links>;
  /** Anything else that the server answers (lessons, lenses); null where there is none. */
  ask: (<Answer>(path: string, body?: unknown) => Promise<Answer>) | null;
  /** Nobody waits any more for what is being computed; absent where it is computed here. */
  stop?: () => void;
  /** Who is to be told how far the run is that is being computed; absent where nobody can say. */
  follow?: (told: (progress: Progress) => void) => void;
  /** A conversation with the server (training); absent where nobody trains. */
  socket?: (path: string) => Promise<WebSocket>;
}

export interface Model {
  name: string;
  title: string;
  size: "toy" | "deep";
  sentence: string;
  next: string | null;
  mask: string;
  task?: string; // "masked": it guesses hidden words
}
