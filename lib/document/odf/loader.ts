import { guarded } from "../reader/guarded.ts";
import { loader as spreadsheets } from "../ods/loader.ts";
import type { Loader } from "../types.ts";

/** OpenDocument texts, presentations and spreadsheets, their templates and their flat XML variants. */
export const loader: Loader = {
  load: (bytes, file) =>
    guarded(async () => {
      const { isSpreadsheet, loadOdf } = await import("./load_odf.ts");
      return isSpreadsheet(bytes) ? await spreadsheets.load(bytes, file) : loadOdf(bytes);
    }),
};
