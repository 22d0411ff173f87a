/** Shares of a whole as bands: apart at the left, where each word stands, and one upon the other where they arrive.
 *
 * All bands together always have the same thickness, so a share that is dragged moves one edge of its band. That edge
 * is where the hand takes hold, and `shareAt` is the share that puts it under the hand.
 */
export interface Band {
  from: [top: number, bottom: number];
  into: [top: number, bottom: number];
  grip: number; // the height of the edge that moves
}

export interface Room {
  height: number;
  gap: number; // between two bands at the left
}

const clamped = (share: number): number => Math.min(1, Math.max(0, share));
const thickness = (count: number, { height, gap }: Room): number => Math.max(0, height - gap * Math.max(0, count - 1));

/** The part of all other shares that lies above one of them: it stays as it is while that one is dragged. */
function above(shares: readonly number[], which: number): number {
  const others = shares.reduce((sum, share, i) => (i === which ? sum : sum + share), 0);
  if (others <= 0) return shares.length > 1 ? which / (shares.length - 1) : 0;
  return shares.slice(0, which).reduce((sum, share) => sum + share, 0) / others;
}

/** The upper edge moves where most of the others lie above; else the lower one. */
const movesAbove = (shares: readonly number[], which: number): boolean => above(shares, which) >= 0.5;

/** While a hand is on one, `taken` are the shares as it found them: they say which edge it holds. */
export function bands(shares: readonly number[], room: Room, taken: readonly number[] = shares): Band[] {
  const whole =
    thickness(shares.length, room) /
    Math.max(
      1,
      shares.reduce((sum, share) => sum + share, 0),
    );
  const inset = (room.gap * Math.max(0, shares.length - 1)) / 2;
  let before = 0;
  return shares.map((share, i) => {
    const [top, size] = [before * whole, Math.max(0, share) * whole];
    before += Math.max(0, share);
    const from: Band["from"] = [top + i * room.gap, top + i * room.gap + size];
    return { from, into: [top + inset, top + inset + size], grip: from[movesAbove(taken, i) ? 0 : 1] };
  });
}

/** The share at which the moving edge of a band is at this height; `shares` as they were when the hand took hold. */
export function shareAt(shares: readonly number[], which: number, height: number, room: Room): number {
  const part = above(shares, which);
  const reached = (height - which * room.gap) / Math.max(1, thickness(shares.length, room));
  const share = movesAbove(shares, which) ? 1 - reached / part : (reached - part) / (1 - part);
  return Math.round(clamped(share) * 1000) / 1000;
}

/** The outline of a band from one edge of the picture to another. */
export function outline(left: number, right: number, from: readonly number[], into: readonly number[]): string {
  const middle = (left + right) / 2;
  const [a, b] = from as [number, number];
  const [c, d] = into as [number, number];
  return `M${left},${a}C${middle},${a} ${middle},${c} ${right},${c}V${d}C${middle},${d} ${middle},${b} ${left},${b}Z`;
}
