import { guarded } from "../reader/guarded.ts";
import type { Loader } from "../types.ts";

/** Workbooks of Excel before 2007: `.xls`, `.xlt`. */
export const loader: Loader = {
  load: (bytes) => guarded(async () => (await import("./load_xls.ts")).loadXls(bytes)),
};
