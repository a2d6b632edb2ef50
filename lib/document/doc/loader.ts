import { guarded } from "../reader/guarded.ts";
import type { Loader } from "../types.ts";

/** Word documents of the binary format of 1997 to 2003. */
export const loader: Loader = {
  load: (bytes) => guarded(async () => (await import("./load_doc.ts")).loadDoc(bytes)),
};
