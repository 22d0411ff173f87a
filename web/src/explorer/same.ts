/** A change leaves most numbers of a run as they are. What is the same is handed on as it was, so that whoever draws it
 * is not told of a change that is none. */
import type { Numbers } from "../trace/numbers";

export function unlessSame(): (next: Numbers | null) => Numbers | null {
  let kept: Numbers | null = null;
  return (next) => (isSame(kept, next) ? kept : (kept = next));
}

const isSame = (a: Numbers | null, b: Numbers | null): boolean =>
  a === b ||
  (!!a &&
    !!b &&
    a.dtype === b.dtype &&
    a.shape.join() === b.shape.join() &&
    a.data.every((value, i) => Object.is(value, b.data[i])));
