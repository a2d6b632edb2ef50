import { guarded } from "../reader/guarded.ts";
import type { Loader } from "../types.ts";

/** Rich Text Format. */
export const loader: Loader = {
  load: (bytes) => guarded(async () => (await import("./load_rtf.ts")).loadRtf(bytes)),
};
