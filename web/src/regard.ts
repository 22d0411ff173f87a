/** What the bundle gives away: `render` for the notebook and the offline file, `page` for the served page, `site` for
 * the hosted one. */
import { site } from "./engine/site";
import { page } from "./page";
import { render } from "./render";

export { page, render, site };
export default { render };
