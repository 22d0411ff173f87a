/** The one store of a screen: what is on it, how it goes on, what a hand can ask of it. Every component reads it. */
import { getContext, setContext } from "svelte";
import type { Run } from "../run/run";
import type { Beside } from "../state";
import { Going, messageOf } from "./going.svelte";
import type { Model } from "./source";

const TOO_LONG = /reads at most ([\d,]+) tokens, got ([\d,]+)/;
export const BETWEEN = "①②"; // in the place of a text: a number of two runs that are compared

export class Explorer extends Going {
  models = $state.raw<Model[]>([]);
  isCompact = $state(false); // a notebook's cell: the opening scene alone, until everything is asked for
  dropped = $state.raw<{ name: string; text: string } | null>(null); // a file, for the scene that is gone to
  said = $state(""); // for screen readers: what an action did
  wantsText = $state(false); // the sentence's field is waited for
  visiting = $state.raw<number | null>(null); // the stage that is to come into view
  beside = $state.raw<Run | null>(null); // that a scene draws besides the one on screen
  between = $state.raw<Pick<Run, "why"> | null>(null); // two runs that are compared: their numbers, and the differences
  private other = $state.raw<Run | null>(null); // of another text, a number of which is open

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

const KEY = Symbol("explorer");
export const provide = (explorer: Explorer): Explorer => setContext(KEY, explorer);
export const theExplorer = (): Explorer => getContext<Explorer>(KEY);
