/** What the bundle gives away: `render` for the notebook and the offline file, `page` for the served page. */
import { page } from "./page";
import { render } from "./render";

export { page, render };
export default { render };
