/** Every number of a line of arithmetic that can be opened, and no other. */
import { describe, expect, it } from "vitest";
import { segments } from "../src/explorer/segments";
import type { Part } from "../src/run/run";

const parts = (...values: number[]): Part[] => values.map((value, i) => ({ cell: `c${i}`, name: `c${i}`, value }));
const opened = (text: string, ...values: number[]): string[] =>
  segments(text, parts(...values))
    .filter((s) => s.part)
    .map((s) => `${s.part!.cell}=${s.text}`);

describe("segments", () => {
  it("keep the text as it is", () =>
    expect(
      segments("e^(-1.3078) / √2", parts(-1.30779))
        .map((s) => s.text)
        .join(""),
    ).toBe("e^(-1.3078) / √2"));
  it("go in reading order", () =>
    expect(opened("0.80·0.80 + 0.60·0.60", 0.8, 0.8, 0.6, 0.6)).toEqual(["c0=0.80", "c1=0.80", "c2=0.60", "c3=0.60"]));
  it("leave constants alone", () => expect(opened("1.0000 / √2", 1)).toEqual(["c0=1.0000"]));
  it("read powers of ten and signs", () =>
    expect(opened("1.234e-05·(-0.5000)", 0.00001234, -0.5)).toEqual(["c0=1.234e-05", "c1=-0.5000"]));
  it("know what is left out", () => expect(opened("0.10 + … 250 more", 0.1)).toEqual(["c0=0.10"]));
});
