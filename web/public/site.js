/** Starts the hosted page: a file of its own, since the page forbids scripts inside its HTML. */
import { site } from "./regard.js";

setTimeout(site); // in a task of its own, after the one that made the module ready
