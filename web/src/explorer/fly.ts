/** Numbers fly from where they stand on the page into the equation that they are read by. */
import type { Run } from "../run/run";
import { findCell } from "../trace/address";

const LONG = 520; // ms
const MOST = 24; // numbers that fly

/** One name for a cell, however its place is written. */
function keyOf(address: string, run: Run): string | null {
  try {
    const { step, at } = findCell(address, run.steps as never, run.labels);
    return `${(step as { name: string }).name}[${at.join(",")}]`;
  } catch {
    return null; // of another run, or measured
  }
}

export function fly(into: HTMLElement, run: Run): void {
  const operands = [...into.querySelectorAll<HTMLElement>(".number[data-cell]")].slice(0, MOST);
  if (!operands.length || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const wanted = new Map<string, HTMLElement>();
  for (const operand of operands) {
    const key = keyOf(operand.dataset.cell!, run);
    if (key && !wanted.has(key)) wanted.set(key, operand);
  }
  const page = into.closest(".regard") ?? document.body;
  for (const from of page.querySelectorAll<HTMLElement>("button[data-cell]")) {
    if (!wanted.size) return;
    const key = into.contains(from) ? null : keyOf(from.dataset.cell!, run);
    const to = key === null ? undefined : wanted.get(key);
    if (!to || key === null) continue;
    const [start, end] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
    if (!start.width || start.bottom < 0 || start.top > innerHeight) continue;
    wanted.delete(key);
    flown(page, to, start, end);
  }
}

function flown(page: Element, to: HTMLElement, start: DOMRect, end: DOMRect): void {
  const ghost = document.createElement("span");
  ghost.textContent = to.textContent;
  ghost.className = "flying";
  ghost.setAttribute("aria-hidden", "true");
  Object.assign(ghost.style, {
    ...{ position: "fixed", left: `${end.left}px`, top: `${end.top}px`, zIndex: "20", pointerEvents: "none" },
    ...{ font: getComputedStyle(to).font, color: "var(--a-ink)", fontWeight: "650" },
  });
  page.append(ghost);
  const by = `translate(${start.left - end.left}px, ${start.top - end.top}px)`;
  const motion = ghost.animate(
    [{ transform: by, opacity: 0.4 }, { transform: by, opacity: 1, offset: 0.15 }, { transform: "none", opacity: 1 }],
    { duration: LONG, easing: "cubic-bezier(0.3, 0, 0.2, 1)" },
  ); // prettier-ignore
  to.animate([{ opacity: 0.1 }, { opacity: 0.1, offset: 0.85 }, { opacity: 1 }], { duration: LONG });
  motion.onfinish = motion.oncancel = () => ghost.remove();
}
