import { UserError } from "../../errors.ts";
import { decodeText } from "../reader/decode_text.ts";
import { guarded } from "../reader/guarded.ts";
import { DocumentError, type FileName, type Loader } from "../types.ts";

/** Tables as text: `.csv`, `.tsv`, `.psv`, `.tab`, whatever their delimiter. */
export const loader: Loader = {
  load: (bytes, file) =>
    guarded(async () => (await import("./load_csv.ts")).loadCsv(await textOf(bytes, file), file.path)),
};

async function textOf(bytes: Uint8Array, file: FileName): Promise<string> {
  try {
    return await decodeText(bytes, file);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new DocumentError("unsupported", "its encoding is not recognised", { cause: error });
  }
}
