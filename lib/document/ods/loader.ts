import { guarded } from "../reader/guarded.ts";
import { DocumentError, type Loader } from "../types.ts";

/** OpenDocument spreadsheets: `.ods`, `.ots`, `.fods`. */
export const loader: Loader = {
  load: (bytes) =>
    guarded(async () => {
      const { loadFlatOds, loadOds } = await import("./load_ods.ts");
      const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
      if (!isZip) {
        if (bytes.length === 0) throw new DocumentError("damaged", "the file is empty");
        return loadFlatOds(bytes);
      }
      const { Zip } = await import("../zip/mod.ts");
      const zip = new Zip(bytes);
      const type = new TextDecoder().decode(zip.read("mimetype")).trim();
      if (type !== "" && !/opendocument\.spreadsheet(?:-template)?$/.test(type)) {
        throw new DocumentError("unsupported", `the file is of type ${type.slice(0, 100)}`);
      }
      return loadOds(zip);
    }),
};
