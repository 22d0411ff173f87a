/** State: the one thing that says what is on screen. It lives in the URL, in exported files and in requests. */
import { isChange, MOST } from "./bounds";
import { lessonOf, stateOf } from "./lessons/card";
import { kept } from "./toys/kept";

export type Mask = "causal" | "both";
export type Scaling = "root" | "width" | "none";

/** What was run, and what was done to it, in order. Undo simply removes the last change. */
export interface State {
  model: string;
  toy?: string; // a model of one's own: its TOML, under the name above
  text: string;
  next?: string;
  mask?: Mask;
  query?: string;
  scaling?: Scaling; // a what-if: divide scores by √d, by d, or not at all
  compared?: [string, string]; // why the first word, and not the second; else the one that follows and its rival
  as_written?: boolean; // hide no word from a model that guesses hidden ones
  changes: Change[];
}

export type Change =
  | { kind: "edit" | "move"; cell: string; value: number }
  | { kind: "pin"; step: string; value: number[] }
  | { kind: "hide"; word: string } // nobody may read it
  | { kind: "switch"; name: string; value?: number } // one respect in which the run is built otherwise
  | { kind: "silence"; layer: number; head: number } // a head that adds nothing
  | { kind: "update"; rate: number; learns?: string[]; times?: number };

/** Scenes by name (`scenes.ts` says what draws each). */
export const PAGES = [
  "opening", "explorer", "flow", "lessons", "gravity", "read", "train", "compare", "vectors",
] as const; // prettier-ignore

/** What a run is compared with: another, and which of its heads; null: the same as in the one on screen. */
export interface Beside {
  state: State;
  layer: number | null;
  head: number | null;
}

/** What is looked at, and how: the part of the screen that changes no number. */
export interface View {
  stage: number; // 1 to 12
  layer: number | null; // null: the one that moves the logits most
  head: number | null;
  row: number | null; // the query whose row is opened; null: the one that predicts
  cell: string | null; // whose arithmetic is open
  of: string | null; // the text whose run it is a number of; null: the one on screen
  tab: "formula" | "numbers" | "code";
  columns: boolean; // W·x, words in columns, instead of x·W
  backward: boolean; // gradients under every number
  exact: boolean; // small numbers as powers of ten, instead of rounded like their neighbours
  page: (typeof PAGES)[number];
  card: number; // of a lesson, from 0
  revealed: number; // of a card: 0 asked, 1 with its hint, 2 shown
  word: string | null; // gravity: the word that is pulled; null: the one that predicts
  also: string[]; // gravity: further sentences
  toward: string[]; // gravity: words of the vocabulary that it may be pulled to
  share: number; // gravity: how much of its attention the second sentence has, from 0 to 1
  close: boolean; // gravity: only what words pulled, drawn large
  table: string | null; // vectors: the table that is looked at; null: that of the model on screen, or the English one
  asked: string | null; // vectors: a word, or a sum of words
  principal: boolean; // vectors: drawn as all words lie, though an analogy is asked for
  beside: Beside | null; // compare: with what; null: with what tells most
}

export const FIRST_VIEW: View = {
  stage: 1, layer: null, head: null, row: null, cell: null, of: null, tab: "formula", columns: false, backward: false,
  exact: false, page: "explorer", card: 0, revealed: 0, word: null, also: [], toward: [], share: 0,
  close: false, beside: null, table: null, asked: null, principal: false,
}; // prettier-ignore
export const FIRST_STATE: State = { model: "fox", text: "The quick brown fox", next: "jumps", changes: [] };

/** The address of a screen: readable where it can be, and empty of everything that is as it is anyway. */
export function toHash(state: State, view: View): string {
  const said = new URLSearchParams();
  const say = (name: string, value: string | number | null | undefined): void => {
    if (value !== undefined && value !== null && value !== "") said.set(name, String(value));
  };
  const lesson = lessonOf(state.model);
  say(lesson ? "lesson" : "model", lesson ?? state.model);
  if (state.toy && state.toy.length <= MOST.toyInALink) say("toy", state.toy);
  say("text", state.text);
  say("next", state.next);
  say("mask", state.mask);
  say("query", state.query);
  say("scaling", state.scaling);
  if (state.compared) say("compared", JSON.stringify(state.compared));
  if (state.as_written) say("as_written", 1);
  if (state.changes.length) say("changes", JSON.stringify(state.changes));
  if (view.stage !== FIRST_VIEW.stage) say("stage", view.stage);
  say("layer", view.layer);
  say("head", view.head);
  say("row", view.row);
  say("cell", view.cell);
  say("of", view.of);
  if (view.tab !== FIRST_VIEW.tab) say("tab", view.tab);
  if (view.columns) say("columns", 1);
  if (view.backward) say("backward", 1);
  if (view.exact) say("exact", 1);
  if (view.page !== FIRST_VIEW.page) say("page", view.page);
  if (view.card) say("card", view.card + 1);
  if (view.revealed) say("revealed", view.revealed);
  say("word", view.word);
  if (view.also.length) say("also", JSON.stringify(view.also));
  if (view.toward.length) say("toward", JSON.stringify(view.toward));
  if (view.share) say("share", view.share);
  if (view.close) say("close", 1);
  say("table", view.table);
  say("asked", view.asked);
  if (view.principal) say("principal", 1);
  if (view.beside) {
    const { state, layer, head } = view.beside;
    say("beside", toHash(state, { ...FIRST_VIEW, layer, head }).slice(1));
  }
  return `#${said.toString()}`;
}

/** The reverse. What cannot be read is left out: a link that was cut still opens. */
export function fromHash(hash: string): { state: State | null; view: View } {
  const said = pairsOf(hash.replace(/^#/, ""));
  const whole = (name: string): number | null =>
    /^\d{1,6}$/.test(said.get(name) ?? "") ? Number(said.get(name)) : null;
  const one = <Choice extends string>(name: string, ...choices: Choice[]): Choice | undefined =>
    choices.find((choice) => choice === said.get(name));
  const view: View = {
    stage: Math.min(12, Math.max(1, whole("stage") ?? FIRST_VIEW.stage)),
    layer: whole("layer"),
    head: whole("head"),
    row: whole("row"),
    cell: said.get("cell"),
    of: said.get("of"),
    tab: one("tab", "formula", "numbers", "code") ?? FIRST_VIEW.tab,
    columns: said.has("columns"),
    backward: said.has("backward"),
    exact: said.has("exact"),
    page: one("page", ...PAGES) ?? FIRST_VIEW.page,
    card: Math.max(0, (whole("card") ?? 1) - 1),
    revealed: Math.min(2, whole("revealed") ?? 0),
    word: said.get("word"),
    also: textsFrom(said.get("also"), 2),
    toward: textsFrom(said.get("toward"), MOST.toward),
    share: /^(0?\.\d{1,6}|0|1)$/.test(said.get("share") ?? "") ? Number(said.get("share")) : 0,
    close: said.has("close"),
    table: said.get("table")?.slice(0, MOST.name) || null,
    asked: said.get("asked")?.slice(0, MOST.name) || null,
    principal: said.has("principal"),
    beside: besideFrom(said.get("beside")),
  };
  // nothing is asked for: the opening scene; a link that names a run and no scene is one to the explorer
  if (!said.size) view.page = "opening";
  const text = said.get("text");
  const lesson = said.get("lesson");
  if (lesson) return { state: { ...stateOf(lesson), changes: changesFrom(said.get("changes")) }, view };
  if (text === null && !said.has("model")) return { state: null, view };
  const optional = <Name extends string, Value>(
    name: Name,
    value: Value | null | undefined,
  ): { [key in Name]?: Value } =>
    (value === null || value === undefined ? {} : { [name]: value }) as { [key in Name]?: Value };
  const model = said.get("model") ?? FIRST_STATE.model;
  const toy = said.get("toy") ?? kept(model);
  const state: State = {
    model,
    ...optional("toy", toy !== null && toy.length <= MOST.toy ? toy : null),
    text: text ?? "",
    ...optional("next", said.get("next") || null),
    ...optional("mask", one("mask", "causal", "both")),
    ...optional("query", said.get("query") || null),
    ...optional("scaling", one("scaling", "root", "width", "none")),
    ...optional("compared", pairFrom(said.get("compared"))),
    ...optional("as_written", said.has("as_written") ? true : null),
    changes: changesFrom(said.get("changes")),
  };
  return { state, view };
}

/** name=value pairs, or the JSON that `regard open` puts there. */
function pairsOf(written: string): URLSearchParams {
  try {
    const data: unknown = JSON.parse(decodeURIComponent(written));
    if (typeof data === "object" && data !== null)
      return new URLSearchParams(
        Object.entries(data).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
      );
  } catch {
    // not JSON, then
  }
  return new URLSearchParams(written);
}

/** A run as a link says it, inside the link of another; it has no third one beside it. */
function besideFrom(written: string | null): Beside | null {
  if (!written) return null;
  const { state, view } = fromHash(
    new URLSearchParams([...pairsOf(written)].filter(([name]) => name !== "beside")).toString(),
  );
  return state && { state, layer: view.layer, head: view.head };
}

function textsFrom(written: string | null, most: number): string[] {
  try {
    const found: unknown = JSON.parse(written ?? "[]");
    return Array.isArray(found) ? found.filter((one): one is string => typeof one === "string").slice(0, most) : [];
  } catch {
    return [];
  }
}

function pairFrom(written: string | null): [string, string] | null {
  const [first, second, ...more] = textsFrom(written, 3);
  return first && second && !more.length ? [first, second] : null;
}

function changesFrom(written: string | null): Change[] {
  try {
    const found: unknown = JSON.parse(written ?? "[]");
    return Array.isArray(found) && found.length <= MOST.changes ? found.filter(isChange) : [];
  } catch {
    return [];
  }
}
