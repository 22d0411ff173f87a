/** What each part of a model adds directly to the margin: the last height of the flow.
 *
 * Heads and MLPs count as sources, so everything that they read is held. What a part contributes is the dot product of
 * what it adds to the stream with the way from there to the margin, and all parts together give the margin exactly.
 */
import { Contract } from "../trace/contract";
import { DIRECT } from "../trace/holding";
import { FormulaMap } from "../trace/map";
import { layerOf } from "../trace/names";
import { Step, type Cell } from "../trace/step";
import type { Trace } from "../trace/trace";
import { lettersOf, mixing } from "./attending";
import { nameOf, sources, type Source } from "./sources";

/** One part of the model, or one of its heads, and the cell that says what it contributes; null if nothing does. */
export interface Component {
  name: string;
  layer: string;
  head: number | null;
  cell: Cell | null;
}

export interface Contributing {
  components: Component[];
  steps: Step[];
  held: string[]; // the steps that count as constants on the way
}

/** `layer3.context.contribution[head]`, `layer3.mlp.contribution`, and, word by word, `layer3.contribution`. */
export const contributionSteps = (trace: Trace): Step[] => contributions(trace).steps;

export const contributions = (trace: Trace): Contributing => trace.remembered(contributing);

function contributing(trace: Trace): Contributing {
  const directions = trace.measure("direct");
  const { found, made } = sources(trace.forward, directions, DIRECT, "contribution", "H");
  for (const [layer, mix] of mixing(trace)) {
    const direction = directions.get(`${mix.name}.direct`);
    if (!direction) continue;
    const { weights, values } = lettersOf(mix);
    const reading = new Contract(`${mix.axes},${values}->${weights}`);
    const read = new Step(`${layer}.contribution.read`, reading, [direction, mix.inputs[1]!]);
    const op = new FormulaMap("product", `${weights},${weights}->${weights}`);
    made.push(read, new Step(`${layer}.contribution`, op, [mix.inputs[0]!, read]));
  }
  return { components: found.flatMap(componentsOf), steps: made, held: DIRECT.held(trace.forward, directions) };
}

function componentsOf(source: Source): Component[] {
  const layer = layerOf(source.step.name);
  const { apart, inAll } = source;
  if (source.kind === "edit" || !apart)
    return [{ name: nameOf(source), layer, head: null, cell: { step: inAll, at: [] } }];
  return Array.from({ length: apart.shape[0]! }, (_, head) => ({
    name: `${layer}.head${head}`,
    layer,
    head,
    cell: { step: apart, at: [head] },
  }));
}
