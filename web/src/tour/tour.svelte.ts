/** The tour: a walk through the explorer itself, from stage to stage, by itself or by hand. Where somebody was is
 * remembered, where a browser remembers anything. */
import { getContext, setContext } from "svelte";
import type { Explorer } from "../explorer/explorer.svelte";
import { FIRST_STATE } from "../state";
import { SECONDS, STOPS, type Stop } from "./stops";

const KEPT = "regard.tour";

export class Tour {
  at = $state<number | null>(null); // the stop; null: nobody is on the way
  isPlaying = $state(false);
  reached = $state(remembered());
  height = $state(0); // px of the screen's foot that it covers
  private timer = 0;

  constructor(private readonly explorer: Explorer) {}

  get stop(): Stop | null {
    return this.at === null ? null : STOPS[this.at]!;
  }

  /** From the first stop, or from where somebody was; it plays, unless motion is not wanted. */
  begin(): void {
    const { explorer } = this;
    const isToy = explorer.run?.isLocal && explorer.step("scores") && explorer.run.steps.has("loss");
    explorer.view = { ...explorer.view, page: "explorer", cell: null };
    if (!isToy) void explorer.go(FIRST_STATE);
    this.to(this.reached > 0 && this.reached < STOPS.length - 1 ? this.reached : 0);
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) this.play();
  }

  to(number: number): void {
    if (number < 0 || number >= STOPS.length) return;
    this.at = this.reached = number;
    remember(number);
    this.explorer.visit(STOPS[number]!.stage);
    if (this.isPlaying) this.play();
  }

  play(): void {
    clearTimeout(this.timer);
    if (this.at === STOPS.length - 1) this.at = this.reached = 0;
    this.isPlaying = true;
    this.timer = window.setTimeout(() => {
      if (this.at === null) return;
      if (this.at + 1 < STOPS.length) this.to(this.at + 1);
      if (this.at === STOPS.length - 1) this.pause();
    }, 1000 * SECONDS);
  }

  pause(): void {
    clearTimeout(this.timer);
    this.isPlaying = false;
  }

  /** Stay where one is: the explorer is what the tour walks through. */
  end(): void {
    this.pause();
    this.at = null;
    this.explorer.leave();
  }
}

function remembered(): number {
  try {
    const kept = Number(localStorage.getItem(KEPT) ?? 0);
    return Number.isInteger(kept) && kept >= 0 && kept < STOPS.length ? kept : 0;
  } catch {
    return 0; // a browser may be told to store nothing
  }
}

function remember(number: number): void {
  try {
    localStorage.setItem(KEPT, String(number));
  } catch {
    // as above
  }
}

const KEY = Symbol("tour");
export const provideTour = (tour: Tour): Tour => setContext(KEY, tour);
export const theTour = (): Tour => getContext<Tour>(KEY);
