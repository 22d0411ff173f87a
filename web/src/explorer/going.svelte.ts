/** From one state to another: asked for, waited for, shown, undone and done again. */
import { Connection, Unreachable } from "../connection.svelte";
import { whereIn, type Progress } from "../run/progress";
import { changedBy, undone, type Run } from "../run/run";
import type { Change, State } from "../state";
import { Shown } from "./shown.svelte";
import type { Source } from "./source";

const AT_ONCE = 10; // updates in one question
const PATIENCE = 400; // ms until work is said to be going on
const MOST_UNDONE = 200; // steps

export class Going extends Shown {
  error = $state<string | null>(null);
  busy = $state(false);
  progress = $state.raw<Progress | null>(null); // of what is waited for, where it is known
  isMoving = $state(false); // a hand is on a number: where it comes to rest is not known yet
  past = $state.raw<readonly State[]>([]); // what can be undone of the run on screen, and done again
  future = $state.raw<readonly State[]>([]);
  trained = $state.raw<{ done: number; of: number } | null>(null); // how far many updates are; set to null, they stop
  private from: State | null = null; // what a step that is under way can be undone to
  private going: string | null = null; // the change that goes on, by its cell
  private first = $state.raw<Run | null>(null); // the run on screen, before anything was changed
  private asked = 0;
  private following: (Change & { cell: string }) | null = null; // asked for while a hand moves, and not sent yet

  readonly connection = new Connection();

  constructor(source: Source) {
    super(source);
    source.follow?.((progress) => (this.progress = this.pending ? progress : null));
  }

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
        const waiting = setTimeout(() => (this.busy ||= asked === this.asked), PATIENCE);
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

  /** What takes too long is not waited for. */
  stop(): void {
    this.asked++;
    this.pending = this.busy = false;
    this.progress = null;
    this.from = null;
    this.source.stop?.();
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
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

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
