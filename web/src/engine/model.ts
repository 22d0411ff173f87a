/** A model that runs here: its template, its numbers, and the words it reads and writes. */
import { Labels } from "../trace/labels";
import { near } from "../trace/near";
import { rowOf, type Numbers } from "../trace/numbers";
import { Trace } from "../trace/trace";
import type { State } from "../state";
import type { Arrays } from "./arrays";
import { asked, asWritten, type Question } from "./task";
import { stepsOf, withRows, type TemplateData } from "./template";
import { Bpe } from "./text/bpe";
import type { Tokenizer } from "./text/tokenizer";
import { freshVector, KnownWords } from "./text/words";

export class Model {
  readonly tokenizer: Tokenizer;
  readonly writes: readonly string[];
  private readonly numbers: ReadonlyMap<string, number>;

  constructor(
    readonly data: TemplateData,
    private readonly arrays: Arrays,
  ) {
    this.writes = data.writes ?? data.reads;
    this.numbers = new Map(data.reads.map((word, i) => [word, i]));
    this.tokenizer = data.bpe ? new Bpe(data.bpe, data.reads) : new KnownWords(this.numbers);
  }

  /** The run of a state before its changes. */
  run(state: State): Trace {
    const question = this.asked(state);
    const { length } = question.words;
    const { model, tokens } = this.data;
    const most = `${tokens} token${tokens === 1 ? "" : "s"}`;
    if (length > tokens)
      throw new Error(`the model ${model} reads at most ${most}, got ${length}; pass a shorter text`);
    return this.answering(question, state);
  }

  /** The same for words that are already cut, asked at the last. */
  read(words: readonly string[], state: State): Trace {
    return this.answering({ words, position: words.length - 1, answer: null, notes: [] }, state);
  }

  asked({ text, next, query, as_written }: State): Question {
    const words = this.tokenizer.words(text);
    if (as_written && next !== undefined)
      throw new Error("as_written hides nothing, so there is no word to be guessed; leave next out");
    if (as_written) return asWritten(this.data.task, words, query?.normalize("NFC") ?? null);
    const place = query?.normalize("NFC") ?? this.ownQuery(words);
    return asked(this.data.task, words, place, next ?? null, (word) => this.tokenizer.oneWord(word));
  }

  /** The word that predicts where nobody names one, as the text writes it: Apple for apple; null: the last. */
  private ownQuery(words: readonly string[]): string | null {
    const { query } = this.data;
    if (query === null || words.includes(query)) return query;
    return words.find((word) => word.toLowerCase() === query.toLowerCase()) ?? null;
  }

  private answering({ words, position, answer, notes }: Question, state: State): Trace {
    const { data } = this;
    const mask = state.mask ?? data.mask;
    const { arrays, reads, writes, fresh } = this.knowing(words, answer);
    const number = (word: string): number => this.numbers.get(word) ?? reads.indexOf(word);
    const tokens = words.map(number);
    const target = answer === null ? null : writes.indexOf(answer);
    const forward = stepsOf(data, arrays, { tokens, query: position, target, mask });
    const labels = new Labels({ T: words, Q: words, K: words, I: reads, V: writes, ...data.names });
    const info = {
      model: data.model,
      title: data.title,
      notes: [...data.notes, ...notes],
      tokens: words,
      text: this.tokenizer.joined(data.task.name === "classify" ? words.slice(0, -1) : words),
      query: position,
      next: answer,
      mask,
      task: data.task.name,
      fresh,
      lesson: data.lesson,
      own: {
        text: data.sentence,
        next: data.next,
        mask: data.mask,
        ...(data.query === null ? {} : { query: data.query }),
      },
      ...(state.as_written ? { as_written: true } : {}),
    };
    const trace = Trace.of({ forward, labels, info, edits: [], of: null });
    if (data.closed && rowOf(trace.array("layer0.total"), [0]).at(position) === 0)
      throw new Error(
        `'${words[position]!}' predicts here, but has no row of numbers, or all of it is hidden; ask another`,
      );
    return trace.has("loss") ? trace.backward() : trace;
  }

  /** The same numbers with fresh vectors for the words that the model does not know. */
  private knowing(words: readonly string[], answer: string | null): Known {
    const { reads, tied, closed, model } = this.data;
    let unread = [...new Set(words)].filter((word) => !this.numbers.has(word));
    let unwritten = answer !== null && !this.writes.includes(answer) ? [answer] : [];
    if (closed && unread.length)
      throw new Error(`${model} has no numbers for '${unread[0]!}'; ${near(unread[0]!, reads)}`);
    if (!unread.length && !unwritten.length) return { arrays: this.arrays, reads, writes: this.writes, fresh: [] };
    const fresh = [...new Set([...unread, ...unwritten])];
    if (tied) unread = unwritten = fresh;
    const arrays = new Map(this.arrays);
    const grow = (name: string, more: readonly string[]): void => {
      const table: Numbers = arrays.get(name)!;
      if (more.length)
        arrays.set(
          name,
          withRows(
            table,
            more.map((word) => freshVector(word, table.shape[1]!, table.data)),
          ),
        );
    };
    grow("E", unread);
    if (!tied) grow("W_out", unwritten);
    return { arrays, reads: [...reads, ...unread], writes: [...this.writes, ...unwritten], fresh };
  }
}

interface Known {
  arrays: Arrays;
  reads: readonly string[];
  writes: readonly string[];
  fresh: string[];
}
