/** One sentence about what is on screen: computed, so that it is true of any run and any change. */
import type { Listened, Said } from "./outcome";

export interface Told {
  before: string; // up to the number
  number: { share: number; key: string; address: string } | null;
  after: string;
}

const ALIKE = 5e-4;

export function toldOf(
  reader: string,
  row: number,
  now: readonly Listened[],
  was: readonly Listened[] | null,
  says: Said | undefined,
  said: Said | undefined,
  moved: number | null, // the position whose share was moved last
): Told | null {
  if (!now.length || !says) return null;
  const named = ({ position, word }: Listened): string => (position === row ? "itself" : word);
  const before = moved === null ? undefined : was?.find(({ position }) => position === moved);
  const after = moved === null ? undefined : now.find(({ position }) => position === moved);
  if (!before || !after || !said || Math.abs(after.share - before.share) < ALIKE) {
    const most = now.reduce((best, one) => (one.share > best.share ? one : best));
    return {
      before: `${reader} listens most to ${named(most)}, `,
      number: most,
      after: `and the next word is ${says.word}.`,
    };
  }
  const how = after.share > before.share ? "more" : "less";
  const start = `${reader} listens ${how} to ${named(after)}: the next word `;
  if (says.word !== said.word)
    return { before: `${start}flips from ${said.word} to ${says.word}.`, number: null, after: "" };
  return { before: `${start}is still ${says.word}, at `, number: { ...says, address: says.key }, after: "." };
}
