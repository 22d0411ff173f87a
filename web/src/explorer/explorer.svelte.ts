/** The one store of a screen: which run, what is looked at, what the pointer is on. Every component reads it. */
import { getContext, setContext } from "svelte";
import { Connection, Unreachable } from "../connection.svelte";
import type { Explanation } from "../measure/explanation";
import { whereIn, type Progress } from "../run/progress";
import { changedBy, decimalsOf, undone, type Outline, type Run } from "../run/run";
import { FIRST_VIEW, type Beside, type Change, type Scaling, type State, type View } from "../state";
import { fixed, formatInColumn } from "../trace/format";
import type { Numbers } from "../trace/numbers";

/** Where runs come from: the server, or a file that holds one. */
export interface Links {
  site: string | null; // the address of a hosted page; null: there is none
  models: string[]; // that it has
}

export interface Source {
  /** Models to choose from; none where there is only what came. */
  models(): Promise<Model[]>;
  run(state: State): Promise<Run>;
  /** One file that shows this state anywhere; null where nobody can write it. */
  exported: ((state: State) => Promise<Blob>) | null;
  /** Where others can open what is on screen. */
  links?: () => Promise<Links>;
  /** Anything else that the server answers (lessons, lenses); null where there is none. */
  ask: (<Answer>(path: string, body?: unknown) => Promise<Answer>) | null;
  /** Nobody waits any more for what is being computed; absent where it is computed here. */
  stop?: () => void;
  /** Who is to be told how far the run is that is being computed; absent where nobody can say. */
  follow?: (told: (progress: Progress) => void) => void;
  /** A conversation with the server (training); absent where nobody trains. */
  socket?: (path: string) => Promise<WebSocket>;
}

export interface Model {
  name: string;
  title: string;
  size: "toy" | "deep";
  sentence: string;
  next: string | null;
  mask: string;
  task?: string; // "masked": it guesses hidden words
}

/** What a lesson lights, and what it keeps back until it is answered. */
export interface Guide {
  stage: number;
  veiled: ReadonlySet<string>; // steps
  asked: string | null; // the cell in question
  isShown: boolean;
}

/** Positions along the axes that the pointer is on: {Q: 3, K: 0}. */
export type Hover = Readonly<Record<string, number>>;

const AT_ONCE = 10; // updates in one question
const PATIENCE = 400; // ms until work is said to be going on
const MOST_UNDONE = 200; // steps
const TOO_LONG = /reads at most ([\d,]+) tokens, got ([\d,]+)/;
export const BETWEEN = "①②"; // in the place of a text: a number of two runs that are compared
const NOBODY: ReadonlySet<string> = new Set();

export class Explorer {
  run = $state.raw<Run | null>(null);
  view = $state<View>({ ...FIRST_VIEW });
  models = $state.raw<Model[]>([]);
  hover = $state.raw<Hover>({});
  reads = $state.raw<ReadonlySet<string>>(NOBODY); // cells that the number under the pointer was computed from
  error = $state<string | null>(null);
  busy = $state(false);
  progress = $state.raw<Progress | null>(null); // of what is waited for, where it is known
  isCompact = $state(false); // a notebook's cell: the opening scene alone, until everything is asked for
  dropped = $state.raw<{ name: string; text: string } | null>(null); // a file, for the scene that is gone to
  guide = $state.raw<Guide | null>(null);
  said = $state(""); // for screen readers: what an action did
  beside = $state.raw<Run | null>(null); // that a scene draws besides the one on screen
  between = $state.raw<Pick<Run, "why"> | null>(null); // two runs that are compared: their numbers, and the differences
  isMoving = $state(false); // a hand is on a number: where it comes to rest is not known yet
  pending = $state(false); // another state was asked for, and is not here yet
  wantsText = $state(false); // the sentence's field is waited for
  visiting = $state.raw<number | null>(null); // the stage that is to come into view
  present = $state.raw<readonly number[]>([]); // the stages that have a place on the page
  past = $state.raw<readonly State[]>([]); // what can be undone of the run on screen, and done again
  future = $state.raw<readonly State[]>([]);
  private from: State | null = null; // what a step that is under way can be undone to
  private going: string | null = null; // the change that goes on, by its cell
  private first = $state.raw<Run | null>(null); // the run on screen, before anything was changed
  private other = $state.raw<Run | null>(null); // of another text, a number of which is open
  private wanted = $state.raw<State | null>(null);
  private asked = 0;
  private following: (Change & { cell: string }) | null = null; // asked for while a hand moves, and not sent yet
  trained = $state.raw<{ done: number; of: number } | null>(null); // how far many updates are; set to null, they stop

  readonly connection = new Connection();

  constructor(readonly source: Source) {
    source.follow?.((progress) => (this.progress = this.pending ? progress : null));
  }

  /** One run and no other: a file to be read, or one that holds a toy. */
  get isAlone(): boolean {
    return this.source.ask === null || !!this.run?.isRounded;
  }

  /** What is on screen; before anything is, what was asked for. */
  get state(): State | null {
    return this.run?.state ?? this.wanted;
  }

  /** What is on screen, or will be as soon as it is here. */
  get intended(): State | null {
    return this.pending ? this.wanted : this.state;
  }

  /** Measured as the head on screen sees it. */
  explanation: Explanation | null = $derived.by(() => {
    const { run, view } = this;
    if (!run) return null;
    const own = run.explanation();
    if (!own || (view.layer === null && view.head === null)) return own;
    return run.explanation({ layer: `layer${view.layer ?? 0}`, head: view.head ?? 0 }) ?? own;
  });
  layer: string = $derived(
    this.view.layer !== null ? `layer${this.view.layer}` : (this.explanation?.layer ?? "layer0"),
  );
  head: number = $derived(this.view.head ?? this.explanation?.head ?? 0);
  tokens: readonly string[] = $derived((this.run?.info.tokens as string[] | undefined) ?? []);
  query: number = $derived(Number(this.run?.info.query ?? 0));
  row: number = $derived(Math.min(this.view.row ?? this.query, Math.max(0, this.tokens.length - 1)));
  /** Digits that fit into the cells of a matrix of so many columns. */
  fitting(columns: number, most = 4): number {
    return columns <= 5 ? most : columns <= 8 ? Math.min(most, 3) : 2;
  }

  /** The stage that is looked at, of those that are there. */
  stage: number = $derived(
    this.present.findLast((number) => number <= this.view.stage) ?? this.present[0] ?? this.view.stage,
  );

  /** A text so long that its matrices are drawn as maps: never all cells at once. */
  isLong: boolean = $derived(this.tokens.length > 24);
  target: string | null = $derived((this.run?.info.next as string | null | undefined) ?? null);

  /** By what the scores on screen are divided. */
  get divided(): { scaling: Scaling; width: number | undefined } {
    const told = this.run?.divided?.(this.layer);
    return told ?? { scaling: this.state?.scaling ?? "root", width: this.step("q")?.shape.at(-1) };
  }

  /** The step of this name in the layer on screen, or outside the layers; undefined where the model has none. */
  step(name: string): Outline | undefined {
    return this.run?.steps.get(`${this.layer}.${name}`) ?? this.run?.steps.get(name);
  }

  /** What a step of this layer was computed from: the first of its inputs, the second, … */
  input(name: string, position: number): Outline | undefined {
    const step = this.run?.steps.get(`${this.layer}.${name}.product`) ?? this.step(name);
    return this.run?.steps.get(step?.inputs[position] ?? "");
  }

  /** The position along the first axis that belongs to the head on screen; key/value heads may be shared. */
  lead(step: Outline | undefined): number[] {
    if (!step || !"HG".includes(step.axes[0] ?? "-")) return [];
    const heads = this.step("weights")?.shape[0] ?? 1;
    return [Math.floor((this.head * step.shape[0]!) / heads)];
  }

  /** The place of a step that is on screen: its head, its row; positions of other axes as they are told, or null. */
  place(step: Outline, told: Readonly<Record<string, number | null>> = {}): (number | null)[] {
    return [...step.axes].map((letter) => {
      if (letter in told) return told[letter]!;
      if (letter === "H" || letter === "G") return this.lead(step)[0] ?? 0;
      return letter === "Q" || letter === "T" ? this.row : null;
    });
  }

  /** The numbers of a step of this layer along one axis, at the head and row on screen. */
  line(name: string, told: Readonly<Record<string, number | null>> = {}): Numbers | null {
    const step = this.step(name);
    return step ? this.read(step.name, this.place(step, told)) : null;
  }

  /** One cell of a step of this layer: by positions, and by words as a person would write it. */
  cell(name: string, told: Readonly<Record<string, number>>): { key: string; address: string; at: number[] } {
    const step = this.step(name)!;
    const at = this.place(step, told).map((position) => position ?? 0);
    if (!at.length) return { key: step.name, address: step.name, at };
    const words = [...step.axes].map((letter, axis) => this.run!.labels.word(letter, at[axis]!));
    return { key: `${step.name}[${at.join(",")}]`, address: `${step.name}[${words.join(",")}]`, at };
  }

  /** A number of a table; one that is rounded says so, and has no more digits than it knows. */
  written(value: number, digits: number, row: ArrayLike<number>): string {
    return this.run?.isRounded ? `≈${fixed(value, Math.min(digits, decimalsOf(row)))}` : formatInColumn(value, digits);
  }

  read(step: string, at?: readonly (number | null)[]): Numbers | null {
    return this.run?.read(step, at) ?? null;
  }

  isVeiled = (step: string): boolean => this.guide?.veiled.has(step) ?? false;

  // going somewhere

  /** Show another state: a step that can be undone. */
  async go(wanted: State): Promise<void> {
    this.going = null;
    this.from = this.run?.state ?? null;
    await this.enter(forgetting(wanted, this.state));
  }

  /** What is on screen stays until the other state is there; of several asked for, the last one counts. */
  private async enter(state: State): Promise<boolean> {
    const asked = ++this.asked;
    this.wanted = state;
    this.pending = true;
    try {
      const sameRun = this.run && isSameRun(this.run.state, state) ? this.run : null;
      const next = sameRun ? sameRun.to(state) : this.source.run(state);
      if (next instanceof Promise) {
        const waiting = setTimeout(() => (this.busy = true), PATIENCE);
        try {
          const run = await next;
          if (asked !== this.asked) return false;
          this.show(run);
        } finally {
          clearTimeout(waiting);
          if (asked === this.asked) [this.busy, this.progress] = [false, null];
        }
      } else this.show(next);
      return true;
    } catch (error) {
      if (asked !== this.asked) return false;
      if (this.missed(error, () => asked === this.asked && void this.enter(state))) return false;
      // a link whose changes no longer fit still opens, without them
      if (!this.run && state.changes.length) await this.go({ ...state, changes: [] });
      this.error = messageOf(error);
      return false;
    } finally {
      if (asked === this.asked) this.pending = false;
    }
  }

  /** Whether nobody was reached: then it is asked again later, and one line says so. */
  missed(error: unknown, again: (() => void) | undefined): boolean {
    if (!(error instanceof Unreachable) || !again) return false;
    this.connection.lost(again);
    return true;
  }

  /** What is being waited for, in words. */
  get doing(): string {
    const { wanted, run } = this;
    if (!wanted) return "asking";
    const last = wanted.changes.at(-1);
    const isSame = run && isSameRun(run.state, wanted);
    const words = wanted.text.split(/\s+/).filter(Boolean).length;
    if (isSame && last?.kind === "update")
      return `learning ${last.times ?? 1} ${last.times === 1 ? "update" : "updates"}`;
    const where = this.progress ? whereIn(this.progress) : "";
    return `${isSame ? "computing" : "reading"} ${words} ${words === 1 ? "word" : "words"}${where && `: ${where}`}`;
  }

  /** A text is too long for its model, which says how much it reads. */
  get canReadEnd(): boolean {
    return this.error !== null && TOO_LONG.test(this.error) && !!this.wanted?.text;
  }

  /** Read as many of the last words as the model can; how many tokens they are only the model knows. */
  async readEnd(): Promise<void> {
    for (let tries = 0; tries < 8 && this.wanted; tries++) {
      const found = TOO_LONG.exec(this.error ?? "");
      if (!found) return;
      const [most, got] = [found[1]!, found[2]!].map((written) => Number(written.replaceAll(",", "")));
      const words = this.wanted.text.trim().split(/\s+/);
      const kept = Math.min(words.length - 1, Math.floor((words.length * most!) / got!));
      if (kept < 1) return;
      const { next: _, query: __, ...rest } = this.wanted;
      this.error = null;
      await this.go({ ...rest, text: words.slice(-kept).join(" "), changes: [] });
    }
  }

  /** What takes too long is not waited for. */
  stop(): void {
    this.asked++;
    this.pending = this.busy = false;
    this.progress = null;
    this.from = null;
    this.source.stop?.();
  }

  /** Another text is another run: what was done to the old one does not carry over, nor does the word that should
   * have followed it. */
  readText(written: string): void {
    const [now, text] = [this.intended, written.trim()];
    if (!now || !text || text === now.text) return;
    const { next: _, query: __, ...rest } = now;
    const own = this.models.find(({ name, sentence }) => name === now.model && sentence === text)?.next;
    void this.go({ ...rest, text, ...(own ? { next: own } : {}), changes: [] });
  }

  readNext(written: string): void {
    const [now, next] = [this.intended, written.trim()];
    if (!now || next === (now.next ?? "")) return;
    const { next: _, ...rest } = now;
    void this.go({ ...rest, ...(next ? { next } : {}), changes: [] });
  }

  /** What follows another word of the sentence; nobody has said which word should. */
  predictFrom(word: string): void {
    const now = this.intended;
    if (!now) return;
    const { next: _, query: __, ...rest } = now;
    this.view.row = null;
    void this.go({ ...rest, query: word, changes: [] });
  }

  private show(run: Run): void {
    const sameText = this.run && this.run.state.model === run.state.model && this.run.state.text === run.state.text;
    if (!this.run || !isSameRun(this.run.state, run.state)) [this.past, this.future, this.first] = [[], [], null];
    else if (this.from) [this.past, this.future] = [[...this.past.slice(-MOST_UNDONE), this.from], []];
    this.from = null;
    if (!run.state.changes.length) this.first = run;
    if (this.run && !sameText) this.view = { ...this.view, layer: null, head: null, row: null, cell: null, of: null };
    else if (this.run) this.stay(run);
    this.run = run;
    run.onerror = (error, again) => void (this.missed(error, again) || (this.error = messageOf(error)));
    this.error = null;
    this.connection.back();
    this.busy = false;
  }

  /** A change may make another head the leading one; the one that is looked at stays on screen. */
  private stay(next: Run): void {
    if (this.view.layer !== null || this.view.head !== null) return;
    const [now, then] = [this.run?.explanation(), next.explanation()];
    if (!now || !then) return;
    if (now.layer !== then.layer || now.head !== then.head)
      this.view = { ...this.view, layer: Number(now.layer.replace("layer", "")), head: now.head ?? 0 };
  }

  change(change: Change): Promise<void> {
    return this.state ? this.go(changedBy(this.state, change)) : Promise.resolve();
  }

  /** A change that goes on while a hand moves, or while a key is pressed again: it takes the place of the one before
   * it, and all of it is undone at once. */
  async changeOn(change: Change & { cell: string }): Promise<void> {
    const { state } = this;
    if (!state) return;
    const last = state.changes.at(-1);
    const isSame = last && "cell" in last && last.kind === change.kind && last.cell === change.cell;
    const name = `${change.kind} ${change.cell}`;
    // of a run that is computed elsewhere, one question at a time: the last of those that came meanwhile is asked next
    if (this.pending && this.going === name && !this.run?.isLocal) return void (this.following = change);
    if (this.going !== name) this.from = this.run?.state ?? null;
    this.going = name;
    await this.enter(changedBy(isSame ? undone(state) : state, change));
    const { following } = this;
    this.following = null;
    if (following && this.going === name) await this.changeOn(following);
  }

  /** Many updates of a run that is computed elsewhere, some at a time, until somebody says stop; one step to undo. */
  async train(change: Extract<Change, { kind: "update" }>): Promise<void> {
    const times = change.times ?? 1;
    if (!this.state || this.run?.isLocal || times <= AT_ONCE) return this.change(change);
    const before = this.run?.state ?? null;
    this.going = null;
    this.trained = { done: 0, of: times };
    for (let done = 0; done < times && this.isTraining(); done += AT_ONCE) {
      const now = this.state;
      this.from = done ? null : before;
      const some = { ...change, times: Math.min(AT_ONCE, times - done) };
      if (!(await this.enter(changedBy(now, some)))) break;
      if (this.isTraining()) this.trained = { done: done + some.times, of: times };
    }
    this.trained = null;
  }

  private isTraining(): boolean {
    return this.trained !== null;
  }

  /** A hand takes hold of a number, and lets go of it. */
  begin(): void {
    this.going = null;
    this.isMoving = true;
  }
  finish(): void {
    this.isMoving = false;
  }

  /** The run on screen as it was before anything was changed; null where nothing was. */
  unchanged: Run | null = $derived.by(() => {
    const { run, first } = this;
    if (!run?.state.changes.length) return null;
    if (first && first.state.mask === run.state.mask && first.state.scaling === run.state.scaling) return first;
    const found = run.isLocal ? run.to({ ...run.state, changes: [] }) : null;
    return found instanceof Promise ? null : found;
  });

  /** Back by one step; of a link's changes, of which nobody knows the steps, by one change. */
  async undo(): Promise<void> {
    const { state: now } = this;
    const to = this.past.at(-1) ?? (now?.changes.length ? undone(now) : null);
    if (!now || !to) return;
    this.going = this.from = null;
    const [past, future] = [this.past.slice(0, -1), [...this.future, now]];
    if (await this.enter(to)) [this.past, this.future] = [past, future];
  }

  async redo(): Promise<void> {
    const { state: now } = this;
    const to = this.future.at(-1);
    if (!now || !to) return;
    this.going = this.from = null;
    const [past, future] = [[...this.past, now], this.future.slice(0, -1)];
    if (await this.enter(to)) [this.past, this.future] = [past, future];
  }

  /** As it was before anything was changed or learned. */
  startOver(): void {
    if (this.state) void this.go({ ...this.state, changes: [] });
  }

  /** Without what was typed, dragged or pinned; what was learned stays. */
  reset(): void {
    if (this.state)
      void this.go({ ...this.state, changes: this.state.changes.filter((change) => change.kind === "update") });
  }

  /** Why this word, and not another: to the flow. Without words, the one that follows and its rival. */
  why(word?: string, against?: string): void {
    this.view = { ...this.view, page: "flow", cell: null, of: null };
    const { state } = this;
    if (!state || word === undefined) return;
    const ranked = (this.run?.explanation()?.candidates ?? []).toSorted((a, b) => b.probability - a.probability);
    const rival = against ?? ranked.find((one) => one.word !== word)?.word;
    if (rival !== undefined) void this.go({ ...state, compared: [word, rival] });
  }

  /** Beside another run: the one that is given, else the one that tells most. */
  compare(beside: Beside | null = null): void {
    this.view = { ...this.view, page: "compare", cell: null, of: null, beside };
  }

  /** To one head in the explorer, and to the row of one word. */
  lookAt(layer: number, head: number, row: number | null = null): void {
    const { page } = this.view;
    this.view = { ...this.view, page: page === "flow" ? "explorer" : page, layer, head, row };
  }

  /** Keys are for us where nothing else holds the focus, or where it is inside and nobody types. */
  isHere(event: KeyboardEvent, inside: HTMLElement | null | undefined): boolean {
    const { target } = event;
    if (event.altKey || (target !== document.body && !(target instanceof Node && inside?.contains(target))))
      return false;
    return !(target instanceof HTMLElement && target.closest("input, select, textarea"));
  }

  /** And a key alone is ours where nobody else waits for it. */
  isOurs(event: KeyboardEvent, inside: HTMLElement | null | undefined): boolean {
    const { target } = event;
    if (
      event.ctrlKey ||
      event.metaKey ||
      (target instanceof HTMLElement && target.closest("[role=slider], [role=tab]"))
    )
      return false;
    return this.isHere(event, inside);
  }

  /** Bring a stage into view; a link that names one does. */
  visit(stage: number): void {
    this.view.stage = stage;
    this.visiting = stage;
  }

  // pointing

  point(step: Outline, at: readonly number[]): void {
    this.hover = Object.fromEntries([...step.axes].map((letter, axis) => [letter, at[axis]!]));
    const parts = this.run?.isLocal ? (this.run.why(`${step.name}[${at.join(",")}]`)?.parts ?? []) : [];
    this.reads = new Set(parts.map((part) => part.cell));
  }

  leave(): void {
    this.hover = {};
    this.reads = NOBODY;
  }

  /** Which positions of an axis are under the pointer; tokens, queries and keys are the same words. Written as text, it
   * is the same for whoever the pointer did not come to. */
  pointedAlong(letter: string): string {
    const also = letter === "T" ? ["Q", "K"] : letter === "Q" || letter === "K" ? ["T"] : [];
    return [letter, ...also].map((one) => this.hover[one]).join();
  }

  isPointed(letter: string, position: number): boolean {
    return isAmong(this.pointedAlong(letter), position);
  }

  /** Open a number of the run on screen, or of the run of another text. */
  open(cell: string | null, of: string | null = null): void {
    this.view.cell = cell;
    this.view.of = cell === null ? null : of;
  }

  /** The run whose number is open; null until it is here. */
  get looked(): Pick<Run, "why"> | null {
    const { of } = this.view;
    if (of === null) return this.run;
    if (of === BETWEEN) return this.between;
    if (this.beside?.state.text === of) return this.beside;
    return this.other?.state.text === of && this.other.state.model === this.state?.model ? this.other : null;
  }

  /** Fetch the run of another text, to look into one of its numbers. */
  async look(text: string): Promise<void> {
    if (!this.state || this.looked || text === BETWEEN) return;
    const { next: _, query: __, ...same } = this.state;
    try {
      this.other = await this.source.run({ ...same, text, changes: [] });
      this.other.onerror = (error) => (this.error = messageOf(error));
    } catch (error) {
      this.error = messageOf(error);
    }
  }
}

/** Whether a position is among those that the pointer is on. */
export const isAmong = (pointed: string, position: number): boolean => pointed.split(",").includes(String(position));

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Of another text, the words that were compared are not the ones in question. */
function forgetting(next: State, now: State | null): State {
  if (!next.compared || next.compared !== now?.compared || (next.text === now.text && next.model === now.model))
    return next;
  const { compared: _, ...rest } = next;
  return rest;
}

export const isSameRun = (a: State, b: State): boolean =>
  a.model === b.model &&
  a.toy === b.toy &&
  a.text === b.text &&
  a.next === b.next &&
  a.query === b.query &&
  !a.as_written === !b.as_written;

const KEY = Symbol("explorer");
export const provide = (explorer: Explorer): Explorer => setContext(KEY, explorer);
export const theExplorer = (): Explorer => getContext<Explorer>(KEY);
