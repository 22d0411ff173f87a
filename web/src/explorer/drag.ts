/** Dragging a share sideways: 200 pixels are the whole of it. A press without a movement stays a click. */
import type { Action } from "svelte/action";

export interface Drag {
  enabled: boolean;
  value: () => number;
  onmove: (value: number) => void;
}

const WHOLE = 200; // pixels
const STILL = 4; // pixels that are a trembling hand

export const drag: Action<HTMLElement, Drag> = (node, first) => {
  let options = first;
  let begun: { x: number; value: number; moving: boolean } | null = null;
  let waiting = 0;

  function down(event: PointerEvent): void {
    if (!options.enabled || event.button !== 0) return;
    begun = { x: event.clientX, value: options.value(), moving: false };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", up, { once: true });
  }
  function move(event: PointerEvent): void {
    if (!begun) return;
    const by = event.clientX - begun.x;
    if (!begun.moving && Math.abs(by) < STILL) return;
    begun.moving = true;
    const value = Math.round(Math.min(1, Math.max(0, begun.value + by / WHOLE)) * 1000) / 1000;
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => options.onmove(value));
  }
  function up(): void {
    window.removeEventListener("pointermove", move);
    if (begun?.moving) {
      // the click that ends a drag is no click
      const swallow = (event: Event): void => event.stopPropagation();
      window.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => window.removeEventListener("click", swallow, { capture: true }));
    }
    begun = null;
  }

  node.addEventListener("pointerdown", down);
  return {
    update: (next) => (options = next),
    destroy() {
      node.removeEventListener("pointerdown", down);
      window.removeEventListener("pointermove", move);
    },
  };
};
