/** What runs in the worker: nothing but the engine. */
import { serve, type Line } from "./worker";

serve(self as unknown as Line);
