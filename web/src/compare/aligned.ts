/** Which word of one sentence stands for which of another: the same words in the same order, and between them as many
 * others as there are on the other side ("The cat sat", "The dog sat": cat for dog). */

export interface Pair {
  first: number; // its place in the one
  second: number; // and in the other
  word: string; // how the two are called together
}

export function aligned(one: readonly string[], other: readonly string[]): Pair[] {
  const same = inBoth(one, other);
  const found: Pair[] = [];
  let [i, j] = [0, 0];
  for (const [first, second] of [...same, [one.length, other.length] as const]) {
    if (first - i === second - j) for (; i < first; i++, j++) found.push(pair(i, j));
    if (first < one.length) found.push(pair(first, second));
    [i, j] = [first + 1, second + 1];
  }
  function pair(first: number, second: number): Pair {
    const [here, there] = [one[first]!, other[second]!];
    return { first, second, word: here === there ? here : `${here}/${there}` };
  }
  return found;
}

/** The longest run of words that both have, in order: their places. */
function inBoth(one: readonly string[], other: readonly string[]): (readonly [number, number])[] {
  const length = Array.from({ length: one.length + 1 }, () => new Int32Array(other.length + 1));
  for (let i = one.length - 1; i >= 0; i--)
    for (let j = other.length - 1; j >= 0; j--)
      length[i]![j] =
        one[i] === other[j] ? length[i + 1]![j + 1]! + 1 : Math.max(length[i + 1]![j]!, length[i]![j + 1]!);
  const found: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < one.length && j < other.length;)
    if (one[i] === other[j]) found.push([i++, j++]);
    else if (length[i + 1]![j]! >= length[i]![j + 1]!) i++;
    else j++;
  return found;
}
