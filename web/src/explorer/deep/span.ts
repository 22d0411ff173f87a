/** A part of a text, by its first word and the one after its last: how a view of a long text moves and zooms. */
export type Span = readonly [number, number];

const LEAST = 12; // words at the closest

const within = (least: number, value: number, most: number): number => Math.min(most, Math.max(least, value));

export const lengthOf = ([from, to]: Span): number => to - from;

/** A span of another length around the same place. */
export function zoomed(span: Span, center: number, factor: number, count: number): Span {
  const length = Math.round(within(Math.min(LEAST, count), lengthOf(span) * factor, count));
  const share = (center - span[0]) / lengthOf(span);
  const begin = Math.round(within(0, center - share * length, count - length));
  return [begin, begin + length];
}

/** The same span, further on by so many words, as far as there are any. */
export function moved([from, to]: Span, by: number, count: number): Span {
  const step = within(-from, Math.round(by), count - to);
  return [from + step, to + step];
}

/** The span nearest to this one that shows a place. */
export const showing = ([from, to]: Span, place: number, count: number): Span =>
  moved([from, to], Math.min(0, place - from) + Math.max(0, place + 1 - to), count);

/** The word at a share of a span. */
export const wordAt = ([from, to]: Span, share: number): number =>
  within(from, Math.floor(from + share * (to - from)), to - 1);

/** The place of a word in a span, as a share of it: its middle. */
export const shareOf = ([from, to]: Span, word: number): number => (word + 0.5 - from) / (to - from);
