/** A deep run that came in a file: to be read, not changed. What was measured is exact; its arrays are at 8 bits
 * (src/regard/views/packed.py): every number is a whole multiple of its row's scale. */
import type { Explanation } from "../lens/explanation";
import type { State } from "../state";
import { findCell, shortCell, writtenCell } from "../trace/address";
import { fixed } from "../trace/format";
import { Labels } from "../trace/labels";
import { offset, sizeOf, type Numbers } from "../trace/numbers";
import type { Info } from "../trace/trace";
import type { Explained } from "./remote";
import type { Claim, Outline, Overview, Run, Why } from "./run";
import { sliced } from "./slice";

export interface Packed extends Omit<Explained, "claims" | "overview"> {
  overview: Omit<Overview, "by_head"> & { by_head: Omit<Overview["by_head"][number], "pattern">[] };
  lenses: Record<string, unknown>;
  arrays: { name: string; shape: number[]; signed: boolean }[];
  numbers: string; // all arrays, one after the other: scales of the rows, then codes; deflated, in base64
}

/** An array as it lies in the file. */
interface Rounded {
  shape: readonly number[];
  codes: Int8Array | Uint8Array;
  scales: Float32Array;
}

export const READ_ONLY = "this file holds one run, to be read; start `regard open` to change it or to read another sentence";
const NOT_HERE = "this number is not in the file; `regard open` shows it, exactly and with its arithmetic";

export class PackedRun implements Run {
  readonly isLocal = false;
  readonly isRounded = true;
  readonly info: Info;
  readonly labels: Labels;
  readonly steps: ReadonlyMap<string, Outline>;
  readonly parameters: readonly string[] = [];
  readonly moments;
  readonly overview: Overview;
  private readonly decoded = new Map<string, Numbers>();

  private constructor(
    readonly state: State,
    private readonly packed: Packed,
    readonly claims: readonly Claim[],
    private readonly arrays: ReadonlyMap<string, Rounded>,
  ) {
    const outline = packed.outline!;
    this.info = outline.info;
    this.labels = new Labels(outline.labels);
    this.steps = new Map(outline.steps.map((step) => [step.name, { ...step, inputs: step.inputs ?? [] }]));
    this.moments = packed.timeline ?? [];
    const patterns = this.numbers("patterns")!;
    const cells = patterns.shape[1]!;
    const by_head = packed.overview.by_head.map((head, i) => ({ ...head, pattern: Array.from(patterns.data.subarray(i * cells, (i + 1) * cells)) }));
    this.overview = { ...packed.overview, by_head };
  }

  static async of(packed: Packed, claims: readonly Claim[], state: State): Promise<PackedRun> {
    return new PackedRun(state, packed, claims, arraysIn(await inflated(packed.numbers), packed.arrays));
  }

  private numbers(name: string): Numbers | null {
    const array = this.arrays.get(name);
    if (!array) return null;
    let found = this.decoded.get(name);
    if (!found) {
      const row = array.shape.at(-1)!;
      const data = Float64Array.from(array.codes, (code, cell) => code * array.scales[Math.floor(cell / row)]!);
      this.decoded.set(name, (found = { shape: array.shape, data, dtype: "float64" }));
    }
    return found;
  }

  read(step: string, at?: readonly (number | null)[]): Numbers | null {
    const numbers = this.numbers(step);
    return numbers && at ? sliced(numbers, at) : numbers;
  }

  /** As many decimals as a rounded number still has. */
  decimals(step: string, at: readonly number[]): number | null {
    const array = this.arrays.get(step);
    const scale = array?.scales[Math.floor(offset(array.shape, at) / array.shape.at(-1)!)];
    return scale ? Math.max(0, Math.floor(-Math.log10(scale))) : null;
  }

  explanation(): Explanation {
    return this.packed.explanation;
  }

  why(address: string): Why {
    const { step, at } = findCell(address, this.steps, this.labels);
    const value = this.numbers(step.name)?.data[offset(step.shape, at)];
    if (value === undefined) throw new Error(NOT_HERE);
    const text = `≈ ${fixed(value, this.decimals(step.name, at) ?? 0)}`;
    const note = "rounded to 8 bits in this file; `regard open` shows the exact number and its arithmetic";
    const [cell, name] = [writtenCell({ step, at }, this.labels), shortCell({ step, at }, this.labels, this.steps)];
    return { cell, name, value, step: step.name, at: [...at], text, latex: text, numpy: null, symbols: "", given: false, parts: [], note };
  }

  dependents(): null {
    return null;
  }
  original(): undefined {
    return undefined;
  }
  differenceError(): number | null {
    return this.packed.explanation.learning?.finite_difference_error ?? null;
  }
  whatIfs(): [] {
    return [];
  }

  fetched<Answer>(path: string, question: object): Answer | null {
    return path === "lens" && "kind" in question ? ((this.packed.lenses[String(question.kind)] as Answer | undefined) ?? null) : null;
  }

  to(): Promise<Run> {
    return Promise.reject(new Error(READ_ONLY));
  }
}

function arraysIn(bytes: Uint8Array<ArrayBuffer>, arrays: Packed["arrays"]): Map<string, Rounded> {
  const found = new Map<string, Rounded>();
  let from = 0;
  for (const { name, shape, signed } of arrays) {
    const cells = sizeOf(shape);
    const rows = cells / shape.at(-1)!;
    const scales = new Float32Array(bytes.slice(from, from + 4 * rows).buffer); // browsers' machines write the low byte first
    from += 4 * rows;
    const part = bytes.subarray(from, from + cells);
    found.set(name, { shape, scales, codes: signed ? new Int8Array(part.buffer, part.byteOffset, cells) : part });
    from += cells;
  }
  if (from !== bytes.length) throw new Error("this file was cut: some of its numbers are missing");
  return found;
}

async function inflated(base64: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
