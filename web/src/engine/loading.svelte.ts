/** What is being loaded, shown at the edge of the page. */
import { mount } from "svelte";
import LoadingBar from "./Loading.svelte";
import type { Loading } from "./own";

export function shownIn(page: Document): (loading: Loading) => void {
  const shown: { loading: Loading } = $state({ loading: null });
  let isThere = false;
  return (loading) => {
    if (!isThere && loading) {
      isThere = true;
      mount(LoadingBar, { target: page.getElementById("regard") ?? page.body, props: shown });
    }
    shown.loading = loading;
  };
}
