/** State: the one thing that says what is on screen. It lives in the URL, in exported files and in requests. */

/** What was run, and what was done to it, in order. Undo simply removes the last change. */
export interface State {
  model: string;
  text: string;
  next?: string;
  mask?: "causal" | "both";
  query?: string;
  changes: Change[];
}

export type Change =
  | { kind: "edit" | "move"; cell: string; value: number }
  | { kind: "pin"; step: string; value: number[] }
  | { kind: "update"; rate: number; learns?: string[]; times?: number }
  | { kind: "switch"; name: string; to: string };
