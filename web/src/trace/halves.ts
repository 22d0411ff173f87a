/** Numbers kept as float16, as in the file they came in: widened, exactly, when they are read. */
import type { Numbers } from "./numbers";

let widths: Float64Array | undefined; // the number that each of the 65,536 patterns of bits stands for

function widened(): Float64Array {
  return (widths ??= Float64Array.from({ length: 0x10000 }, (_, bits) => {
    const [sign, exponent, rest] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, (bits & 1023) / 1024];
    if (exponent === 31) return rest ? NaN : sign * Infinity;
    return sign * (exponent ? 2 ** (exponent - 15) * (1 + rest) : 2 ** -14 * rest);
  }));
}

/** A model has ten million numbers: what was widened may be forgotten when memory is needed, and is made again. */
export class Halves implements Numbers {
  readonly dtype = "float64"; // to its readers
  private kept: WeakRef<Float64Array> | undefined;

  constructor(
    private readonly bits: Uint16Array,
    readonly shape: readonly number[],
  ) {}

  get data(): Float64Array {
    const found = this.kept?.deref();
    if (found) return found;
    const { bits } = this;
    const [data, width] = [new Float64Array(bits.length), widened()];
    for (let i = 0; i < bits.length; i++) data[i] = width[bits[i]!]!;
    this.kept = new WeakRef(data);
    return data;
  }
}
