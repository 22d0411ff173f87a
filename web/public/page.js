/** Starts the served page: a file of its own, since the page forbids scripts inside its HTML. */
import { page } from "./regard.js";

page();
