/** A trace with a change made to it: what `Change` means. */
import type { Change } from "../state";
import type { Trace } from "../trace/trace";

export function changed(trace: Trace, change: Change): Trace {
  switch (change.kind) {
    case "edit":
      return trace.edit(change.cell, change.value);
    case "move":
      return trace.move(change.cell, change.value);
    case "pin":
      return trace.pin(change.step, change.value);
    case "update": {
      let after = trace;
      for (let time = 0; time < (change.times ?? 1); time++) after = after.update(change.rate, change.learns);
      return after;
    }
    case "switch":
      throw new Error("not yet");
  }
}
