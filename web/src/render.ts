/** The one entry of the page, the notebook widget and the offline file: draw what a model holds into an element.
 *
 * `model` is anywidget's: get, set, on, save_changes. It holds `trace` (trace/wire JSON), and may hold `claims`,
 * `state`, `view`, and `source` (where further runs come from; the page sets it, a widget and a file have none).
 */
import "katex/dist/katex.css";
import "./style.css";
import { mount, unmount } from "svelte";
import App from "./explorer/App.svelte";
import { Explorer, type Source } from "./explorer/explorer.svelte";
import { LocalRun } from "./run/local";
import { recorded, type Recorded } from "./run/recorded";
import { RemoteRun, type Explained } from "./run/remote";
import { keepInStep } from "./sync.svelte";
import type { Claim } from "./run/run";
import { FIRST_VIEW, type State, type View } from "./state";
import { traceFrom, type TraceData } from "./trace/wire";

export interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  on(event: string, callback: () => void): void;
  off?(event: string, callback: () => void): void;
  save_changes(): void;
}

export function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  el.classList.add("regard");
  const theme = model.get("theme");
  if (theme === "light" || theme === "dark") el.dataset.theme = theme;
  const kept = model.get("recorded") as Recorded | undefined;
  const explorer = new Explorer((model.get("source") as Source | undefined) ?? (kept ? replayed(kept) : embedded(model)));
  explorer.view = { ...FIRST_VIEW, ...(model.get("view") as Partial<View> | undefined) };
  const app = mount(App, { target: el, props: { explorer } });
  const stop = keepInStep(explorer, model);
  explorer.source.models().then(
    (models) => (explorer.models = models),
    () => {}, // the page works without a list to choose from
  );
  void explorer.go((model.get("state") as State | undefined) ?? stateOf(traceData(model)));
  return () => {
    stop();
    void unmount(app);
  };
}

function traceData(model: Model): TraceData {
  const came = model.get("trace");
  return (typeof came === "string" ? JSON.parse(came) : came) as TraceData;
}

/** What a trace that came by itself is a run of. */
function stateOf({ info }: TraceData): State {
  const { model, text, next } = info as { model?: string | null; text?: string; next?: string | null };
  return { model: model ?? "", text: text ?? "", ...(next ? { next } : {}), changes: [] };
}

/** A large run that came with the page, rounded: drawn as if a server had answered. */
function replayed(kept: Recorded): Source {
  const ask = recorded(kept);
  return {
    models: () => Promise.resolve([]),
    exported: null,
    ask: null,
    run: async (state) => new RemoteRun(state, await ask<Explained>("explain", state), ask),
  };
}

/** A run that came with the page: there is no other to go to. */
function embedded(model: Model): Source {
  const data = traceData(model);
  const own = stateOf(data);
  return {
    models: () => Promise.resolve([]),
    exported: null,
    ask: null,
    run: (state) => {
      if (state.text !== own.text || (state.next ?? "") !== (own.next ?? ""))
        return Promise.reject(new Error("this file holds one run; start `regard open` to read another sentence"));
      return Promise.resolve(LocalRun.of(traceFrom(data), (model.get("claims") as Claim[] | undefined) ?? [], state));
    },
  };
}
