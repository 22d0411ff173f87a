/** Starts the served page: a file of its own, since the page forbids scripts inside its HTML. */
import { page } from "./regard.js";

setTimeout(page); // in a task of its own, after the one that made the module ready
