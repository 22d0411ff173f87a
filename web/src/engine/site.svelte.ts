/** The hosted page: a folder of files, no server. */
import { mount } from "svelte";
import { Entry } from "../entry";
import { inTheURL } from "../page";
import { render } from "../render";
import { beside } from "./beside";
import LoadingBar from "./Loading.svelte";
import { ownSource, type Loading } from "./own";

/** A source, and an element that shows what it is loading. */
export function site(): void {
  const place = document.getElementById("regard");
  if (!place) return;
  const shown: { loading: Loading } = $state({ loading: null });
  const source = ownSource(beside, (loading) => (shown.loading = loading));
  render({ model: inTheURL(new Entry(""), source), el: place });
  mount(LoadingBar, { target: place, props: shown });
}
