/** The arrays of a safetensors file, by name: a header in JSON, and the numbers behind it, low bytes first. */
import { Halves } from "../trace/halves";
import { sizeOf, type Numbers } from "../trace/numbers";

export type Arrays = ReadonlyMap<string, Numbers>;

interface Entry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

type Reader = (buffer: ArrayBuffer, begin: number, shape: number[]) => Numbers;

const wide =
  (Kind: { new (buffer: ArrayBuffer): ArrayLike<number>; BYTES_PER_ELEMENT: number }, dtype: string): Reader =>
  (buffer, begin, shape) => {
    const bytes = buffer.slice(begin, begin + sizeOf(shape) * Kind.BYTES_PER_ELEMENT);
    return { shape, data: new Float64Array(new Kind(bytes)), dtype };
  };

const READERS: Readonly<Record<string, Reader>> = {
  // a view into the file: it is there once
  F16: (buffer, begin, shape) => new Halves(new Uint16Array(buffer, begin, sizeOf(shape)), shape),
  F32: wide(Float32Array, "float64"),
  F64: wide(Float64Array, "float64"),
  I32: wide(Int32Array, "int64"),
  BOOL: wide(Uint8Array, "bool"),
};

export function arraysIn(buffer: ArrayBuffer): Arrays {
  const length = Number(new DataView(buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length))) as Record<string, Entry>;
  const found = new Map<string, Numbers>();
  for (const [
    name,
    {
      dtype,
      shape,
      data_offsets: [begin, end],
    },
  ] of Object.entries(header)) {
    if (name === "__metadata__") continue;
    const read = READERS[dtype];
    if (!read) throw new Error(`${name} is of the type ${dtype}; known are ${Object.keys(READERS).join(", ")}`);
    if (8 + length + end > buffer.byteLength) throw new Error(`the file ends before ${name}; load the page again`);
    found.set(name, read(buffer, 8 + length + begin, shape));
  }
  return found;
}
