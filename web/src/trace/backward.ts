/** Gradients as further steps: from the loss back to every number that had a part in it.
 *
 * Every operation says how its blame passes to its inputs, by steps of the same kinds, so a gradient explains itself
 * like any other number. Two closed forms replace the last link of a softmax that no edit has touched: a score's
 * blame = weight · (its blame − the average blame); a logit's blame = probability − target.
 */
import { Contract } from "./contract";
import { Given } from "./given";
import { NOTHING, type Holding } from "./holding";
import { FormulaMap } from "./map";
import { numbers } from "./numbers";
import type { New } from "./operation";
import { Peak } from "./peak";
import { Pick, Scatter } from "./pick";
import { named, Step } from "./step";

/** The steps of the backward pass, in an order in which each reads only earlier ones. */
export function gradientSteps(forward: readonly Step[], of: Step, holding: Holding = NOTHING): Step[] {
  const onPath = ancestors(of);
  const path = forward.filter((step) => onPath.has(step));
  const consumers = consumersOf(path);
  const reaches = holding.reaching(forward);
  const shares = new Map<Step, [Step, New][]>();
  const gradients = new Map<Step, Step>();
  const emitted: Step[] = [];
  for (const step of path.toReversed()) {
    const own = shares.get(step);
    if (step !== of && !own?.length) continue;
    const gradient =
      step === of
        ? [new Step(`${of.name}.${holding.suffix}`, new Given(numbers([1], []), "", "constant"))]
        : summed(step, own!, holding.suffix);
    emitted.push(...gradient);
    gradients.set(step, gradient.at(-1)!);
    const news = holding.shares(step, gradient.at(-1)!);
    const closed = closedForm(step, consumers, gradients);
    if (closed) {
      const scores = step.inputs[0]!;
      news[0] = closed.share;
      shares.set(
        scores,
        (shares.get(scores) ?? []).filter(([from]) => !closed.includes.includes(from)),
      );
    }
    step.inputs.forEach((input, i) => {
      const share = news[i];
      if (share && reaches(input, step)) shares.set(input, [...(shares.get(input) ?? []), [step, share]]);
    });
  }
  return emitted;
}

function ancestors(of: Step): Set<Step> {
  const found = new Set([of]);
  for (const step of found) step.inputs.forEach((input) => found.add(input));
  return found;
}

type Consumers = Map<Step, Step[]>;

function consumersOf(steps: readonly Step[]): Consumers {
  const consumers: Consumers = new Map(steps.map((step) => [step, []]));
  for (const step of steps) for (const input of step.inputs) consumers.get(input)?.push(step);
  return consumers;
}

/** x.grad; where x served several steps, x.grad.via.q and the others, and their sum. */
function summed(step: Step, shares: [Step, New][], suffix: string): Step[] {
  if (shares.length === 1) return named(shares[0]![1], `${step.name}.${suffix}`);
  const steps: Step[] = [];
  const parts: Step[] = [];
  const taken = new Set<string>();
  for (const [consumer, share] of shares) {
    let name = `${step.name}.${suffix}.via.${seenFrom(step.name, consumer.name)}`;
    while (taken.has(name)) name += "@again"; // an input used twice by one step: x·x
    taken.add(name);
    steps.push(...named(share, name));
    parts.push(steps.at(-1)!);
  }
  const spec = `${parts.map(() => step.axes).join(",")}->${step.axes}`;
  return [...steps, new Step(`${step.name}.${suffix}`, new FormulaMap("add", spec), parts)];
}

function seenFrom(here: string, other: string): string {
  const prefix = here.includes(".") ? here.slice(0, here.lastIndexOf(".") + 1) : "";
  return prefix && other.startsWith(prefix) ? other.slice(prefix.length) : other;
}

interface Closed {
  share: New;
  includes: readonly Step[]; // whose own shares it makes needless
}

/** The blame of the scores behind an untouched softmax, by its closed form, and whose shares it includes. */
function closedForm(exps: Step, consumers: Consumers, gradients: Map<Step, Step>): Closed | null {
  const weights = softmaxOver(exps, consumers);
  const blame = weights && gradients.get(weights);
  if (!weights || !blame) return null;
  const { axes } = weights;
  const row = weights.inputs[1]!.axes;
  const crossEntropy = crossEntropyOver(weights, consumers);
  const logarithms = crossEntropy?.inputs.slice(1) ?? [];
  const readers = consumers.get(weights.inputs[1]!) ?? [];
  // what else reads the total passes blame to the scores by itself
  if (readers.some((reader) => reader !== weights && !logarithms.includes(reader))) return null;
  const surprise = crossEntropy && gradients.get(crossEntropy);
  if (crossEntropy && surprise) {
    const chosen = crossEntropy.inputs[0]!;
    const ids = chosen.inputs[1]!;
    const rows = weights.shape[axes.indexOf([...axes].find((letter) => !chosen.axes.includes(letter))!)]!;
    const target: New = {
      op: new Scatter(`${chosen.axes},${ids.axes}->${axes}`, rows),
      inputs: [surprise, ids],
      name: "target",
    };
    const op = new FormulaMap("logit_blame", `${axes},${chosen.axes},${axes}->${axes}`);
    return { share: { op, inputs: [weights, surprise, target] }, includes: logarithms };
  }
  const average: New = {
    op: new Contract(`${axes},${axes}->${row}`),
    inputs: [weights, blame],
    name: `${blame.name}.average`,
  };
  const op = new FormulaMap("softmax_blame", `${axes},${axes},${row}->${axes}`);
  return { share: { op, inputs: [weights, blame, average] }, includes: [] };
}

const isMap = (step: Step, formula: string): boolean => step.op instanceof FormulaMap && step.op.formula === formula;

const reads = ({ inputs }: Step, ...steps: (Step | undefined)[]): boolean =>
  inputs.length === steps.length && inputs.every((input, i) => input === steps[i]);

/** The weights of the softmax whose exponentials these are, if it is whole: scores → exps → total → weights. */
function softmaxOver(exps: Step, consumers: Consumers): Step | null {
  if (!isMap(exps, "exp")) return null;
  const [scores, peak] = exps.inputs;
  const users = consumers.get(exps) ?? [];
  if (!(peak!.op instanceof Peak && peak!.inputs[0] === scores && users.length === 2)) return null;
  const sums = users.filter((user) => user.op instanceof Contract && user.op.factor === 1);
  const shares = users.filter((user) => isMap(user, "divide"));
  if (sums.length !== 1 || shares.length !== 1) return null;
  const [sum, share] = [sums[0]!, shares[0]!];
  return share.inputs[0] === exps && share.inputs[1] === sum ? share : null;
}

/** The surprise −ln p(target), if nothing else reads the probabilities, nor what it reads beside them. */
function crossEntropyOver(probabilities: Step, consumers: Consumers): Step | null {
  const only = (step: Step): Step | null => {
    const users = consumers.get(step) ?? [];
    return users.length === 1 ? users[0]! : null;
  };
  const chosen = only(probabilities);
  if (!chosen || !(chosen.op instanceof Pick)) return null;
  const surprise = only(chosen);
  if (!surprise || isMap(surprise, "surprise")) return surprise;
  if (!isMap(surprise, "cross_entropy") || surprise.inputs.some((input) => only(input) !== surprise)) return null;
  const [exps, total] = probabilities.inputs;
  const [scores, peak] = exps!.inputs;
  const [, logit, logSum] = surprise.inputs;
  const isSameTarget =
    logit!.op instanceof Pick && logit!.op.spec === chosen.op.spec && reads(logit!, scores, chosen.inputs[1]);
  return isSameTarget && reads(logSum!, peak, total) ? surprise : null;
}
