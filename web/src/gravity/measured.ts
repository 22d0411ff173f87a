/** Gravity of runs that are computed here, as src/regard/lens/gravity.py measures it. */
import { streams } from "../measure/streams";
import { NotFound } from "../trace/near";
import type { Numbers } from "../trace/numbers";
import { rowOf } from "../trace/numbers";
import type { Trace } from "../trace/trace";
import type { Gravity, Point, Pull, Sentence } from "./gravity";

type Vector = ArrayLike<number>;

/** Where sentences move a word, after one layer (by default the last); all of them in one plane. */
export function gravityOf(traces: readonly Trace[], word: string, layer: number | null): Gravity {
  const ways = traces.map((trace) => wayOf(trace, word, layer));
  const plane = planeOf(ways);
  const sentences = ways.map((way) => sentenceOf(way, plane));
  return { word, layer: ways[0]!.layer, exact: plane.exact, sentences };
}

interface Way {
  trace: Trace;
  layer: string;
  position: number;
  own: Vector;
  trail: Vector[]; // where the word stands after each layer
  pulls: Vector[];
  gone: Vector;
}

function wayOf(trace: Trace, word: string, layer: number | null): Way {
  const position = positionOf(trace.labels.along("T") ?? [], word);
  const words = trace.array("x");
  const heights = streams(trace)
    .slice(1)
    .filter(([, step]) => String(step.shape) === String(words.shape));
  const found = heights.at(layer ?? -1);
  if (!found) throw new NotFound(`no layer ${layer ?? 0}; there are ${heights.length}, counted from 0`);
  const family = trace.measure(`gravity${position}`);
  const name = `${found[0]}.gravity${position}`;
  const pull = family.get(`${name}.pull`);
  return {
    trace,
    layer: found[0],
    position,
    own: rowOf(words, [position]),
    trail: heights.map(([, step]) => rowOf(step.value, [position])),
    pulls: pull ? rowsOf(pull.value) : [],
    gone: family.get(`${name}.way`)!.value.data,
  };
}

/** The last place of a word in a sentence; Apple may begin one. */
export function positionOf(words: readonly string[], word: string): number {
  const plain = words.lastIndexOf(word);
  if (plain >= 0) return plain;
  const alike = words.findLastIndex((one) => one.toLowerCase() === word.toLowerCase());
  if (alike >= 0) return alike;
  const named = /^(.*)@(\d+)$/s.exec(word);
  if (named && words[Number(named[2])] === named[1]) return Number(named[2]);
  throw new NotFound(`the word '${word}' is not in '${words.join(" ").slice(0, 200)}'; choose one of its words`);
}

interface Plane {
  exact: boolean;
  to: (vector: Vector) => Point;
  origin: Vector;
}

function planeOf(ways: readonly Way[]): Plane {
  const width = ways[0]!.own.length;
  if (width <= 2)
    return { exact: true, origin: new Float64Array(width), to: (vector) => [vector[0] ?? 0, vector[1] ?? 0] };
  const origin = Float64Array.from(
    { length: width },
    (_, i) => ways.reduce((sum, way) => sum + way.own[i]!, 0) / ways.length,
  );
  const ends = ways.map((way) => minus(way.trail.at(-1)!, origin));
  const axes: Vector[] = [];
  // the ends first; one sentence, or equal ones: what else its way through the layers has, or else the pulls
  const trails = ways.flatMap((way) => way.trail.map((place) => minus(place, origin)));
  const pulls = ways.flatMap((way) => way.pulls);
  for (const rows of [ends, trails, pulls]) {
    const least = 1e-9 * Math.max(1e-300, ...rows.map(length));
    while (axes.length < 2) {
      const rest = rows.map((row) => axes.reduce((left, axis) => minus(left, axis, dot(left, axis)), row));
      const axis = principal(rest, least);
      if (!axis) break;
      axes.push(axis);
    }
  }
  const turned = axes.map((axis) => {
    const along = ends.map((end) => dot(end, axis));
    const largest = along.reduce((most, one) => (Math.abs(one) > Math.abs(most) ? one : most), 0);
    return largest < 0 ? Float64Array.from(axis, (value) => -value) : axis;
  });
  return {
    exact: false,
    origin,
    to: (vector) => [0, 1].map((i) => (turned[i] ? dot(turned[i], vector) : 0)) as unknown as Point,
  };
}

/** The direction of most square length, by repeated multiplication; null where all that is left is rounding. */
function principal(rows: readonly Vector[], least: number): Float64Array | null {
  const first = rows.reduce<Vector | null>((most, row) => (!most || length(row) > length(most) ? row : most), null);
  if (!first || length(first) <= least) return null;
  let axis = scaled(first, 1 / length(first));
  for (let round = 0; round < 2000; round++) {
    const next = new Float64Array(axis.length);
    for (const row of rows) {
      const along = dot(row, axis);
      for (let i = 0; i < next.length; i++) next[i]! += along * row[i]!;
    }
    const better = scaled(next, 1 / length(next));
    const moved = length(minus(better, axis));
    axis = better;
    if (moved < 1e-14) break;
  }
  return axis;
}

function sentenceOf(way: Way, plane: Plane): Sentence {
  const { trace, layer, position } = way;
  const family = trace.measure(`gravity${position}`);
  const prefix = `${layer}.gravity${position}`;
  const number = (name: string, at = 0): number => family.get(`${prefix}.${name}`)!.value.data[at]!;
  const placeOf = (vector: Vector): Point => plane.to(minus(vector, plane.origin));
  const words = trace.labels.along("T") ?? [];
  const places = rowsOf(trace.array("x"));
  const pulls: Pull[] = way.pulls.map((vector, i) => ({
    position: i,
    word: words[i]!,
    size: number("pull.size", i),
    along: number("pull.along", i),
    arrow: plane.to(vector),
    place: placeOf(places[i]!),
    cells: { size: `${prefix}.pull.size[${i}]`, along: `${prefix}.pull.along[${i}]` },
  }));
  const rest: Pull = {
    position: -1,
    word: "rest",
    size: number("rest.size"),
    along: number("rest.along"),
    arrow: plane.to(way.pulls.reduce((left, pull) => minus(left, pull), way.gone)),
    place: placeOf(way.own),
    cells: { size: `${prefix}.rest.size`, along: `${prefix}.rest.along` },
  };
  const shown = plane.to(way.gone);
  const square = dot(way.gone, way.gone);
  return {
    words: [...words],
    position,
    static: placeOf(way.own),
    contextual: placeOf(family.get(`${prefix}.place`)!.value.data),
    way: number("way.size"),
    cell: `${prefix}.way.size`,
    in_plane: square ? (shown[0] ** 2 + shown[1] ** 2) / square : 1,
    pulls,
    rest,
    trail: way.trail.map(placeOf),
  };
}

const rowsOf = (numbers: Numbers): Float64Array[] =>
  Array.from({ length: numbers.shape[0]! }, (_, i) => rowOf(numbers, [i]));
const dot = (a: Vector, b: Vector): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
};
const length = (vector: Vector): number => Math.sqrt(dot(vector, vector));
const minus = (a: Vector, b: Vector, times = 1): Float64Array =>
  Float64Array.from(a, (value, i) => value - times * b[i]!);
const scaled = (vector: Vector, by: number): Float64Array => Float64Array.from(vector, (value) => value * by);
