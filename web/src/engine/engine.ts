/** Answers what a server would, from models that are here: one table, as in Python's session/answering.py. */
import { gravityOf } from "../gravity/measured";
import { cosines } from "../measure/alike";
import { contributions } from "../measure/contributions";
import { explanation } from "../measure/explanation";
import { compared } from "../measure/margin";
import type { Progress } from "../run/progress";
import type { TileAsked } from "../run/tile";
import type { State } from "../state";
import type { Step } from "../trace/step";
import type { Trace } from "../trace/trace";
import { explain, tile, values, why } from "./answers";
import { everyPosition, logitLens } from "./logitLens";
import type { Model } from "./model";
import { namedHeads } from "./naming";
import { overview, written } from "./overview";
import { Runs, stateIn } from "./runs";
import { writeOn } from "./writing";

/** What comes with a question besides the state it is about. */
interface Question {
  learning?: boolean;
  step?: string;
  at?: (number | null)[] | null;
  cell?: string;
  terms?: number;
  kind?: string;
  top?: number;
  positions?: "query" | "all";
  word?: string | null;
  texts?: string[];
  toward?: string[];
  layer?: number | null;
}

/** To be awaited between the parts of long work: whatever else was asked comes first, whoever waits is told how far it
 * is, and it throws when nobody does any more. */
export type Pause = (progress?: Progress) => Promise<void>;
export type Answering = (path: string, body: object, pause?: Pause) => Promise<unknown>;

const AT_ONCE: Pause = () => Promise.resolve();

export function engine(model: (name: string) => Promise<Model>): Answering {
  const runs = new Runs(model);
  const trace = async (state: State): Promise<Trace> => (await runs.of(state)).trace;

  const lenses: Record<string, (state: State, asked: Question) => Promise<object>> = {
    logit_lens: async (state, { top = 5, positions }) => {
      const run = await trace(state);
      const found = { query: run.number("query"), layers: logitLens(run, top) };
      if (positions !== "all") return found;
      const words = run.labels.along("T")!.map((_, i) => run.labels.shown("T", i));
      return { ...found, positions: words, grid: everyPosition(run) };
    },
    overview: async (state) => overview(await trace(state)),
    contributions: async (state) => {
      const run = await trace(state);
      const { components, held } = contributions(run);
      const [first, second] = compared(run);
      const told = components.map(({ name, layer, head, cell }) => ({
        ...{ name, layer, head },
        contribution: cell ? cell.step.at(cell.at) : 0,
      }));
      const difference = run.number("margin");
      const rest = difference - told.reduce((sum, one) => sum + one.contribution, 0);
      return { first, second, difference, components: told, rest, held_fixed: held };
    },
    gravity: async (state, { texts = [], toward = [], word = null, layer = null }) => {
      const { query: _, ...same } = state;
      const own = await trace(state);
      const others = await Promise.all(texts.map((text) => trace({ ...same, text, changes: [] })));
      const { tokenizer } = await model(state.model);
      const found = gravityOf([own, ...others], word ?? own.labels.plain("T", own.number("query")), layer);
      const sentences = found.sentences.map((sentence, i) => ({
        ...sentence,
        toward: toward.map((other) => ({
          word: other,
          cosines: cosines([own, ...others][i]!, sentence.position, tokenizer.oneWord(other)).map((cell) => ({
            cell: written(cell),
            value: cell.step.at(cell.at),
          })),
        })),
      }));
      return { ...found, sentences };
    },
    flow: async (state) => (await runs.of(state)).flow() ?? {},
    heads: async (state) => {
      const { naming } = (await model(state.model)).data;
      if (!naming) return { heads: [] };
      const { next: _, query: __, compared: ___, ...rest } = state;
      const plain = { ...rest, changes: [] };
      const watched: [string, Trace][] = [[state.text, await trace(plain)]];
      const { random } = naming;
      if (random !== null) watched.unshift([random, await trace({ ...plain, text: random, as_written: true })]);
      return { heads: namedHeads(watched, naming), random };
    },
    importance: async (state) => {
      const { layer, head, readings, total, difference, predicted, findings } = explanation(
        await trace(state), undefined, { leavesOut: true, learns: false },
      ); // prettier-ignore
      return { layer, head, readings, total, difference, predicted, findings };
    },
  };

  const questions: Record<string, (state: State, asked: Question, pause: Pause) => Promise<unknown>> = {
    explain: async (state, { learning = false }, pause) => {
      const run = await runs.of(state);
      await computed(run.trace.forward, pause);
      if (learning) await computed(run.trace.gradients, pause);
      return { state, ...explain(run, learning) };
    },
    values: async (state, { step, at }) => values(await runs.of(state), step!, at ?? null),
    why: async (state, { cell, terms }) => why(await runs.of(state), cell!, terms),
    tile: async (state, asked) => tile(await runs.of(state), asked as Partial<TileAsked>),
    lens: async (state, asked) => {
      const lens = lenses[asked.kind ?? ""];
      if (!lens) throw new Error(`no lens '${asked.kind}' here; there are ${Object.keys(lenses).join(", ")}`);
      return { kind: asked.kind, ...(await lens(state, asked)) };
    },
    generate: async (state, asked, pause) => writeOn(await model(state.model), state, asked, pause),
  };

  return async (path, body, pause = AT_ONCE) => {
    const answer = questions[path];
    if (!answer) throw new Error(`nobody answers '${path}' here; start \`regard open\` to ask for it`);
    return answer(stateIn(body), body, pause);
  };
}

/** Steps of a run, a few at a time. */
async function computed(steps: readonly Step[], pause: Pause): Promise<void> {
  for (const [done, step] of steps.entries()) {
    await pause({ done, of: steps.length, step: step.name });
    void step.value;
  }
}
