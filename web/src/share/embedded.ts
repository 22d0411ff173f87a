/** Runs that came with what holds the page: a file, or a notebook, whose Python answers what is too large to send. */
import { inside } from "../engine/inside";
import { shownIn } from "../engine/loading.svelte";
import { ownSource } from "../engine/own";
import type { Source } from "../explorer/source";
import { LocalRun } from "../run/local";
import { recorded, type Recorded } from "../run/recorded";
import { RemoteRun, type Explained } from "../run/remote";
import type { Claim, Run } from "../run/run";
import { sourceOf } from "../server";
import type { State } from "../state";
import type { Info } from "../trace/trace";
import { traceFrom, type TraceData } from "../trace/wire";
import { overComm, type Comm } from "./comm";

interface Held {
  get(name: string): unknown;
}
const only = (run: (state: State) => Promise<Run>): Source => ({
  models: () => Promise.resolve([]),
  exported: null,
  ask: null,
  run,
});

/** The run that a model holds, and the state that it is a run of. */
export function embedded(model: Held & Partial<Comm>): { source: Source; state: State } {
  const came = model.get("trace") || model.get("trace_json");
  const kept = model.get("recorded") as Recorded | undefined;
  if (came) {
    const data = (typeof came === "string" ? JSON.parse(came) : came) as TraceData;
    return live(data, (model.get("claims") as Claim[] | undefined) ?? []);
  }
  if (kept) {
    const ask = recorded(kept);
    const run = async (state: State): Promise<Run> => new RemoteRun(state, await ask<Explained>("explain", state), ask);
    return { source: only(run), state: kept.explained.state ?? stateOf(kept.explained.outline!.info) };
  }
  if (model.get("inside")) return { source: ownSource(inside, shownIn(document)), state: model.get("state") as State };
  if (model.send) return { source: sourceOf(overComm(model as Comm)), state: model.get("state") as State };
  throw new Error("nothing came to be shown");
}

function live(data: TraceData, claims: readonly Claim[]): { source: Source; state: State } {
  const own = stateOf(data.info);
  const isOwn = (state: State): boolean => state.text === own.text && (state.next ?? "") === (own.next ?? "");
  const run = (state: State): Promise<Run> =>
    isOwn(state)
      ? Promise.resolve(LocalRun.of(traceFrom(data), claims, state))
      : Promise.reject(new Error("there is one run here; start `regard open` to read another sentence"));
  return { source: only(run), state: own };
}

/** What a run that came by itself is a run of. */
function stateOf(info: Info): State {
  const { model, text, next } = info as { model?: string | null; text?: string; next?: string | null };
  return { model: model ?? "", text: text ?? "", ...(next ? { next } : {}), changes: [] };
}
