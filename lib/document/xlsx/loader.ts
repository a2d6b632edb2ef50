import { guarded } from "../reader/guarded.ts";
import type { Loader } from "../types.ts";

/** Excel workbooks: `.xlsx`, `.xlsm`, `.xltx`, `.xltm`. */
export const loader: Loader = {
  load: (bytes) => guarded(async () => (await import("./load_xlsx.ts")).loadXlsx(bytes)),
};
