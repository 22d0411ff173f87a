/** Contractions against their definition, large enough for products of matrices: sizes are different primes. */
import { describe, expect, it } from "vitest";
import { Contract } from "../src/trace/contract";
import { Halves } from "../src/trace/halves";
import { numbers, offset, placeOf, sizeOf, type Numbers } from "../src/trace/numbers";
import { indexOf, parse, placed, shapeOf, sizesOf } from "../src/trace/spec";

const SIZES: Record<string, number> = { H: 3, Q: 7, K: 11, D: 13, C: 37, T: 5, F: 41, V: 1301 };

function byDefinition(spec: string, factor: number, [a, b]: [Numbers, Numbers]): Float64Array {
  const { inputs, output } = parse(spec);
  const sizes = sizesOf(spec, [a.shape, b.shape]);
  const letters = [...sizes.keys()].join("");
  const shape = shapeOf(output, sizes);
  const result = new Float64Array(sizeOf(shape));
  for (let cell = 0; cell < sizeOf(shapeOf(letters, sizes)); cell++) {
    const at = placed(letters, placeOf(shapeOf(letters, sizes), cell));
    const [x, y] = [a, b].map((array, i) => array.data[offset(array.shape, indexOf(inputs[i]!, at))]!);
    result[offset(shape, indexOf(output, at))]! += factor * x! * y!;
  }
  return result;
}

const random = (axes: string): Numbers => {
  const shape = [...axes].map((letter) => SIZES[letter]!);
  return numbers(
    Float64Array.from({ length: sizeOf(shape) }, (_, i) => Math.sin(i * i + axes.length)),
    shape,
  );
};

describe("a contraction", () => {
  it.each(["QC,HCD->HQD", "HQD,HKD->HQK", "C,VC->V", "TF,CF->TC", "TF,TC->CF", "V,C->VC", "TC,TC->C",
    "TC,TC->T", "TC,C->TC",
    "HQK,HKD->HQD", "HQC,HDC->HQD", "VC,VC->", "DC,HQD->QHC"])("%s is what it is defined to be", (spec) => {
    const arrays = parse(spec).inputs.map(random) as [Numbers, Numbers];
    const found = new Contract(spec, -0.5).forward(arrays);
    const expected = byDefinition(spec, -0.5, arrays);
    const largest = Math.max(...expected.map(Math.abs));
    found.data.forEach((value, i) => expect(Math.abs(value - expected[i]!)).toBeLessThan(1e-13 * largest));
  }); // prettier-ignore
});

describe("float16", () => {
  it.each([
    [0x3c00, 1], [0xc000, -2], [0x0001, 2 ** -24], [0x03ff, 2 ** -14 * (1023 / 1024)], [0x7bff, 65504], [0x8000, -0],
    [0x3555, 0.333251953125], [0x7c00, Infinity], [0xfc00, -Infinity], [0x7e00, NaN],
  ])("%i is %f", (bits, value) => {
    expect(new Halves(Uint16Array.of(bits), [1]).data[0]).toBe(value);
  }); // prettier-ignore
});
