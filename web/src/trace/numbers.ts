/** Numbers along named axes, flat in memory: what a step holds. */

export type Dtype = string; // "float64", "bool", "int64", …: what a cell is, for showing and editing

export interface Numbers {
  readonly shape: readonly number[];
  readonly data: Float64Array;
  readonly dtype: Dtype;
}

export const isFloat = (numbers: Numbers): boolean => numbers.dtype === "float64";

export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

export function zeros(shape: readonly number[], dtype: Dtype = "float64"): Numbers {
  return { shape, data: new Float64Array(sizeOf(shape)), dtype };
}

export function numbers(data: ArrayLike<number>, shape: readonly number[], dtype: Dtype = "float64"): Numbers {
  if (data.length !== sizeOf(shape)) throw new Error(`${data.length} numbers came for the shape ${shape.join(" × ")}`);
  return { shape, data: Float64Array.from(data), dtype };
}

export function strides(shape: readonly number[]): number[] {
  const steps = new Array<number>(shape.length);
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    steps[axis] = step;
    step *= shape[axis]!;
  }
  return steps;
}

/** Where the cell at a place lies in the flat list. */
export function offset(shape: readonly number[], at: readonly number[]): number {
  let position = 0;
  for (let axis = 0; axis < shape.length; axis++) position = position * shape[axis]! + at[axis]!;
  return position;
}

/** How far an array moves along each of some axes: 0 along one that it does not have. */
export function strideAlong(letters: string, axes: string, shape: readonly number[]): number[] {
  const steps = strides(shape);
  return [...letters].map((letter) => (axes.includes(letter) ? steps[axes.indexOf(letter)]! : 0));
}

/** Visit every cell of a shape in order; `offsets` says where each of several arrays stands there. */
export function walk(
  lengths: readonly number[],
  strides: readonly (readonly number[])[],
  visit: (offsets: readonly number[], cell: number) => void,
): void {
  const count = sizeOf(lengths);
  const place = new Array<number>(lengths.length).fill(0);
  const offsets = new Array<number>(strides.length).fill(0);
  for (let cell = 0; cell < count; cell++) {
    visit(offsets, cell);
    for (let axis = lengths.length - 1; axis >= 0; axis--) {
      const isOver = ++place[axis]! === lengths[axis]!;
      const by = isOver ? 1 - lengths[axis]! : 1;
      for (let i = 0; i < offsets.length; i++) offsets[i]! += by * strides[i]![axis]!;
      if (!isOver) break;
      place[axis] = 0;
    }
  }
}

/** The reverse: the place of a flat position. */
export function placeOf(shape: readonly number[], position: number): number[] {
  const at = new Array<number>(shape.length);
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    at[axis] = position % shape[axis]!;
    position = Math.floor(position / shape[axis]!);
  }
  return at;
}

export const cellOf = (values: Numbers, at: readonly number[]): number => values.data[offset(values.shape, at)]!;

/** The last axis at one place of the others: a row of a matrix. */
export function rowOf(values: Numbers, lead: readonly number[]): Float64Array {
  const length = values.shape.at(-1) ?? 1;
  const start = offset(values.shape, [...lead, 0]);
  return values.data.subarray(start, start + length);
}
