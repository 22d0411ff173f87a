/** When nobody answers: one line says so, and what was asked is asked again, after pauses that grow. */

/** A question that reached nobody: it is worth asking again. */
export class Unreachable extends Error {}

const LONGEST = 30; // seconds between two tries

export class Connection {
  tries = $state(0); // 0: somebody answers
  pause = $state(0); // seconds until the next one
  private again = new Set<() => void>();
  private timer = 0;

  /** Nobody answered; `again` asks once more. */
  lost(again: () => void): void {
    this.again.add(again);
    if (this.timer) return;
    this.pause = Math.min(LONGEST, 2 ** this.tries);
    this.tries++;
    this.timer = window.setTimeout(() => this.now(), 1000 * this.pause);
  }

  /** Ask again at once. */
  now(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    const waiting = [...this.again];
    this.again.clear();
    for (const ask of waiting) ask();
  }

  /** Somebody answered: whoever still waits asks again. */
  back(): void {
    if (!this.tries) return;
    this.tries = 0;
    this.now();
  }
}
