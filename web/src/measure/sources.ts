/** Where a held run begins: the steps behind which nothing else carries anything, and the numbers set by hand. */
import { Contract } from "../trace/contract";
import { Given } from "../trace/given";
import { EDITED, isSum, parameterNames, type Holding } from "../trace/holding";
import { FormulaMap } from "../trace/map";
import { Replace } from "../trace/replace";
import { Step } from "../trace/step";

const PLAIN_NAMES: Readonly<Record<string, string>> = {
  x: "embedding",
  placed: "position",
  waves: "position",
  "segment.placed": "segment",
};
export const TOKENS = "TQ";
type Directions = ReadonlyMap<string, Step>;

/** A step that carries something to the goal by itself, and steps that say how much: in all, and where. */
export interface Source {
  step: Step;
  kind: string; // embedding, position, segment, bias, edit, or part (heads, an MLP: where these count as sources)
  apart: Step | null; // one number for each word (or each head), where the step has any
  inAll: Step;
}

export function nameOf({ step, kind }: Source): string {
  const name = step.name.replace(EDITED, "");
  const plain = PLAIN_NAMES[name] ?? name.replace(/\.product$/, "");
  return kind === "edit" ? `edit of ${plain}` : plain;
}

/** The sources of a held run in the order of its steps, and the steps `NAME.measure` that were made for them.
 *
 * `apart` are the letters of the axes that are told apart, not summed: words, or heads.
 */
export function sources(
  forward: readonly Step[],
  directions: Directions,
  holding: Holding,
  measure: string,
  apart: string,
): { found: Source[]; made: Step[] } {
  const found: Source[] = [];
  const made: Step[] = [];
  const parameters = parameterNames(forward);
  const reaches = holding.reaching(forward);
  const make = (step: Step): Step => {
    made.push(step);
    return step;
  };
  const direction = (step: Step): Step | undefined => directions.get(`${step.name}.${holding.suffix}`);
  const along = (step: Step, toward: Step, name: string, axes: string): Step =>
    make(new Step(name, new Contract(`${step.axes},${step.axes}->${axes}`), [step, toward]));
  for (const step of forward) {
    const toward = direction(step);
    if (!toward) continue;
    const kept = [...step.axes].filter((letter) => apart.includes(letter)).join("");
    let name = `${step.name}.${measure}`;
    let kind = kindOf(step, parameters);
    let share: Step;
    if (step.op instanceof Replace) {
      [name, kind] = [`${step.name}.edited.${measure}`, "edit"];
      share = along(step, toward, `${name}.after`, kept);
      const input = step.inputs[0]!;
      const before = direction(input);
      if (before) {
        const rest = along(input, before, `${name}.before`, kept);
        share = make(new Step(name, new FormulaMap("subtract", `${kept},${kept}->${kept}`), [share, rest]));
      }
    } else if (!step.inputs.some((input) => direction(input) && reaches(input, step)))
      share = along(step, toward, name, kept);
    else continue;
    const inAll = share.axes ? make(new Step(`${name}.sum`, new Contract(`${share.axes}->`), [share])) : share;
    found.push({ step, kind, apart: kept ? share : null, inAll });
  }
  return { found, made };
}

/** For every sum that adds a bias to words: the sum, and what the bias carries at each word (`NAME.bias.flow`). */
export function addedInPlace(forward: readonly Step[], directions: Directions, holding: Holding): [Step, Step][] {
  const parameters = parameterNames(forward);
  return forward.flatMap((step) => {
    const toward = directions.get(`${step.name}.${holding.suffix}`);
    const place = [...step.axes].find((letter) => TOKENS.includes(letter));
    if (!toward || !place || !isSum(step)) return [];
    return step.inputs
      .filter((bias) => parameters.has(bias.name))
      .map((bias): [Step, Step] => {
        const op = new Contract(`${step.axes},${step.axes.slice(-bias.axes.length)}->${place}`);
        return [step, new Step(`${step.name}.bias.flow`, op, [toward, bias])];
      });
  });
}

function kindOf(step: Step, parameters: ReadonlySet<string>): string {
  const plain = PLAIN_NAMES[step.name.replace(EDITED, "")];
  if (plain !== undefined && !(step.op instanceof Given && step.op.role === "input")) return plain;
  if (parameters.has(step.name)) return "bias";
  return step.op instanceof Given ? "edit" : "part";
}
