/** Starts the hosted page: a file of its own, since the page forbids scripts inside its HTML. */
import { site } from "./regard.js";

site();
