/** The screen and what holds it (the URL, a notebook) say the same, whichever of them changes. */
import type { Explorer } from "./explorer/explorer.svelte";
import type { Model } from "./render";
import { FIRST_VIEW, type State, type View } from "./state";

export function keepInStep(explorer: Explorer, model: Model): () => void {
  const told = { state: "", view: "" };
  const stop = $effect.root(() => {
    $effect(() => {
      const [state, view] = [explorer.state, $state.snapshot(explorer.view)]; // plain data: a notebook copies it
      if (!state || explorer.isMoving || explorer.pending) return; // told when it is there, or the hand rests
      const written = { state: JSON.stringify(state), view: JSON.stringify(view) };
      if (written.state === told.state && written.view === told.view) return;
      Object.assign(told, written);
      model.set("state", state);
      model.set("view", view);
      model.save_changes();
    });
  });
  const onView = (): void => {
    const view = model.get("view") as Partial<View> | undefined;
    if (!view || JSON.stringify(view) === told.view) return;
    const stage = explorer.view.stage;
    explorer.view = { ...FIRST_VIEW, ...view };
    if (view.stage && view.stage !== stage) explorer.visit(view.stage);
  };
  const onState = (): void => {
    const state = model.get("state") as State | undefined;
    if (state && JSON.stringify(state) !== told.state) void explorer.go(state);
  };
  model.on("change:view", onView);
  model.on("change:state", onState);
  return () => {
    stop();
    model.off?.("change:view", onView);
    model.off?.("change:state", onState);
  };
}
