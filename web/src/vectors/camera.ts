/** Where a map is looked at from: the place in the middle of the screen, and how many pixels a unit is. */
export interface Camera {
  x: number;
  y: number;
  unit: number;
}
export interface Size {
  width: number;
  height: number;
}
type Place = readonly [number, number];

const CLOSEST = 1e5; // pixels for a unit
const FARTHEST = 1e-3;
const MARGIN = 0.14; // of the screen, at each side

export const toScreen = (camera: Camera, size: Size, [x, y]: Place): [number, number] => [
  size.width / 2 + (x - camera.x) * camera.unit,
  size.height / 2 - (y - camera.y) * camera.unit,
];

export const toPlane = (camera: Camera, size: Size, [px, py]: Place): [number, number] => [
  camera.x + (px - size.width / 2) / camera.unit,
  camera.y - (py - size.height / 2) / camera.unit,
];

export const panned = (camera: Camera, dx: number, dy: number): Camera => ({
  ...camera,
  x: camera.x - dx / camera.unit,
  y: camera.y + dy / camera.unit,
});

/** Closer by a factor; what is at a point of the screen stays there. */
export function zoomed(camera: Camera, size: Size, by: number, at: Place): Camera {
  const unit = Math.min(CLOSEST, Math.max(FARTHEST, camera.unit * by));
  const [x, y] = toPlane(camera, size, at);
  return {
    x: x - (at[0] - size.width / 2) / unit,
    y: y + (at[1] - size.height / 2) / unit,
    unit,
  };
}

/** Everything at these places in sight. */
export function fitted(places: readonly Place[], size: Size): Camera {
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const room = 1 - 2 * MARGIN;
  const unit = Math.min((room * size.width) / (right - left || 1e-9), (room * size.height) / (high - low || 1e-9));
  return { x: (left + right) / 2, y: (low + high) / 2, unit: Math.min(CLOSEST, Math.max(FARTHEST, unit)) };
}

/** Nearly all of many points: a few that lie far off do not make the others small. */
export function fittedToMost(places: Float32Array, size: Size, share = 0.995): Camera {
  const few = Math.max(1, Math.floor(places.length / 2 / 20_000)); // as good as all of them
  const ends = [0, 1].map((axis) => {
    const along: number[] = [];
    for (let i = axis; i < places.length; i += 2 * few) along.push(places[i]!);
    along.sort((a, b) => a - b);
    const out = Math.floor((along.length * (1 - share)) / 2);
    return [along[out]!, along[along.length - 1 - out]!];
  });
  return fitted([[ends[0]![0]!, ends[1]![0]!], [ends[0]![1]!, ends[1]![1]!]], size); // prettier-ignore
}

/** Between two cameras, so that what both see moves evenly. */
export function between(from: Camera, to: Camera, share: number): Camera {
  const unit = from.unit * (to.unit / from.unit) ** share;
  // a place moves evenly on the screen if the middle moves as 1/unit does
  const part = from.unit === to.unit ? share : (1 / unit - 1 / from.unit) / (1 / to.unit - 1 / from.unit);
  return { x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y), unit };
}

/** The point nearest to a place on the screen, within so many pixels; −1 where there is none. */
export function pointAt(places: Float32Array, camera: Camera, size: Size, at: Place, within: number): number {
  const [x, y] = toPlane(camera, size, at);
  let best = (within / camera.unit) ** 2;
  let found = -1;
  for (let i = 0; i < places.length; i += 2) {
    const [dx, dy] = [places[i]! - x, places[i + 1]! - y];
    const far = dx * dx + dy * dy;
    if (far < best) [best, found] = [far, i / 2];
  }
  return found;
}

const BEGINS = /^\p{L}/u; // signs and pieces of words have points, and no names

/** The first words in sight whose names have room, beside those that are taken; by their rows. */
export function named(
  points: { words: readonly string[]; places: Float32Array },
  camera: Camera,
  size: Size,
  most: number,
  taken: readonly Box[],
): number[] {
  const boxes = [...taken];
  const found: number[] = [];
  for (let row = 0; row < points.words.length && found.length < most; row++) {
    if (!BEGINS.test(points.words[row]!)) continue;
    const [x, y] = toScreen(camera, size, [points.places[2 * row]!, points.places[2 * row + 1]!]);
    if (x < 4 || y < 14 || x > size.width - 20 || y > size.height - 6) continue;
    const box = boxOf(points.words[row]!, x, y);
    if (box.right > size.width - 4 || boxes.some((other) => overlap(box, other))) continue;
    boxes.push(box);
    found.push(row);
  }
  return found;
}

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}
/** Where a word's name stands beside its point, with the point. */
const boxOf = (word: string, x: number, y: number, letter = 7.2): Box => ({
  left: x - 4,
  right: x + 9 + letter * word.length,
  top: y - 10,
  bottom: y + 10,
});

/** A name in its place. How wide letters are is only guessed; by its anchor it keeps clear of its point anyway. */
export interface Label {
  x: number;
  y: number;
  anchor: "start" | "middle" | "end";
  box: Box;
}

/** Names that must stand: right of their points, else left, below or above, wherever there is room. */
export function beside(words: readonly { word: string; at: Place }[], size: Size, letter = 8.6): Label[] {
  const taken: Box[] = words.map(({ at: [x, y] }) => ({ left: x - 5, right: x + 5, top: y - 5, bottom: y + 5 }));
  return words.map(({ word, at: [x, y] }, own) => {
    const width = letter * word.length;
    const places = [
      { x: x + 10, y: y + 5, left: x + 10, anchor: "start" },
      { x: x - 10, y: y + 5, left: x - 10 - width, anchor: "end" },
      { x, y: y + 22, left: x - width / 2, anchor: "middle" },
      { x, y: y - 11, left: x - width / 2, anchor: "middle" },
    ] as const;
    const boxes = places.map(({ left, y }) => ({ left, right: left + width, top: y - 14, bottom: y + 4 }));
    const others = taken.filter((_, i) => i !== own);
    const isInside = (box: Box): boolean =>
      box.left > 2 && box.right < size.width - 2 && box.top > 2 && box.bottom < size.height - 2;
    const free = boxes.findIndex((box) => isInside(box) && !others.some((other) => overlap(box, other)));
    const chosen = free >= 0 ? free : Math.max(0, boxes.findIndex(isInside));
    taken.push(boxes[chosen]!);
    const { x: across, y: base, anchor } = places[chosen]!;
    return { x: across, y: base, anchor, box: boxes[chosen]! };
  });
}
const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
