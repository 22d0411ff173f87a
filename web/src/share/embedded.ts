/** Runs that came with what holds the page: a file, or a notebook, whose Python also answers what is too large to send. */
import type { Source } from "../explorer/explorer.svelte";
import { LocalRun } from "../run/local";
import { PackedRun, READ_ONLY, type Packed } from "../run/packed";
import type { Claim, Run } from "../run/run";
import { sourceOf } from "../server";
import type { State } from "../state";
import type { Info } from "../trace/trace";
import { traceFrom, type TraceData } from "../trace/wire";
import { overComm, type Comm } from "./comm";

interface Held {
  get(name: string): unknown;
}
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

/** The run that a model holds, and the state that it is a run of. */
export function embedded(model: Held & Partial<Comm>): { source: Source; state: State } {
  const came = isGiven(model.get("trace")) ? model.get("trace") : model.get("trace_json");
  const claims = (model.get("claims") as Claim[] | undefined) ?? [];
  if (isGiven(came)) {
    const data = (typeof came === "string" ? JSON.parse(came) : came) as TraceData;
    return only(stateOf(data.info), (state) => Promise.resolve(LocalRun.of(traceFrom(data), claims, state)));
  }
  const packed = model.get("packed") as Packed | undefined;
  if (packed) return only(stateOf(packed.outline!.info), (state) => PackedRun.of(packed, claims, state));
  const state = model.get("state") as State;
  if (model.send) return { source: sourceOf(overComm(model as Comm)), state };
  throw new Error("nothing came to be shown");
}

function only(own: State, run: (state: State) => Promise<Run>): { source: Source; state: State } {
  const isOwn = (state: State): boolean => state.text === own.text && (state.next ?? "") === (own.next ?? "");
  const source: Source = {
    models: () => Promise.resolve([]),
    exported: null,
    run: (state) => (isOwn(state) ? run(state) : Promise.reject(new Error(READ_ONLY))),
  };
  return { source, state: own };
}

/** What a run that came by itself is a run of. */
function stateOf(info: Info): State {
  const { model, text, next } = info as { model?: string | null; text?: string; next?: string | null };
  return { model: model ?? "", text: text ?? "", ...(next ? { next } : {}), changes: [] };
}
