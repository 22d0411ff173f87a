/** Dragging a share sideways. On a track the share is where the pointer is, and a press is enough; elsewhere 200 pixels
 * are the whole of it, and a press without a movement stays a click. */
import type { Action } from "svelte/action";

export interface Drag {
  enabled: boolean;
  value: () => number;
  onmove: (value: number) => void;
  onbegin?: () => void;
  onend?: () => void;
  isTrack?: boolean; // the node's left edge is 0, its right edge 1
}

const WHOLE = 200; // pixels
const STILL = 4; // pixels that are a trembling hand
const within = (share: number, parts: number): number => Math.round(Math.min(1, Math.max(0, share)) * parts) / parts;

export const drag: Action<HTMLElement, Drag> = (node, first) => {
  let options = first;
  let begun: { x: number; value: number; moving: boolean } | null = null;
  let waiting = 0;

  function share(event: PointerEvent): number {
    if (!options.isTrack) return within(begun!.value + (event.clientX - begun!.x) / WHOLE, 1000);
    const { left, width } = node.getBoundingClientRect();
    return within((event.clientX - left) / width, 100);
  }
  function show(value: number): void {
    if (!begun) return;
    if (!begun.moving) options.onbegin?.();
    begun.moving = true;
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => options.onmove(value));
  }
  function down(event: PointerEvent): void {
    if (!options.enabled || event.button !== 0) return;
    begun = { x: event.clientX, value: options.value(), moving: false };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", up, { once: true });
    window.addEventListener("pointercancel", up, { once: true });
    if (options.isTrack) show(share(event));
  }
  function move(event: PointerEvent): void {
    if (!begun || (!begun.moving && Math.abs(event.clientX - begun.x) < STILL)) return;
    show(share(event));
  }
  function up(): void {
    window.removeEventListener("pointermove", move);
    window.removeEventListener("pointerup", up);
    window.removeEventListener("pointercancel", up);
    if (begun?.moving) {
      // the click that ends a drag is no click
      const swallow = (event: Event): void => event.stopPropagation();
      window.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => window.removeEventListener("click", swallow, { capture: true }));
      requestAnimationFrame(() => options.onend?.()); // after the last movement
    }
    begun = null;
  }

  node.addEventListener("pointerdown", down);
  return {
    update: (next) => (options = next),
    destroy() {
      node.removeEventListener("pointerdown", down);
      up();
    },
  };
};
