/** In a row that is wider than its place, brings the one that is chosen into sight, in the next frame; nothing else of
 * the page moves. To be returned from an effect. */
export function inSight(row: Element | undefined, chosen: string): () => void {
  const frame = requestAnimationFrame(() => {
    const one = row?.querySelector(chosen);
    if (!row || !one || row.scrollWidth <= row.clientWidth) return;
    const [outer, inner] = [row.getBoundingClientRect(), one.getBoundingClientRect()];
    row.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
  });
  return () => cancelAnimationFrame(frame);
}
