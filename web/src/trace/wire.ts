/** Reading a trace from the JSON that Python writes (trace/wire.py). */
import type { Edit } from "./edits";
import { operationFrom, type OperationData } from "./kinds";
import { Labels } from "./labels";
import { numbers, type Numbers } from "./numbers";
import { Step } from "./step";
import { Trace, type Info } from "./trace";

export interface NumbersData {
  shape: number[];
  value: (number | boolean | null)[];
  dtype?: string;
  nonfinite?: Record<string, "inf" | "-inf" | "nan">;
}

export interface StepData extends NumbersData {
  name: string;
  op: OperationData;
  inputs: string[];
  axes: string;
}

export interface EditData extends Partial<NumbersData> {
  kind: "edit" | "move" | "pin" | "hide";
  step: string;
  at: number[];
  number: number | null;
}

export interface TraceData {
  version: number;
  info: Info;
  labels: Record<string, string[]>;
  of: string | null;
  edits: EditData[];
  forward: number;
  learned: number;
  steps: StepData[];
}

const VERSION = 1;
const NOT_FINITE = { inf: Infinity, "-inf": -Infinity, nan: NaN };

/** The array that Python's `_numbers` wrote: a cell that is not finite is null, with its kind in `nonfinite`. */
export function numbersFrom(data: NumbersData): Numbers {
  const cells = data.value.map((cell, i) =>
    cell === null ? NOT_FINITE[data.nonfinite?.[String(i)] ?? "nan"] : Number(cell),
  );
  return numbers(cells, data.shape, data.dtype);
}

/** The trace that came. Its numbers are Python's own, to the last digit; with `compute`, or where they were left out,
 * they are computed here. */
export function traceFrom(data: TraceData, { compute = false } = {}): Trace {
  if (data.version !== VERSION)
    throw new Error(
      `this trace is of version ${data.version}, this page reads version ${VERSION}; reload with a newer regard`,
    );
  const made = new Map<string, Step>();
  const read = (step: StepData): Step => {
    const inputs = step.inputs.map((name) => {
      const input = made.get(name);
      if (!input) throw new Error(`the step ${step.name} reads ${name}, which is not a step before it`);
      return input;
    });
    const result = new Step(
      step.name,
      operationFrom(step.op, () => numbersFrom(step)),
      inputs,
    );
    made.set(step.name, result);
    return result;
  };
  const forward = data.steps.slice(0, data.forward).map(read);
  const trace = Trace.of({
    forward,
    labels: new Labels(data.labels),
    info: data.info,
    edits: data.edits.map(editFrom),
    of: data.of,
  });
  if (!compute)
    for (const step of data.steps) if ("value" in step) trace.steps.get(step.name)?.remember(numbersFrom(step));
  return trace;
}

function editFrom(data: EditData): Edit {
  const { kind, step, at } = data;
  if (kind === "pin" || kind === "hide") return { kind, step, at, array: numbersFrom(data as NumbersData) };
  return { kind, step, at, number: data.number! };
}
