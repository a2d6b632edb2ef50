import { guarded } from "../reader/guarded.ts";
import type { Loader } from "../types.ts";

/** Word documents: `.docx`, `.docm`, `.dotx`. */
export const loader: Loader = {
  load: (bytes) => guarded(async () => (await import("./load_docx.ts")).loadDocx(bytes)),
};
