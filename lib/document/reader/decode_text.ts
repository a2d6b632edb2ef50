import { bytesToText } from "../../corpus/mod.ts";
import type { FileName } from "../loader.ts";

/** Returns the decoded text of a file. Throws the errors of `bytesToText`. */
export async function decodeText(bytes: Uint8Array, { path, encoding }: FileName): Promise<string> {
  return (await bytesToText(bytes, { path, encoding })).text;
}
