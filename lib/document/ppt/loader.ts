import { guarded } from "../reader/guarded.ts";
import type { Loader } from "../types.ts";

/** PowerPoint presentations of the binary format of 1997 to 2003. */
export const loader: Loader = {
  load: (bytes) => guarded(async () => (await import("./load_ppt.ts")).loadPpt(bytes)),
};
