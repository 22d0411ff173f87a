/** Where the running sum stands between the layers: one vector per word, before the first layer and after each. */
import { Given } from "../trace/given";
import { layerOf } from "../trace/names";
import type { Step } from "../trace/step";
import type { Trace } from "../trace/trace";

/** The stream's steps by name: `embedding`, then what each layer hands on.
 *
 * A layer's result is the step of it that others read; so this holds for norms before or after, with or without
 * residual, and under edits.
 */
export function streams(trace: Trace): [string, Step][] {
  let entering: Step | null = null;
  const leaving = new Map<string, Step>();
  for (const step of trace.forward) {
    const here = layerOf(step.name);
    for (const read of step.inputs) {
      const there = layerOf(read.name);
      if (there && there !== here) leaving.set(there, read);
      else if (!there && here && read.axes === "TC" && !(read.op instanceof Given)) entering = read;
    }
  }
  return [...(entering ? [["embedding", entering] as [string, Step]] : []), ...leaving];
}
