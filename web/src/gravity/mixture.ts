/** One word that reads two sentences at once, and gives each a share of its attention: from the one to the other.
 *
 * It is a run like any other: of both sentences as one text, with the word's row of weights pinned to the first
 * sentence's weights times what is left, and the second's times the share. At both ends it lands where each sentence
 * alone would take it; between them every number is computed, and opens. That holds only where a word's vector does not
 * depend on its place and there is one layer, so it is offered for toys of that kind alone.
 */
import type { Source } from "../explorer/source";
import type { Run } from "../run/run";
import type { State } from "../state";
import type { Trace } from "../trace/trace";
import { positionOf } from "./measured";

/** Every number of a run that is computed here; null where they stay with the server. */
export const traceOf = (run: Run): Trace | null => ("trace" in run ? (run.trace as Trace) : null);

export class Mixture {
  private constructor(
    readonly text: string,
    private readonly run: Run,
    private readonly row: number, // of the word, in the first sentence
    private readonly weights: readonly [Trace, Trace],
    private readonly rows: readonly [number, number],
  ) {}

  /** Null where a mixture would land elsewhere than the sentences do. */
  static async of(source: Source, state: State, runs: readonly [Run, Run], word: string): Promise<Mixture | null> {
    const traces = runs.map(traceOf);
    const [one, two] = traces;
    if (!one || !two || !isSimple(one)) return null;
    const { next: _, query: __, ...same } = state;
    const text = `${runs[0].state.text} ${runs[1].state.text}`;
    const run = await source.run({ ...same, text, changes: [] });
    const joined = traceOf(run);
    if (!joined) return null;
    const rows = [one, two].map((trace) => positionOf(trace.labels.along("T") ?? [], word)) as [number, number];
    for (const step of ["x", "layer0.v"]) {
      const apart = [one, two].flatMap((trace) => byWord(trace, step));
      if (String(apart) !== String(byWord(joined, step))) return null;
    }
    if (String(byWord(one, "x")[rows[0]]) !== String(byWord(two, "x")[rows[1]])) return null;
    return new Mixture(text, run, rows[0], [one, two], rows);
  }

  /** The run in which the second sentence has this share of the word's attention. */
  at(share: number): Promise<Run> | Run {
    const weights = traceOf(this.run)!.step("layer0.weights");
    const [heads, , keys] = weights.shape as [number, number, number];
    const value = [...weights.value.data];
    const first = this.weights[0].step("layer0.weights").shape[2]!;
    for (let head = 0; head < heads; head++)
      for (let key = 0; key < keys; key++) {
        const [trace, row, place, part] = key < first
          ? [this.weights[0], this.rows[0], key, 1 - share]
          : [this.weights[1], this.rows[1], key - first, share]; // prettier-ignore
        value[(head * weights.shape[1]! + this.row) * keys + key] =
          part * trace.step("layer0.weights").at([head, row, place]);
      }
    return this.run.to({ ...this.run.state, changes: [{ kind: "pin", step: "layer0.weights", value }] });
  }
}

const isSimple = (trace: Trace): boolean => trace.has("layer0.v") && !trace.has("layer1.v");

/** A step's numbers for each word; key/value heads come first. */
function byWord(trace: Trace, name: string): string[] {
  const { data, shape } = trace.step(name).value;
  const [words, width] = shape.slice(-2) as [number, number];
  return Array.from({ length: words }, (_, word) =>
    Array.from({ length: data.length / (words * width) }, (_, head) =>
      Array.from(data.slice((head * words + word) * width, (head * words + word + 1) * width)),
    ).join(";"),
  );
}
