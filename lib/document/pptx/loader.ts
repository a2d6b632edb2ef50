import { guarded } from "../reader/guarded.ts";
import type { Loader } from "../types.ts";

/** PowerPoint presentations: `.pptx`, `.pptm`, `.ppsx`, `.potx`. */
export const loader: Loader = {
  load: (bytes) => guarded(async () => (await import("./load_pptx.ts")).loadPptx(bytes)),
};
