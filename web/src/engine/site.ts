/** The hosted page: a folder of files, no server. */
import { Entry } from "../entry";
import type { Links } from "../explorer/source";
import { inTheURL } from "../page";
import { render } from "../render";
import { beside } from "./beside";
import { shownIn } from "./loading.svelte";
import { ownSource } from "./own";

export function site(): void {
  const place = document.getElementById("regard");
  if (!place) return;
  const source = ownSource(beside, shownIn(document));
  const links = async (): Promise<Links> => ({
    site: location.href.replace(/#.*$/s, ""),
    models: (await source.models()).map(({ name }) => name),
  });
  render({ model: inTheURL(new Entry(""), { ...source, links }), el: place });
}
