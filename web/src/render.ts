/** The one entry of the page, the notebook widget and the offline file: draw what a model holds into an element.
 *
 * `model` is anywidget's: get, set, on, save_changes. It holds a run: `trace` (trace/wire JSON; a widget's is called
 * `trace_json`) or `recorded` (a deep run in a file), or it answers messages (a deep run in a notebook; `send`). It may
 * hold `claims`, `state`, `view`, and `source` (where further runs come from; only the page sets it). Or it holds a
 * `reading`, a page of text whose numbers open, and the `runs` they open into.
 */
import "katex/dist/katex.css";
import "./style.css";
import { mount, unmount } from "svelte";
import App from "./explorer/App.svelte";
import { Explorer } from "./explorer/explorer.svelte";
import type { Source } from "./explorer/source";
import Reading from "./reading/Reading.svelte";
import type { Reading as Page } from "./reading/reading";
import { embedded } from "./share/embedded";
import { keepInStep } from "./sync.svelte";
import { FIRST_STATE, FIRST_VIEW, type State, type View } from "./state";

export interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  on(event: string, callback: () => void): void;
  off?(event: string, callback: () => void): void;
  save_changes(): void;
  send?(message: unknown): void;
}

export function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  el.classList.add("regard");
  const theme = model.get("theme");
  if (theme === "light" || theme === "dark") el.dataset.theme = theme;
  const reading = model.get("reading") as Page | undefined;
  if (reading) return readAlive(reading, model, el);
  const given = model.get("source") as Source | undefined;
  const { source, state } = given ? { source: given, state: FIRST_STATE } : embedded(model);
  const explorer = new Explorer(source);
  explorer.view = { ...FIRST_VIEW, ...(model.get("view") as Partial<View> | undefined) };
  explorer.isCompact = model.get("compact") === true;
  if (explorer.view.stage !== FIRST_VIEW.stage) explorer.visit(explorer.view.stage); // a link opens where it says
  const app = mount(App, { target: el, props: { explorer } });
  const stop = keepInStep(explorer, model);
  const list = (): void =>
    void explorer.source.models().then(
      (models) => (explorer.models = models),
      (error: unknown) => explorer.missed(error, list), // the page works without a list to choose from
    );
  list();
  const told = model.get("state") as Partial<State> | undefined;
  void explorer.go(told?.changes ? (told as State) : state);
  return () => {
    stop();
    void unmount(app);
  };
}

/** A page read alive; a number that a toy has as a cell opens a run of it, inside the page. */
function readAlive(reading: Page, model: Model, el: HTMLElement): () => void {
  const runs = (model.get("runs") as Record<string, unknown>[] | undefined) ?? [];
  el.setAttribute("role", "main");
  const app = mount(Reading, { target: el, props: { reading, explore: exploring(runs) } });
  return () => void unmount(app);
}

/** Draws one of the runs that came with a page, at a cell of it. */
export function exploring(runs: readonly Record<string, unknown>[]) {
  return (inside: HTMLElement, run: number, cell: string): (() => void) => {
    const held: Record<string, unknown> = { ...runs[run], view: { cell } };
    const alone = { get: (name: string) => held[name], set: () => {}, on: () => {}, save_changes: () => {} };
    return render({ model: alone, el: inside });
  };
}
