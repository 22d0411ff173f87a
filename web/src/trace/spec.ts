/** Axis letters: "HQD,HKD->HQK" says which axes of the inputs meet, and which stay. */

export interface Spec {
  inputs: string[];
  output: string;
}

const known = new Map<string, Spec>();

export function parse(spec: string): Spec {
  let found = known.get(spec);
  if (!found) {
    const [left, output, ...more] = spec.split("->");
    const inputs = (left ?? "").split(",");
    const repeats = [...inputs, output ?? ""].some((axes) => new Set(axes).size !== axes.length);
    if (output === undefined || more.length || repeats)
      throw new Error(`the spec "${spec}" is not of the form "QD,KD->QK" with each letter once per array`);
    found = { inputs, output };
    known.set(spec, found);
  }
  return found;
}

export type Sizes = Map<string, number>;

/** How long each axis is; an error names the letter on which two inputs disagree. */
export function sizesOf(
  spec: string,
  shapes: readonly (readonly number[])[],
  given: Iterable<[string, number]> = [],
): Sizes {
  const { inputs } = parse(spec);
  if (inputs.length !== shapes.length)
    throw new Error(`"${spec}" takes ${inputs.length} inputs, ${shapes.length} came`);
  const sizes: Sizes = new Map(given);
  inputs.forEach((axes, position) => {
    const shape = shapes[position]!;
    if (axes.length !== shape.length)
      throw new Error(`"${spec}": an array of shape ${shape.join(" × ")} came where the axes ${axes} were expected`);
    [...axes].forEach((letter, axis) => {
      const size = sizes.get(letter) ?? shape[axis]!;
      if (size !== shape[axis]!)
        throw new Error(`"${spec}": the axis ${letter} has ${size} cells in one input, ${shape[axis]} in another`);
      sizes.set(letter, size);
    });
  });
  return sizes;
}

export const shapeOf = (axes: string, sizes: Sizes): number[] => [...axes].map((letter) => sizes.get(letter)!);

/** The place along some axes, out of a place along all of them. */
export const indexOf = (axes: string, place: ReadonlyMap<string, number>): number[] =>
  [...axes].map((letter) => place.get(letter)!);

export const placed = (axes: string, at: readonly number[]): Map<string, number> =>
  new Map([...axes].map((letter, axis) => [letter, at[axis]!]));
