/** Contextual gravity as the server measures it (src/regard/lens/gravity.py), and how it is laid out in a plane. */

export type Point = readonly [number, number];

export interface Pull {
  position: number; // −1: the rest, which no word sent
  word: string;
  size: number; // its length, in all dimensions
  along: number; // share of the way
  arrow: Point;
  place: Point; // where the pulling word itself stands
  cells?: { size: string; along: string }; // of the run of its sentence
}

export interface Sentence {
  words: string[];
  position: number;
  static: Point;
  contextual: Point;
  way: number;
  cell?: string; // of the way
  in_plane: number;
  pulls: Pull[];
  rest: Pull;
  names?: string[]; // how its words are shown, where that is not how they are written
  trail: Point[]; // where it stands after every layer
  toward?: Nearness[];
}

/** The cosine with a word of the vocabulary: by itself, then after each layer. */
export interface Nearness {
  word: string;
  cosines: { cell: string; value: number }[];
}

export interface Gravity {
  word: string;
  layer: string;
  exact: boolean;
  sentences: Sentence[];
}

/** Examples to begin with: the sentence on screen, the word that is pulled, and other sentences around it. */
export interface Example {
  title: string;
  model: string;
  text: string;
  next?: string;
  word: string;
  also: string[];
  toward?: string[];
  close?: boolean;
}

export const EXAMPLES: readonly Example[] = [
  {
    title: "apple: fruit or company?",
    model: "fruit-or-company",
    text: "I bought an apple and an orange",
    word: "apple",
    also: ["Apple unveiled a new phone"],
  },
  {
    title: "bank: river or money?",
    model: "english",
    text: "He sat by the river bank",
    word: "bank",
    also: ["He put the money in the bank"],
    toward: ["river", "water", "lake", "boat", "money", "gold", "coins", "shop"],
  },
  {
    title: "light: a lamp or a feather?",
    model: "masked",
    text: "She turned on the light in the dark room",
    word: "light",
    also: ["The bag was very light and easy to carry"],
    toward: ["lamp", "sun", "dark", "night", "heavy", "small", "easy", "soft"],
  },
  {
    title: "fox, more or less alone",
    model: "fox",
    text: "The quick brown fox",
    word: "fox",
    also: ["brown fox"],
    close: true,
  },
];

/** A word as it is shown: with its place where a sentence has it more than once. */
export function named({ words, names }: Pick<Sentence, "words" | "names">, position: number): string {
  if (names) return names[position]!;
  const word = words[position] ?? "";
  return isOnce(words, word)
    ? word
    : `${word}${[...String(position)].map((digit) => "₀₁₂₃₄₅₆₇₈₉"[Number(digit)]).join("")}`;
}

/** The words of several sentences that are read as one; a word of both says of which it is. */
export function namedApart(sentences: readonly Sentence[], signs: readonly string[]): string[] {
  const all = sentences.flatMap(({ words }) => words);
  return sentences.flatMap((sentence, i) =>
    sentence.words.map((word, position) => {
      const isClear = isOnce(all, word) || !isOnce(sentence.words, word);
      return isClear ? named(sentence, position) : `${named(sentence, position)} ${signs[i]}`;
    }),
  );
}

const isOnce = (words: readonly string[], word: string): boolean => words.indexOf(word) === words.lastIndexOf(word);

const NEGLIGIBLE = 1e-9; // of the way: rounding

/** The pulls of a sentence, those that reach farthest along the way first; what no word sent comes last. */
export function ranked(sentence: Sentence): Pull[] {
  const pulls = sentence.pulls.toSorted((a, b) => Math.abs(b.along) - Math.abs(a.along));
  return hasRest(sentence) ? [...pulls, sentence.rest] : pulls;
}

/** Whether something besides the words moved it: MLP, positions, biases. */
export const hasRest = ({ rest, way }: Sentence): boolean => rest.size > NEGLIGIBLE * Math.max(1, way);

export interface Box {
  left: number;
  right: number;
  low: number;
  high: number;
}

/** One window for all sentences, so that their arrows can be compared: every arrow, and words that stand near. Close:
 * without those, and without the rest, which may go far beyond what words pulled. */
export function windowOf({ sentences, exact }: Pick<Gravity, "sentences" | "exact">, isClose = false): Box {
  const isCut = isClose && sentences.some(hasRest);
  const drawn = (one: Sentence): Pull[] => (isCut ? one.pulls : ranked(one));
  const arrows = sentences.flatMap((one) => [
    one.static,
    ...(isCut ? [] : [one.contextual, ...one.trail]),
    ...drawn(one).map((pull): Point => [one.static[0] + pull.arrow[0], one.static[1] + pull.arrow[1]]),
  ]);
  const inner = around(arrows);
  const size = Math.max(inner.right - inner.left, inner.high - inner.low) || 1;
  const isNear = ([x, y]: Point): boolean =>
    !isClose &&
    (exact ||
      (x > inner.left - 0.3 * size &&
        x < inner.right + 0.3 * size &&
        y > inner.low - 0.3 * size &&
        y < inner.high + 0.3 * size));
  const places = sentences.flatMap((one) => one.pulls.map((pull) => pull.place)).filter(isNear);
  const box = around([...arrows, ...places]);
  const margin = 0.06 * Math.max(box.right - box.left, box.high - box.low, 1e-12);
  return { left: box.left - margin, right: box.right + margin, low: box.low - margin, high: box.high + margin };
}

function around(points: readonly Point[]): Box {
  const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
  return { left: Math.min(...xs), right: Math.max(...xs), low: Math.min(...ys), high: Math.max(...ys) };
}

/** Labels that do not lie on each other: each is put at the first free place of those it may take. */
export function placed<Label extends { text: string; x: number; y: number }>(
  labels: readonly Label[],
  height = 13,
  perLetter = 6.2,
): (Label & { isShown: boolean })[] {
  const taken: Box[] = [];
  return labels.map((label) => {
    const tries: Point[] = [
      [0, 0],
      [0, -height],
      [0, height],
      [8, -height],
      [8, height],
      [0, -2 * height],
      [0, 2 * height],
    ];
    for (const [dx, dy] of tries) {
      const [x, y] = [label.x + dx, label.y + dy];
      const box = { left: x - 2, right: x + perLetter * label.text.length + 2, low: y - height + 2, high: y + 3 };
      if (
        taken.some(
          (other) => box.left < other.right && other.left < box.right && box.low < other.high && other.low < box.high,
        )
      )
        continue;
      taken.push(box);
      return { ...label, x, y, isShown: true };
    }
    return { ...label, isShown: false };
  });
}
