import { bytesToText } from "../../corpus/mod.ts";
import type { FileName } from "../loader.ts";

/** The text of a file in a text format. Throws what `bytesToText` throws. */
export async function decodeText(bytes: Uint8Array, { path, encoding }: FileName): Promise<string> {
  return (await bytesToText(bytes, { path, encoding })).text;
}
