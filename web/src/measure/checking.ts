/** What other ways say a reading is worth: gradient × input, and attention rollout (Abnar and Zuidema 2020). */
import { Contract } from "../trace/contract";
import { Given } from "../trace/given";
import { FormulaMap } from "../trace/map";
import { zeros } from "../trace/numbers";
import { Step } from "../trace/step";
import type { Trace } from "../trace/trace";

const weightsOf = (trace: Trace): Step[] => trace.forward.filter(({ name }) => name.endsWith(".weights"));
const layerOf = ({ name }: Step): string => name.replace(/\.weights$/, "");

/** `layer5.by_gradient[head,to,from]`: the weight times the margin's gradient in it. */
export function gradientGuessSteps(trace: Trace): Step[] {
  const slopes = trace.measure("slope");
  return weightsOf(trace).flatMap((weights) => {
    const slope = slopes.get(`${weights.name}.slope`);
    const op = new FormulaMap("product", "HQK,HQK->HQK");
    return slope ? [new Step(`${layerOf(weights)}.by_gradient`, op, [weights, slope])] : [];
  });
}

/** `layer5.rollout[head,to,from]`: from the word that predicts downwards, half stays, half follows mean weights. */
export function* rolloutSteps(trace: Trace): Iterable<Step> {
  const layers = weightsOf(trace);
  if (!layers.length) return;
  const begun = zeros([layers[0]!.shape.at(-2)!]);
  const asked = ["query", "queries"].find((name) => trace.has(name));
  begun.data[asked ? trace.array(asked).data.at(-1)! : begun.data.length - 1] = 1;
  let relevance = new Step("rollout.place", new Given(begun, "Q", "constant"));
  yield relevance;
  for (const weights of layers.toReversed()) {
    const name = `${layerOf(weights)}.rollout`;
    const along = new Step(name, new Contract("Q,HQK->HQK", 0.5 / weights.shape[0]!), [relevance, weights]);
    const moved = new Step(`${name}.moved`, new Contract("HQK->K"), [along]);
    const stayed = new Step(`${name}.stayed`, new Contract("Q->Q", 0.5), [relevance]);
    relevance = new Step(`${name}.place`, new FormulaMap("add", "Q,Q->Q"), [stayed, moved]);
    yield* [along, moved, stayed, relevance];
  }
}
