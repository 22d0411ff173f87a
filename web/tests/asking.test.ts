/** Questions to the worker: how far a run is, and that nobody waits for it any more. */
import { describe, expect, it } from "vitest";
import { askingOver, type Port } from "../src/engine/asking";
import type { Answered } from "../src/engine/worker";
import type { Progress } from "../src/run/progress";

const STATE = { model: "english", text: "some words", changes: [] };

class Fake implements Port {
  sent: object[] = [];
  private hear: (event: MessageEvent<Answered>) => void = () => {};
  postMessage(message: object): void {
    this.sent.push(message);
  }
  addEventListener(kind: string, listener: never): void {
    if (kind === "message") this.hear = listener;
  }
  says(data: Answered): void {
    this.hear({ data } as MessageEvent<Answered>);
  }
}

describe("questions to the worker", () => {
  it("tell how far a run is, and nothing of what is measured besides", async () => {
    const [port, told] = [new Fake(), [] as Progress[]];
    const { ask } = askingOver(port, (progress) => told.push(progress));
    const run = ask("explain", STATE);
    void ask("lens", { ...STATE, kind: "overview" });
    const progress = { done: 3, of: 9, step: "layer0.weights" };
    port.says({ id: 1, progress });
    port.says({ id: 2, progress: { ...progress, done: 4 } });
    expect(told).toEqual([progress]);
    port.says({ id: 1, answer: "there" });
    await expect(run).resolves.toBe("there");
  });

  it("are left when somebody stops them, and the next one is sent once the worker has let go", async () => {
    const port = new Fake();
    const { ask, stop } = askingOver(port);
    const run = ask("explain", STATE);
    stop();
    await expect(run).rejects.toThrow("stopped");
    expect(port.sent.at(-1)).toEqual({ left: 1 });
    const next = ask("explain", { ...STATE, text: "other words" });
    port.says({ id: 1, error: "stopped" });
    expect(port.sent.at(-1)).toMatchObject({ id: 2, path: "explain" });
    port.says({ id: 2, answer: "there" });
    await expect(next).resolves.toBe("there");
  });
});
