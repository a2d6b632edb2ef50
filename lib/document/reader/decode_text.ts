import { bytesToText } from "../../corpus/mod.ts";
import { UserError } from "../../errors.ts";
import type { FileName } from "../loader.ts";
import { DocumentError } from "../types.ts";

/** Returns the decoded text of a file. Throws {@linkcode DocumentError} `unsupported` if its encoding is not recognised. */
export async function decodeText(bytes: Uint8Array, { path, encoding }: FileName): Promise<string> {
  try {
    return (await bytesToText(bytes, { path, encoding })).text;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new DocumentError("unsupported", "its encoding is not recognised", { cause: error });
  }
}
