/** A notebook's Python answers what a server would: questions and answers over the widget's own line. */
import type { Ask } from "../run/remote";

/** The part of anywidget's model that carries messages. */
export interface Comm {
  send(message: unknown): void;
  on(event: string, callback: (...came: never[]) => void): void;
}
interface Answer {
  id: number;
  answer?: string; // JSON
  error?: string;
}

let count = 0; // several views of one widget share its line

export function overComm(model: Comm): Ask {
  const waiting = new Map<number, { done: (answer: unknown) => void; failed: (error: Error) => void }>();
  model.on("msg:custom", ({ id, answer, error }: Answer) => {
    const asked = waiting.get(id);
    if (!waiting.delete(id)) return;
    if (error === undefined) asked!.done(JSON.parse(answer!));
    else asked!.failed(new Error(error));
  });
  return <Answered>(path: string, body: unknown) =>
    new Promise<Answered>((done, failed) => {
      waiting.set(++count, { done: done as (answer: unknown) => void, failed });
      model.send({ id: count, path, body });
    });
}
