/** Every other way a run could have gone, as switches and knobs: read off its steps and its state, for any run. */
import type { Change, Mask, Scaling, State } from "../state";
import { changedBy, type Knob, type Outline, type Run, type Told, type WhatIf } from "./run";

type Known = Pick<Run, "state" | "steps" | "info">;
/** What a switch, by its name in `trace/switches.ts`, would do to the loss; null where that is not known. */
type Tells = (name: string) => Told | null;

export function whatIfsOf(run: Known, scaling: Scaling | null, width: number | null, tells: Tells): WhatIf[] {
  const { state } = run;
  const choice = (label: string, isOn: boolean, to: State, name: string): WhatIf["choices"][number] => ({
    label,
    isOn,
    state: to,
    change: isOn ? null : tells(name),
  });
  /** Something that is so, or is switched to be otherwise. */
  const pair = (name: string, own: string, other: string, switched: string, why: string): WhatIf => {
    const isOn = isSwitched(state, switched);
    const to = isOn ? state : changedBy(state, { kind: "switch", name: switched });
    return {
      name,
      why,
      choices: [
        { label: own, isOn: !isOn, state: without(state, switched), change: null },
        choice(other, isOn, to, switched),
      ],
    };
  };
  const found: WhatIf[] = [];
  if (scaling) {
    const labels: [Scaling, string][] = [["root", "÷ √d"], ["width", "÷ d"], ["none", "not at all"]]; // prettier-ignore
    const choices = labels.map(([to, label]) => choice(label, scaling === to, { ...state, scaling: to }, to));
    const knob = width === null || scaling === "none" ? undefined : knobOf(state, "d_k", "d", width, 1, 256);
    found.push({
      name: "scores are divided",
      why: "large scores make one weight take all",
      choices,
      ...(knob ? { knob } : {}),
    });
  }
  const mask = state.mask ?? (run.info.mask as Mask | undefined);
  if (mask && run.steps.has("visible")) {
    const labels: [Mask, string][] = [["causal", "words before it"], ["both", "all words"]]; // prettier-ignore
    const choices = labels.map(([to, label]) => choice(label, mask === to, { ...state, mask: to }, to));
    found.push({ name: "a word may read", why: "what comes later must not give the answer away", choices });
  }
  const bias = [...run.steps.keys()].find((name) => /^layer\d+\.bias$/.test(name));
  if (bias) {
    const isPinned = (change: Change): boolean => change.kind === "pin" && change.step === bias;
    const isOff = isSwitched(state, "unbiased") || state.changes.some(isPinned);
    const own = without({ ...state, changes: state.changes.filter((change) => !isPinned(change)) }, "unbiased");
    found.push({
      name: "the bias by distance",
      why: "how it knows which word is near",
      choices: [
        choice("is added", !isOff, own, "biased"),
        choice(
          "is left out",
          isOff,
          isOff ? state : changedBy(state, { kind: "switch", name: "unbiased" }),
          "unbiased",
        ),
      ],
    });
  }
  if ([...run.steps.keys()].some((name) => name === "placed" || name === "waves" || name.endsWith(".rotated")))
    found.push(pair("words know their places", "yes", "no", "unplaced", "without, a sentence is a bag of words"));
  const [q, k, v, joined] = ["W_Q", "W_K", "v", "by_head"].map((name) => run.steps.get(`layer0.${name}`));
  const keys = run.steps.get("layer0.k");
  if (v && keys && isSame(v, keys))
    found.push(
      pair(
        "values",
        "a map of their own",
        "are the keys",
        "keys-are-values",
        "what a word is found by need not be what it passes on",
      ),
    );
  if (q && k && isSame(q, k))
    found.push(
      pair(
        "keys",
        "a map of their own",
        "are the queries",
        "queries-are-keys",
        "then two words score each other the same",
      ),
    );
  const output = run.steps.get("layer0.W_O");
  if (joined && output?.shape.length === 3 && joined.shape[0]! > 1) {
    found.push(pair("heads", "side by side", "added up", "heads-added", "added, nobody knows which head said what"));
    found.push(silence(run, output.shape[0]!));
  }
  if (run.steps.has("probabilities") && run.steps.has("logits"))
    found.push({
      name: "temperature",
      why: "logits are divided by it: low is sure, high is bold",
      choices: [],
      knob: knobOf(state, "temperature", "T", 1, 0.1, 10),
    });
  return found;
}

/** A head that adds nothing: of a model of one layer, by a button for each. */
function silence({ state, steps }: Known, heads: number): WhatIf {
  const layers = [...steps.keys()].filter((name) => /^layer\d+\.W_O$/.test(name)).length;
  const all =
    layers * heads <= 8
      ? Array.from({ length: layers * heads }, (_, i) => [Math.floor(i / heads), i % heads] as const)
      : [];
  const isThis = (layer: number, head: number) => (change: Change): boolean =>
    change.kind === "silence" && change.layer === layer && change.head === head; // prettier-ignore
  return {
    name: "silence a head",
    why: "what is missing without it",
    isToggle: true,
    choices: all.map(([layer, head]) => {
      const isOn = state.changes.some(isThis(layer, head));
      const others = { ...state, changes: state.changes.filter((change) => !isThis(layer, head)(change)) };
      const to = isOn ? others : changedBy(state, { kind: "silence", layer, head });
      return { label: layers > 1 ? `layer ${layer}, head ${head}` : `head ${head}`, isOn, state: to, change: null };
    }),
  };
}

function knobOf(state: State, name: string, letter: string, own: number, least: number, most: number): Knob {
  const thrown = state.changes.findLast((change) => change.kind === "switch" && change.name === name);
  const value = thrown?.kind === "switch" ? (thrown.value ?? own) : own;
  const to = (value: number): State =>
    value === own ? without(state, name) : changedBy(without(state, name), { kind: "switch", name, value });
  return { letter, value, own, least, most, to };
}

const isSame = (a: Outline, b: Outline): boolean => String(a.shape) === String(b.shape);
const isSwitched = (state: State, name: string): boolean =>
  state.changes.some((change) => change.kind === "switch" && change.name === name);
const without = (state: State, name: string): State => ({
  ...state,
  changes: state.changes.filter((change) => !(change.kind === "switch" && change.name === name)),
});
