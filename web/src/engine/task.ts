/** What a model is asked, as values: which word of a text answers, and with what (Python's models/tasks.py). */
import { Labels } from "../trace/labels";
import { near, NotFound } from "../trace/near";

export interface TaskData {
  name: "next" | "masked" | "classify";
  does_not_write: string | null;
  mask?: string; // masked: the word that stands for a hidden one
  around?: string[];
  end?: string; // classify: the token that follows every text
  classes?: string[];
}

/** The words that are read, the position that answers, the answer wanted, and what a reader should know. */
export interface Question {
  words: readonly string[];
  position: number;
  answer: string | null;
  notes: readonly string[];
}

type OneWord = (text: string) => string;

export function asked(
  task: TaskData,
  words: readonly string[],
  query: string | null,
  answer: string | null,
  oneWord: OneWord,
): Question {
  if (task.name === "masked") return hidden(task, words, query, answer, oneWord);
  if (task.name === "classify") {
    const classes = task.classes!;
    if (answer !== null && !classes.includes(answer))
      throw new NotFound(`no class '${answer}'; ${near(answer, classes)}`);
    if (query !== null) throw new Error("a class is asked for of the whole text; leave out the query");
    return { words: [...words, task.end!], position: words.length, answer, notes: [] };
  }
  const position = query === null ? words.length - 1 : placeOf(words, query);
  return { words, position, ...wanted(answer, oneWord) };
}

/** The same with nothing hidden: for looking at how a text is read, not for asking what is missing. */
export function asWritten(task: TaskData, words: readonly string[], query: string | null): Question {
  const read = task.name === "classify" ? [...words, task.end!] : words;
  const last = task.name === "masked" ? lastOwn(task, words) : read.length - 1;
  return { words: read, position: query === null ? last : placeOf(read, query), answer: null, notes: [] };
}

/** Where the last word stands that is the text's own. */
const lastOwn = ({ around = [] }: TaskData, words: readonly string[]): number =>
  Math.max(
    0,
    words.findLastIndex((word) => !around.includes(word)),
  );

/** Which word is hidden. Where the text hides none, the named word (or the last) is hidden and asked for. */
function hidden(
  task: TaskData,
  words: readonly string[],
  query: string | null,
  given: string | null,
  oneWord: OneWord,
): Question {
  const { mask } = task;
  const { answer, notes } = wanted(given, oneWord);
  if (query === null && words.includes(mask!)) return { words, position: words.indexOf(mask!), answer, notes };
  const position = query === null ? lastOwn(task, words) : placeOf(words, query);
  const word = words[position]!;
  if (word === mask) return { words, position, answer, notes };
  const note = `"${word}" was hidden, to be guessed from both sides; write ${mask} to hide another word`;
  return { words: words.with(position, mask!), position, answer: answer ?? word, notes: [note, ...notes] };
}

/** The token that is wanted, and a note where the given word has several. */
function wanted(answer: string | null, oneWord: OneWord): { answer: string | null; notes: string[] } {
  if (answer === null) return { answer, notes: [] };
  if (!answer.trim()) throw new Error("the next word is empty; give one such as jumps, or leave it out");
  const word = oneWord(answer);
  const shown = word.toLowerCase();
  const isSame = [shown, shown.replace(/^[…␣]+|[…␣]+$/g, "")].includes(answer.trim().toLowerCase());
  const note = `"${answer.trim()}" has several pieces here; the first, "${word}", is what is wanted`;
  return { answer: word, notes: isSame ? [] : [note] };
}

/** The position of a word named as in an address: by itself, by number, or as the@4. */
export const placeOf = (words: readonly string[], query: string): number =>
  new Labels({ Q: words }).position("Q", words.length, query);
