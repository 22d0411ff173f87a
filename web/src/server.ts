/** The local server as a source of runs. Its errors are sentences, and are shown as they are. */
import { Unreachable } from "./connection.svelte";
import type { Entry } from "./entry";
import type { Links, Model, Source } from "./explorer/source";
import { lessonOf, type WholeLesson } from "./lessons/card";
import { LocalRun } from "./run/local";
import { RemoteRun, type Ask, type Explained } from "./run/remote";
import type { State } from "./state";
import { traceFrom, type TraceData } from "./trace/wire";

async function response(
  base: string,
  entry: Entry,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Response> {
  const headers = await entry.headers();
  const said: RequestInit =
    body === undefined
      ? { headers }
      : { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let answer: Response;
  try {
    answer = await fetch(`${base}/api/${path}`, { credentials: "omit", ...(signal ? { signal } : {}), ...said });
  } catch {
    if (signal?.aborted) throw new Error("stopped");
    throw new Unreachable("the server does not answer; is `regard open` still running?");
  }
  if (answer.ok) return answer;
  const told = (await answer.json().catch(() => null)) as { error?: { message?: string } } | null;
  throw new Error(told?.error?.message ?? `the server answered ${answer.status}`);
}

/** A model that is opened without a text reads its own sentence. */
async function ownSentence(state: State, models: () => Promise<Model[]>): Promise<State> {
  const model = (await models()).find((one) => one.name === state.model);
  if (!model) throw new Error(`no model ${JSON.stringify(state.model)} here; choose another one above`);
  return { ...state, text: model.sentence, ...(model.next && !state.next ? { next: model.next } : {}) };
}

export function server(base: string, entry: Entry): Source {
  let stopping = new AbortController();
  const asking = async <Answer>(path: string, body?: unknown): Promise<Answer> =>
    (await (
      await response(base, entry, path, body, body === undefined ? undefined : stopping.signal)
    ).json()) as Answer;
  const models = (): Promise<Model[]> => asking<Model[]>("models");
  const exported = async (state: State): Promise<Blob> => (await response(base, entry, "export", state)).blob();
  const stop = (): void => {
    stopping.abort(); // the server computes no further for a client that left
    stopping = new AbortController();
  };
  const socket = async (path: string): Promise<WebSocket> => {
    const address = new URL(`${base}/api/${path}`, location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    return new WebSocket(address, await entry.subprotocols());
  };
  const links = (): Promise<Links> => asking<Links>("links");
  return { ...sourceOf(asking, models, exported, asking), stop, socket, links };
}

/** Runs from whoever answers like the server; `free` answers also what is no run, such as lessons. */
export function sourceOf(
  asking: Ask,
  models: Source["models"] = () => Promise.resolve([]),
  exported: Source["exported"] = null,
  free: Source["ask"] = null,
): Source {
  return {
    models,
    exported,
    ask: free,
    run: async (asked) => {
      const lesson = lessonOf(asked.model);
      if (lesson && free) {
        const { trace, claims } = await free<WholeLesson>(`lessons/${encodeURIComponent(lesson)}`);
        return LocalRun.of(traceFrom(trace), claims, asked);
      }
      const state = asked.text ? asked : await ownSentence(asked, models);
      // a toy comes as it was before its changes, which are made here; of a deep run, everything is measured there
      const came = await asking<Explained & { trace?: TraceData }>("explain", { ...state, whole: true });
      return came.trace ? LocalRun.of(traceFrom(came.trace), came.claims, state) : new RemoteRun(state, came, asking);
    },
  };
}
