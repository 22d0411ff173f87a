/** The local server as a source of runs. Its errors are sentences, and are shown as they are. */
import type { Model, Source } from "./explorer/explorer.svelte";
import { LocalRun } from "./run/local";
import type { Claim } from "./run/run";
import type { State } from "./state";
import { traceFrom, type TraceData } from "./trace/wire";

export async function ask<Answer>(base: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await response(base, path, body);
  return (await answer.json()) as Answer;
}

async function response(base: string, path: string, body?: unknown): Promise<Response> {
  const said = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let answer: Response;
  try {
    answer = await fetch(`${base}/api/${path}`, { credentials: "same-origin", ...said });
  } catch {
    throw new Error("the server does not answer; is `regard open` still running?");
  }
  if (answer.ok) return answer;
  const told = (await answer.json().catch(() => null)) as { error?: { message?: string } } | null;
  throw new Error(told?.error?.message ?? `the server answered ${answer.status}`);
}

interface Explained {
  trace?: TraceData;
  claims: Claim[];
}

export function server(base: string): Source {
  return {
    models: () => ask<Model[]>(base, "models"),
    exported: async (state) => (await response(base, "export", state)).blob(),
    run: async (state: State) => {
      const { scaling: _, mask, ...run } = state; // a toy changes its own numbers, here
      const asked = { ...run, ...(mask ? { mask } : {}), changes: [] };
      const { trace, claims } = await ask<Explained>(base, "explain", asked);
      if (!trace) throw new Error("this model is too large to be computed in the page");
      return LocalRun.of(traceFrom(trace), claims, state);
    },
  };
}
