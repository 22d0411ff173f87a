/** Numbers of another run: the same run with one more change. Their arithmetic names that run, and opens in it. */
import type { Tree } from "./expression";
import { numbers, sizeOf, type Numbers } from "./numbers";
import type { New, Operation } from "./operation";
import type { OneMore, Trace } from "./trace";

/** The step `of` in the run with one more change, or in several such runs, side by side along the axis `along`. */
export class Elsewhere implements Operation {
  readonly kind = "elsewhere";
  readonly axes: string;

  constructor(
    readonly of: string,
    readonly letters: string, // of the step
    readonly along: string, // of the changes; empty if there is one
    readonly changes: readonly OneMore[],
    private readonly runs: (change: OneMore) => Trace,
  ) {
    this.axes = along + letters;
  }

  shape([shape]: readonly (readonly number[])[]): readonly number[] {
    return this.along ? [this.changes.length, ...shape!] : shape!;
  }

  forward([here]: readonly Numbers[]): Numbers {
    const size = sizeOf(here!.shape);
    const data = new Float64Array(this.changes.length * size);
    this.changes.forEach((change, i) => data.set(this.runs(change).array(this.of).data, i * size));
    return numbers(data, this.shape([here!.shape]));
  }

  backward(): (New | null)[] {
    return [null]; // another run is another run
  }

  /** The run that a cell comes from. */
  runAt(at: readonly number[]): Trace {
    return this.runs(this.changes[this.along ? at[0]! : 0]!);
  }

  arithmetic(at: readonly number[]): Tree {
    const run = this.runAt(at);
    const [step, place] = [run.step(this.of), this.along ? at.slice(1) : at];
    return { kind: "leaf", cell: { step, at: place, run }, value: step.at(place) };
  }

  data(): Record<string, unknown> {
    return { kind: this.kind, of: this.of, letters: this.letters, along: this.along, changes: this.changes };
  }
}
