import { guarded } from "../guarded.ts";
import type { Loader } from "../types.ts";

/** OpenDocument texts and presentations, their templates and their flat XML variants. */
export const loader: Loader = {
  load: (bytes) => guarded(async () => (await import("./load_odf.ts")).loadOdf(bytes)),
};
