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

/** An array's cells in the order of some axes, of these lengths, along which it moves by these strides.
 *
 * Where they lie so already, it is the array itself.
 */
export function laidOut(data: Float64Array, lengths: readonly number[], strides: readonly number[]): Float64Array {
  const count = sizeOf(lengths);
  if (count === data.length && isInOrder(lengths, strides)) return data;
  const result = new Float64Array(count);
  const inner = lengths.at(-1) ?? 1;
  const by = strides.at(-1) ?? 0;
  const place = new Array<number>(lengths.length).fill(0);
  let from = 0;
  for (let to = 0; to < count; to += inner) {
    if (by === 1) result.set(data.subarray(from, from + inner), to);
    else if (by === 0) result.fill(data[from]!, to, to + inner);
    else for (let i = 0; i < inner; i++) result[to + i] = data[from + i * by]!;
    for (let axis = lengths.length - 2; axis >= 0; axis--) {
      from += strides[axis]!;
      if (++place[axis]! < lengths[axis]!) break;
      from -= lengths[axis]! * strides[axis]!;
      place[axis] = 0;
    }
  }
  return result;
}

function isInOrder(lengths: readonly number[], along: readonly number[]): boolean {
  const inOrder = strides(lengths);
  return along.every((stride, axis) => stride === inOrder[axis] || lengths[axis] === 1);
}

/** For each cell of a shape, in order, where an array stands there that moves by these strides. */
export function placesAlong(lengths: readonly number[], strides: readonly number[]): Int32Array {
  const places = new Int32Array(sizeOf(lengths));
  let count = 1;
  for (let axis = 0; axis < lengths.length; axis++) {
    for (let block = count - 1; block >= 0; block--)
      for (let i = lengths[axis]! - 1; i >= 0; i--)
        places[block * lengths[axis]! + i] = places[block]! + i * strides[axis]!;
    count *= lengths[axis]!;
  }
  return places;
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
