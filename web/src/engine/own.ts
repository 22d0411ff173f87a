/** Runs that nobody has to be asked for: toys are computed here, deep models in a worker, lessons lie beside them.
 *
 * It answers like the server. `Files` says where the files of `regard site` are: beside the page, or inside it.
 */
import type { Model as Listed, Source } from "../explorer/source";
import { lessonOf } from "../lessons/card";
import { LocalRun } from "../run/local";
import { RemoteRun, type Ask, type Explained } from "../run/remote";
import type { Progress as RunProgress } from "../run/progress";
import type { Claim } from "../run/run";
import { sourceOf } from "../server";
import type { State } from "../state";
import { arraysIn } from "./arrays";
import { askingOver } from "./asking";
import { engine } from "./engine";
import { Model } from "./model";
import type { TemplateData } from "./template";
import type { Given } from "./worker";

export type Progress = (loaded: number, whole: number) => void;

export interface Files {
  json<Data>(path: string): Promise<Data>;
  bytes(path: string, progress: Progress): Promise<ArrayBuffer>;
  worker(): Promise<Worker>;
}

/** A model's file: its template, and what a document claims of its own sentence. */
type ModelData = TemplateData & { claims: Claim[] };

/** What is being loaded, for whoever shows it: a model, and how much of it is there. Null: nothing. */
export type Loading = { model: string; loaded: number; whole: number } | null;

export function ownSource(files: Files, tell: (loading: Loading) => void = () => {}): Source {
  const models = once(() => files.json<Listed[]>("models.json"));
  const template = once((name: string) => files.json<ModelData>(`models/${name}.json`));
  const numbers = (name: string, progress: Progress): Promise<ArrayBuffer> =>
    files.bytes(`models/${name}.safetensors`, progress);
  const toy = once(async (name: string) => new Model(await template(name), arraysIn(await numbers(name, () => {}))));
  const here = engine(toy);

  let told: (progress: RunProgress) => void = () => {};
  let stop = (): void => {}; // before there is a worker, nothing is computed
  const worker = once(async () => {
    const made = await files.worker();
    const asking = askingOver(made, (progress) => told(progress));
    stop = asking.stop;
    return { made, ask: asking.ask };
  });
  /** The worker, once it has the numbers of a model. */
  const knowing = once(async (name: string): Promise<Ask> => {
    const listed = (await models()).find((model) => model.name === name);
    try {
      const progress: Progress = (loaded, whole) => tell({ model: listed?.title ?? name, loaded, whole });
      const [data, bytes, { made, ask }] = await Promise.all([template(name), numbers(name, progress), worker()]);
      const given: Given = { model: name, template: data, numbers: bytes };
      made.postMessage(given, [bytes]);
      return ask;
    } finally {
      tell(null);
    }
  });

  const isToy = async (name: string): Promise<boolean> => {
    const found = (await models()).find((model) => model.name === name);
    if (!found) throw new Error(`no model ${JSON.stringify(name)} here; choose another one above`);
    return found.size === "toy";
  };
  /** Questions about a state, to whoever computes its model; anything else is a file. */
  const ask = async <Answer>(path: string, body?: unknown): Promise<Answer> => {
    if (body === undefined)
      return path === "models" ? ((await models()) as Answer) : files.json<Answer>(`${path}.json`);
    const { model } = body as State;
    if (await isToy(model)) return (await here(path, body as object)) as Answer;
    return (await knowing(model))<Answer>(path, body);
  };
  const withText = async (state: State): Promise<State> => {
    if (state.text) return state;
    const { sentence, next } = await template(state.model);
    return { ...state, text: sentence, ...(next && !state.next ? { next } : {}) };
  };
  const run: Source["run"] = async (asked) => {
    if (lessonOf(asked.model)) return lessons.run(asked);
    const isHere = await isToy(asked.model);
    const state = await withText(asked);
    if (!isHere) return new RemoteRun(state, await ask<Explained>("explain", state), ask);
    const made = await toy(state.model);
    const { claims, sentence, next } = await template(state.model);
    const isOwn = state.text === sentence && (state.next ?? null) === next && !state.mask && !state.query;
    const { changes: _, scaling: __, ...plain } = state;
    return LocalRun.of(made.run({ ...plain, changes: [] }), isOwn ? claims : [], state);
  };
  const lessons = sourceOf(ask, models, null, (path) => ask<never>(path));
  const follow: Source["follow"] = (follower) => (told = follower);
  return { models, run, exported: null, ask, follow, stop: () => stop() };
}

/** What a function promises, asked for once; a promise that was broken is asked for again. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value>;
function once<Value>(make: (name: string) => Promise<Value>): (name: string) => Promise<Value>;
function once<Value>(make: (name: string) => Promise<Value>): (name?: string) => Promise<Value> {
  const made = new Map<string, Promise<Value>>();
  return (name = "") => {
    let found = made.get(name);
    if (!found) {
      found = make(name);
      made.set(name, found);
      found.catch(() => made.delete(name));
    }
    return found;
  };
}
