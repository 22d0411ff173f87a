/** A page that is too much for one task is drawn in turns, so that no hand is kept waiting: after each frame one part
 * more. To be called where a component begins; `over` is told when the last part is there. */
export function turns(count: number, over: () => void): { readonly taken: number } {
  let taken = $state(0);
  $effect(() => {
    let [frame, task] = [0, 0];
    // not in the frame itself, which lays out and paints the part before
    const next = (): void => void (frame = requestAnimationFrame(() => (task = window.setTimeout(take))));
    const take = (): void => {
      taken += 1;
      if (taken < count) next();
      else over();
    };
    next();
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(task);
    };
  });
  return {
    get taken() {
      return taken;
    },
  };
}
