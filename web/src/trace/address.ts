/** From what a person writes to a step and its cells: `layer0.weights[1,fox,The]`, `weights[fox]`, `head1.weights`. */
import { AXIS_WORDS, type Labels } from "./labels";
import { withoutLayer } from "./names";
import { near, NotFound } from "./near";
import { grouped } from "./format";
/** What an address needs to know of a step: a file may hold it without its numbers. */
export interface Named {
  readonly name: string;
  readonly axes: string;
  readonly shape: readonly number[];
}
export interface Spot<Step extends Named> {
  step: Step;
  at: readonly number[];
}
export type Steps<Step extends Named> = ReadonlyMap<string, Step>;
const HEAD = /(?:^|\.)head(\d+)(?=\.|$)/;
const PART = /\s*("(?:[^"\\]|\\.)*"(?:@\d+)?|[^,[\]"]+)\s*/y;

/** A step, and the positions given along its axes; null where an axis was left open. */
export interface Place<Step extends Named> {
  step: Step;
  at: (number | null)[];
}

/** The place an address means. Errors say what there is instead. */
export function find<Step extends Named>(address: string, steps: Steps<Step>, labels: Labels): Place<Step> {
  const [name, written] = split(address);
  const [step, head] = findStep(name, steps);
  const { axes, shape } = step;
  const size = (letter: string): number => shape[axes.indexOf(letter)]!;
  const at = new Map<string, number>();
  if (head !== null) {
    const letter = ["H", "G"].find((a) => axes.includes(a));
    if (!letter) throw new NotFound(`${step.name} has no heads; its axes are ${described(step)}`);
    at.set(letter, labels.position(letter, size(letter), String(head)));
  }
  const open = fitting(
    [...axes].filter((a) => !at.has(a)),
    size,
    written.length,
    step,
  );
  open.slice(0, written.length).forEach((letter, i) => {
    const part = written[i]!;
    if ("HG".includes(letter) && written.length < axes.length && !/^-?\d+$/.test(part))
      throw new NotFound(
        `${step.name} has ${size(letter)} heads; say which one first: ${step.name}[0,${written.join(",")}]`,
      );
    at.set(letter, labels.position(letter, size(letter), part));
  });
  // axes that were skipped because they have one cell are not open
  for (const letter of axes)
    if (size(letter) === 1 && written.length && !open.includes(letter) && !at.has(letter)) at.set(letter, 0);
  return { step, at: [...axes].map((letter) => at.get(letter) ?? null) };
}

export function findCell<Step extends Named>(address: string, steps: Steps<Step>, labels: Labels): Spot<Step> {
  const { step, at } = find(address, steps, labels);
  if (!at.includes(null)) return { step, at: at as number[] };
  if (step.shape.every((n) => n === 1)) return { step, at: step.shape.map(() => 0) };
  const example = writtenCell({ step, at: step.shape.map(() => 0) }, labels);
  throw new NotFound(
    `${address} is not one number: ${step.name} has the axes ${described(step)}; for example ${example}`,
  );
}

export function split(address: string): [string, string[]] {
  const trimmed = address.trim();
  const bracket = trimmed.indexOf("[");
  if (bracket < 0) return [trimmed, []];
  if (!trimmed.endsWith("]")) throw new NotFound(`'${address}' has no closing bracket; write it like weights[fox,The]`);
  const inside = trimmed.slice(bracket + 1, -1);
  const parts: string[] = [];
  for (let position = 0; position < inside.length;) {
    PART.lastIndex = position;
    const match = PART.exec(inside);
    const end = PART.lastIndex;
    if (!match || (end < inside.length && inside[end] !== ","))
      throw new NotFound(
        `cannot read '${address}' after '${inside.slice(0, position)}'; put odd words in double quotes`,
      );
    parts.push(match[1]!.trim());
    position = end + 1;
  }
  return [trimmed.slice(0, bracket), parts];
}

const OF_A_RUN = /(?:[^[\]:]|\[(?:"(?:[^"\\]|\\.)*"|[^"\]])*\])+/gs;

/** An address of this run, or one of another: a number that comes from there, and an address of that run. */
export function splitRuns(address: string): string[] {
  const found = address.match(OF_A_RUN) ?? [];
  return found.length > 1 && found.join(":") === address ? found : [address];
}

/** The part of an address that says which other run it is of: without[fox] of without[fox]:margin. */
export const runOf = (address: string): string | null => splitRuns(address).slice(0, -1).join(":") || null;

/** A step by its name, or by the end of it where that is unique; `head1` anywhere in it is a head. */
export function findStep<Step extends Named>(name: string, steps: Steps<Step>): [Step, number | null] {
  const match = steps.has(name) ? null : HEAD.exec(name);
  const head = match ? Number(match[1]) : null;
  const bare = match ? name.replace(HEAD, "").replace(/^\./, "") : name;
  const exact = steps.get(bare);
  if (exact) return [exact, head];
  const ending = bare ? [...steps.values()].filter((step) => step.name.endsWith(`.${bare}`)) : [];
  // a layer's own step wins over one inside a gradient's path or a measurement
  const own = ending.filter((step) => withoutLayer(step.name) === bare);
  const found = own.length ? own : ending;
  if (found.length === 1) return [found[0]!, head];
  if (found.length > 1)
    throw new NotFound(
      `'${name}' is in several places; say which: ${found
        .slice(0, 6)
        .map((s) => s.name)
        .join(", ")}`,
    );
  throw new NotFound(() => `no step '${name}'; ${near(bare, [...steps.keys()].map(withoutLayer))}`);
}

/** The axes that the written positions stand for: axes of one cell may be left out, from the left. */
function fitting(axes: string[], size: (letter: string) => number, count: number, step: Named): string[] {
  let open = axes;
  for (const letter of axes) if (open.length > count && size(letter) === 1) open = open.filter((a) => a !== letter);
  if (count > open.length)
    throw new NotFound(`${count} positions came for ${step.name}, whose axes are ${described(step)}`);
  return open;
}

export function described(step: { axes: string; shape: readonly number[] }): string {
  const parts = [...step.axes].map((a, i) => `${AXIS_WORDS[a] ?? a} (${grouped(step.shape[i]!)})`);
  return parts.join(" × ") || "none: it is one number";
}

/** The full address of a cell, in x·W order. */
export function writtenCell({ step, at }: Spot<Named>, labels: Labels): string {
  return at.length ? `${step.name}[${[...step.axes].map((a, i) => labels.word(a, at[i]!)).join(",")}]` : step.name;
}

/** The shortest address that still finds the cell: without a unique prefix and without axes of one cell. */
export function shortCell({ step, at }: Spot<Named>, labels: Labels, steps: Steps<Named>): string {
  const name = shortName(step, steps);
  const kept = [...step.axes].map((a, i): [string, number] => [a, i]).filter(([, i]) => step.shape[i]! > 1);
  if (!kept.length) return at.length ? `${name}[${labels.word(step.axes.at(-1)!, at.at(-1)!)}]` : name;
  return `${name}[${kept.map(([a, i]) => labels.word(a, at[i]!)).join(",")}]`;
}

/** The name without its layer, where no other layer has the like. */
export function shortName(step: Named, steps: Steps<Named>): string {
  const name = withoutLayer(step.name);
  try {
    return findStep(name, steps)[0] === step ? name : step.name;
  } catch {
    return step.name;
  }
}
