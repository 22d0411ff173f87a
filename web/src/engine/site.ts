/** The hosted page: a folder of files, no server. */
import { Entry } from "../entry";
import { inTheURL } from "../page";
import { render } from "../render";
import { beside } from "./beside";
import { shownIn } from "./loading.svelte";
import { ownSource } from "./own";

export function site(): void {
  const place = document.getElementById("regard");
  if (place) render({ model: inTheURL(new Entry(""), ownSource(beside, shownIn(document))), el: place });
}
