/** Questions to the engine in its worker, and its answers; of a drag, only the last one is answered. */
import type { Progress } from "../run/progress";
import type { Ask } from "../run/remote";
import type { Change, State } from "../state";
import type { Answered, Asked, Given, Left } from "./worker";

/** The part of a worker that is used. */
export interface Port {
  postMessage(message: Asked | Given | Left, transfer?: Transferable[]): void;
  addEventListener(kind: "message", listener: (event: MessageEvent<Answered>) => void): void;
  addEventListener(kind: "error", listener: () => void): void;
}

interface Waiting extends Asked {
  done: (answer: never) => void;
  failed: (error: Error) => void;
}

const PATIENT = 1; // what an update would do: measured when nothing else is asked for
const kindOf = ({ path, body }: Asked): number | null =>
  path !== "explain" ? null : "learning" in body && body.learning ? PATIENT : 0;

/** Whether two states differ only in the number that their last change sets: what a moving hand does. */
export function isMoved(a: State, b: State): boolean {
  const cellOf = (change: Change | undefined): string | null =>
    change && "cell" in change ? `${change.kind} ${change.cell}` : null;
  const before = (state: State): string => JSON.stringify({ ...state, changes: state.changes.slice(0, -1) });
  const [last, other] = [cellOf(a.changes.at(-1)), cellOf(b.changes.at(-1))];
  return last !== null && last === other && before(a) === before(b);
}

export interface Asking {
  ask: Ask;
  /** Nobody waits any more for the run that is being computed. */
  stop: () => void;
}

export function askingOver(port: Port, told: (progress: Progress) => void = () => {}): Asking {
  const asked = new Map<number, Waiting>(); // and not answered
  let queued: Waiting[] = [];
  let count = 0;
  const isBusy = (kind: number): boolean => [...asked.values()].some((one) => (kindOf(one) ?? Infinity) <= kind);

  function send(one: Waiting): void {
    asked.set(one.id, one);
    port.postMessage({ id: one.id, path: one.path, body: one.body });
  }
  function sendNext(): void {
    const next = [0, PATIENT].flatMap((kind) => queued.filter((one) => kindOf(one) === kind && !isBusy(kind)))[0];
    if (!next) return;
    queued = queued.filter((one) => one !== next);
    send(next);
  }
  port.addEventListener("error", () => {
    for (const one of asked.values()) one.failed(new Error("the engine does not start; load the page again"));
    asked.clear();
  });
  port.addEventListener("message", ({ data: { id, answer, error, progress } }) => {
    const one = asked.get(id);
    if (progress) {
      if (one && kindOf(one) === 0) told(progress);
      return;
    }
    asked.delete(id);
    if (error === undefined) one?.done(answer as never);
    else one?.failed(new Error(error));
    sendNext();
  });
  const stop = (): void => {
    for (const one of [...asked.values(), ...queued].filter((one) => kindOf(one) === 0)) {
      port.postMessage({ left: one.id });
      one.failed(new Error("stopped"));
    }
    queued = queued.filter((one) => kindOf(one) !== 0);
  };
  const ask: Ask = (path, body) =>
    new Promise((done, failed) => {
      const one: Waiting = { id: ++count, path, body: body as object, done, failed };
      const kind = kindOf(one);
      if (kind === null) {
        send(one);
        return;
      }
      const stale = queued.filter((other) => kindOf(other) === kind && isMoved(other.body as State, one.body as State));
      queued = [...queued.filter((other) => !stale.includes(other)), one];
      // nobody waits for these any more: the page has gone on
      if (kind !== PATIENT) for (const other of stale) other.failed(new Error("another was asked for meanwhile"));
      sendNext();
    });
  return { ask, stop };
}
