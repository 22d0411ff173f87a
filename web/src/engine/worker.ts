/** The engine in a thread of its own: it loads models, computes, and answers, and the page never waits for it. */
import { arraysIn } from "./arrays";
import type { Progress } from "../run/progress";
import { engine, type Pause } from "./engine";
import { Model } from "./model";
import type { TemplateData } from "./template";

export interface Asked {
  id: number;
  path: string;
  body: object;
}
/** A model's numbers, handed over when they have come. */
export interface Given {
  model: string;
  template: TemplateData;
  numbers: ArrayBuffer;
}
/** Nobody waits for an answer any more. */
export interface Left {
  left: number;
}
export interface Answered {
  id: number;
  progress?: Progress; // it is on its way
  answer?: unknown;
  error?: string;
}

const SLICE = 30; // ms of long work, after which others may ask

/** The part of a worker's scope that is used: what comes in, and what goes out. */
export interface Line {
  onmessage: ((event: { data: Asked | Given | Left }) => void) | null;
  postMessage(answered: Answered): void;
}

export function serve(line: Line): void {
  const models = new Map<string, Model>();
  const left = new Set<number>();
  const ask = engine((name) => {
    const found = models.get(name);
    return found ? Promise.resolve(found) : Promise.reject(new Error(`the numbers of ${name} are not here yet`));
  });
  let since = performance.now();
  /** A pause when a slice of time is over: whatever was asked meanwhile is answered first. */
  const pauseOf =
    (id: number): Pause =>
    async (progress) => {
      if (performance.now() - since < SLICE) return;
      if (progress) line.postMessage({ id, progress });
      await new Promise((resume) => setTimeout(resume));
      since = performance.now();
      if (left.delete(id)) throw new Error("stopped");
    };
  line.onmessage = ({ data }) => {
    if ("numbers" in data) models.set(data.model, new Model(data.template, arraysIn(data.numbers)));
    else if ("left" in data) left.add(data.left);
    else
      ask(data.path, data.body, pauseOf(data.id))
        .then(
          (answer) => line.postMessage({ id: data.id, answer }),
          (error: unknown) =>
            line.postMessage({ id: data.id, error: error instanceof Error ? error.message : String(error) }),
        )
        .finally(() => left.delete(data.id));
  };
}
