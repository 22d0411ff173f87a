/** The runs that questions are about: models by name, and the last few runs of them, with what was done to each. */
import { LocalRun } from "../run/local";
import type { State } from "../state";
import type { Model } from "./model";

const KEPT = 4; // runs; of a deep model, each may hold two hundred megabytes

export class Runs {
  private readonly kept = new Map<string, LocalRun>();

  constructor(readonly model: (name: string) => Promise<Model>) {}

  /** The run that a state means. A further change costs that change, and one left out costs nothing. */
  async of(state: State): Promise<LocalRun> {
    const model = await this.model(state.model);
    const { changes: _, ...begun } = state;
    const key = JSON.stringify(Object.entries(begun).sort());
    const run = (this.kept.get(key) ?? LocalRun.of(model.run(state), [], { ...begun, changes: [] })).to(state);
    this.kept.delete(key); // and put at the end, as the last that was asked about
    this.kept.set(key, run);
    if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value!);
    return run;
  }
}

const FIELDS = ["model", "text", "next", "mask", "query", "scaling", "compared", "as_written", "changes"];

/** The state that a question is about, without what the question adds to it. */
export function stateIn(body: object): State {
  const given = Object.entries(body).filter(([name, value]) => FIELDS.includes(name) && value !== null);
  return { changes: [], ...Object.fromEntries(given) } as unknown as State;
}
