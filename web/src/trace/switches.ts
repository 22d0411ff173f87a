/** Switches: the same run, built another way in one respect, as src/regard/trace/switches.py has them. */
import { Contract } from "./contract";
import { Given } from "./given";
import { FormulaMap } from "./map";
import { near, NotFound } from "./near";
import { sizeOf, zeros } from "./numbers";
import { Step } from "./step";
import type { Trace } from "./trace";
import { general } from "./format";
import { isScaled, maskedBy, scaledBy, scalingOf } from "./whatif";

/** What is switched, in words what is different there, the run that it leads to, and where it can be thrown. */
export interface Switch {
  name: string;
  says: string;
  run: (trace: Trace, value: number) => Trace;
  fits: (trace: Trace) => boolean;
  takes?: string; // what its number is, where it takes one
}

const [LEAST, MOST] = [1e-3, 1e6];

export function thrown(trace: Trace, name: string, value?: number): Trace {
  const found = SWITCHES.find((one) => one.name === name);
  if (!found)
    throw new NotFound(
      `no switch '${name.slice(0, 40)}'; ${near(
        name,
        SWITCHES.map((one) => one.name),
      )}`,
    );
  if (!found.fits(trace)) throw new Error(`${name} changes nothing in this run; there is nothing to be switched`);
  if ((value === undefined) === !!found.takes)
    throw new Error(`${name} expects ${found.takes ?? "no number"}, got ${value ?? "none"}`);
  if (value !== undefined && !(value >= LEAST && value <= MOST))
    throw new Error(`${name} expects ${found.takes} from ${LEAST} to ${MOST}, got ${value}`);
  return found.run(trace, value ?? 1).saying(found.says.replace("{}", general(value ?? 1, 6)));
}

/** The run in which one head adds nothing: its rows of W_O are 0. */
export function silenced(trace: Trace, layer: number, head: number): Trace {
  const own = trace.steps.get(`layer${layer}.W_O`);
  if (own?.shape.length !== 3)
    throw new Error(`layer ${layer} has no W_O with rows for each head, so no head of it can be silenced`);
  const [heads, width] = [own.shape[0]!, sizeOf(own.shape.slice(1))];
  if (head >= heads) throw new NotFound(`no head ${head} in layer ${layer}; there are ${heads}, counted from 0`);
  return trace.pin(
    own.name,
    own.value.data.map((value, i) => (Math.floor(i / width) === head ? 0 : value)),
  );
}

/** The layers that have all of these steps. */
function layersWith(trace: Trace, ...names: string[]): string[] {
  const layers = trace.forward.flatMap(({ name }) => /^layer\d+(?=\.)/.exec(name)?.[0] ?? []);
  return [...new Set(layers)].filter((layer) => names.every((name) => trace.has(`${layer}.${name}`)));
}
const put = (trace: Trace, step: Step, ...instead: Step[]): Trace => trace.rewired(new Map([[step, instead]]));
const sameAs = (step: Step, other: Step): Step =>
  new Step(step.name, new FormulaMap("same", `${step.axes}->${step.axes}`), [other]);
const isSameShape = (a: Step, b: Step): boolean => String(a.shape) === String(b.shape);

// queries, keys and values

function keysAreValues(trace: Trace): Trace {
  return layersWith(trace, "v", "k").reduce((trace, layer) => {
    const [k, v] = [trace.step(`${layer}.k`), trace.step(`${layer}.v`)];
    return put(trace, v, sameAs(v, k));
  }, trace);
}
function hasValuesApart(trace: Trace): boolean {
  const layers = layersWith(trace, "v", "k");
  return layers.length > 0 && layers.every((layer) => {
    const [k, v] = [trace.step(`${layer}.k`), trace.step(`${layer}.v`)];
    return isSameShape(k, v) && !(v.inputs.length === 1 && v.inputs[0] === k);
  }); // prettier-ignore
}
function queriesAreKeys(trace: Trace): Trace {
  for (const layer of layersWith(trace, "W_K", "W_Q"))
    for (const role of ["W", "b"]) {
      if (!trace.has(`${layer}.${role}_K`)) continue;
      const [ours, other] = [trace.step(`${layer}.${role}_K`), trace.step(`${layer}.${role}_Q`)];
      for (const step of trace.forward.filter(({ inputs }) => inputs.includes(ours))) {
        const inputs = step.inputs.map((input) => (input === ours ? other : input));
        trace = put(trace, step, new Step(step.name, step.op, inputs));
      }
    }
  return trace;
}
function hasKeysApart(trace: Trace): boolean {
  const layers = layersWith(trace, "W_K", "W_Q");
  return layers.length > 0 && layers.every((layer) => {
    const [ours, other] = [trace.step(`${layer}.W_K`), trace.step(`${layer}.W_Q`)];
    return isSameShape(ours, other) && trace.forward.some(({ inputs }) => inputs.includes(ours));
  }); // prettier-ignore
}

// heads

/** Added, the heads have one W_O for all: the average of those they had. */
function headsAdded(trace: Trace): Trace {
  return layersWith(trace, "by_head").reduce((trace, layer) => {
    const joined = trace.step(`${layer}.by_head`);
    const [context, own] = joined.inputs as [Step, Step];
    const shared = new Step(`${layer}.W_O.average`, new Contract("HDC->DC", 1 / own.shape[0]!), [own]);
    return put(trace, joined, shared, new Step(joined.name, new Contract("HQD,DC->HQC"), [context, shared]));
  }, trace);
}
function hasHeadsApart(trace: Trace): boolean {
  const joined = layersWith(trace, "by_head").map((layer) => trace.step(`${layer}.by_head`));
  return joined.length > 0 && joined.every(
    ({ op, inputs, shape }) =>
      op instanceof Contract && inputs.length === 2 && inputs[1]!.shape.length === 3 && shape[0]! > 1,
  ); // prettier-ignore
}

// positions

const isTurned = ({ op }: Step): boolean => op instanceof FormulaMap && op.formula === "rotate";
const isPlace = (step: Step): boolean => step.name === "placed" || step.name === "waves" || isTurned(step);
const hasPlaces = (trace: Trace): boolean =>
  trace.forward.some((step) => isPlace(step) && (step.inputs.length > 0 || step.value.data.some((one) => one !== 0)));

function unplaced(trace: Trace): Trace {
  return trace.forward.filter(isPlace).reduce((trace, { name }) => {
    const step = trace.step(name);
    if (isTurned(step)) return put(trace, step, sameAs(step, step.inputs[0]!));
    return put(trace, step, new Step(name, new Given(zeros(step.shape), step.axes, "constant")));
  }, trace);
}

export const biasOf = (trace: Trace): Step | undefined =>
  trace.forward.find((step) => /^layer\d+\.bias$/.test(step.name));
const hasBias = (trace: Trace): boolean => biasOf(trace)?.value.data.some((value) => value !== 0) ?? false;
const lacksBias = (trace: Trace): boolean => {
  const bias = biasOf(trace);
  return !!bias && trace.has(`${bias.name}.original`) && !hasBias(trace);
};
function unbiased(trace: Trace): Trace {
  const { name, shape } = biasOf(trace)!;
  return trace.pin(name, new Float64Array(sizeOf(shape)));
}
function biased(trace: Trace): Trace {
  const { name } = biasOf(trace)!;
  return trace.pin(name, trace.array(`${name}.original`).data);
}

// scores and masks

const hasScaling = (trace: Trace): boolean => scalingOf(trace) !== null;
const isMasked = (trace: Trace): boolean => trace.has("visible");

function ofWidth(trace: Trace, width: number): Trace {
  return trace.forward.filter(isScaled).reduce((trace, { name }) => {
    const step = trace.step(name);
    const op = new FormulaMap("over_root", `${step.axes}->${step.axes}`, [width]);
    return put(trace, step, new Step(name, op, step.inputs));
  }, trace);
}

/** Logits over a temperature; what they were is `logits.original`. */
function tempered(trace: Trace, temperature: number): Trace {
  const step = trace.step("logits");
  let name = "logits.original";
  while (trace.has(name)) name += "'";
  const original = step.renamed(name);
  const op = new FormulaMap("over", `${step.axes}->${step.axes}`, [temperature]);
  return put(trace, step, original, new Step(step.name, op, [original]));
}
const predicts = (trace: Trace): boolean => trace.has("probabilities") && trace.has("logits");

export const SWITCHES: readonly Switch[] = [
  { name: "root", says: "if scores are divided by √d", run: (trace) => scaledBy(trace, "root"), fits: hasScaling },
  { name: "width", says: "if scores are divided by d", run: (trace) => scaledBy(trace, "width"), fits: hasScaling },
  { name: "none", says: "if scores are not divided", run: (trace) => scaledBy(trace, "none"), fits: hasScaling },
  { name: "d_k", says: "if d_k were {}", run: ofWidth, fits: hasScaling, takes: "a head width" },
  { name: "causal", says: "if words read those before", run: (trace) => maskedBy(trace, "causal"), fits: isMasked },
  { name: "both", says: "if words read all words", run: (trace) => maskedBy(trace, "both"), fits: isMasked },
  { name: "biased", says: "with the bias by distance", run: biased, fits: lacksBias },
  { name: "unbiased", says: "without the bias by distance", run: unbiased, fits: hasBias },
  { name: "unplaced", says: "if words do not know their places", run: unplaced, fits: hasPlaces },
  { name: "keys-are-values", says: "if keys are also the values", run: keysAreValues, fits: hasValuesApart },
  { name: "queries-are-keys", says: "if queries are also the keys", run: queriesAreKeys, fits: hasKeysApart },
  { name: "heads-added", says: "if heads are added up", run: headsAdded, fits: hasHeadsApart },
  { name: "temperature", says: "at the temperature {}", run: tempered, fits: predicts, takes: "a temperature" },
];
