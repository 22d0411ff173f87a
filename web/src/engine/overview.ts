/** Every head of a deep model at a glance, as Python's lens/overview.py tells it. */
import { mixing } from "../measure/attending";
import { contributions, type Component } from "../measure/contributions";
import { compared } from "../measure/margin";
import type { Overview } from "../run/run";
import { pooled } from "../run/tile";
import { layerOf } from "../trace/names";
import { rowOf } from "../trace/numbers";
import type { Cell } from "../trace/step";
import type { Trace } from "../trace/trace";

const CELLS = 16; // along the side of a small pattern

const valueOf = ({ step, at }: Cell): number => step.at(at);
/** An address by numbers, which holds whatever the words are. */
export const written = ({ step, at }: Cell): string => (at.length ? `${step.name}[${at.join(",")}]` : step.name);

export function overview(trace: Trace): Overview & { difference: number } {
  const { components } = contributions(trace);
  const [first, second] = compared(trace);
  const difference = trace.number("margin");
  const layers = [...new Set(trace.forward.map(({ name }) => layerOf(name)).filter(Boolean))];
  const query = trace.number("query");
  const mixes = mixing(trace);
  const by_head = layers.flatMap((layer, number) => {
    const { data, shape } = trace.array(`${layer}.weights`);
    return Array.from({ length: shape[0]! }, (_, head) => {
      const whole = { layer: number, head, rows: null, keys: null, height: CELLS, width: CELLS };
      return {
        layer: number,
        head,
        ...read(
          trace,
          layer,
          head,
          query,
          mixes.has(layer),
          components.find((c) => c.layer === layer && c.head === head),
        ),
        pattern: pooled(data, shape, whole).mean.map((weight) => Math.round(weight * 1e4) / 1e4),
      };
    });
  });
  const others = components
    .filter(({ head }) => head === null)
    .map(({ name, cell }) => ({ name, contribution: cell ? valueOf(cell) : 0, cell: cell && written(cell) }));
  const told = components.reduce((sum, { cell }) => sum + (cell ? valueOf(cell) : 0), 0);
  return {
    words: [first, second],
    difference,
    layers: layers.length,
    heads: layers.length ? trace.step(`${layers[0]}.weights`).shape[0]! : 0,
    cells: Math.min(CELLS, trace.labels.along("Q")!.length),
    by_head,
    others,
    rest: difference - told,
  };
}

type Read = Pick<Overview["by_head"][number], "contribution" | "entropy" | "distance" | "first" | "cells">;

/** How a head reads at the position that predicts, and the cells that say so, where weights are mixed as they are. */
function read(
  trace: Trace,
  layer: string,
  head: number,
  query: number,
  areSteps: boolean,
  component: Component | undefined,
): Read {
  const added = component?.cell ?? null;
  const contribution = { contribution: added && valueOf(added) };
  const addedCell = added ? { contribution: written(added) } : {};
  if (!areSteps) {
    const row = rowOf(trace.array(`${layer}.weights`), [head, query]);
    const sum = (of: (weight: number, key: number) => number): number =>
      row.reduce((all, w, key) => all + of(w, key), 0);
    return {
      ...contribution,
      entropy: sum((weight) => (weight > 0 ? -weight * Math.log(weight) : 0)),
      distance: sum((weight, key) => weight * Math.abs(query - key)),
      first: row[0]!,
      cells: addedCell,
    };
  }
  const cells = {
    entropy: { step: trace.step(`${layer}.entropy`), at: [head, query] },
    distance: { step: trace.step(`${layer}.distance`), at: [head, query] },
    first: { step: trace.step(`${layer}.weights`), at: [head, query, 0] },
  };
  return {
    ...contribution,
    entropy: valueOf(cells.entropy),
    distance: valueOf(cells.distance),
    first: valueOf(cells.first),
    cells: {
      ...addedCell,
      entropy: written(cells.entropy),
      distance: written(cells.distance),
      first: written(cells.first),
    },
  };
}
