import CFB from "cfb";
import { DocumentError } from "../types.ts";
import { checkCompoundFile } from "./check_compound_file.ts";

/**
 * Returns the streams of a compound file (MS-CFB) by path in lower case, without the name of the root. Streams in folders are
 * left out unless `nested` is set: embedded documents have streams of the same names there. Throws
 * {@linkcode DocumentError} `damaged`.
 */
export function readStreams(bytes: Uint8Array, { nested = false } = {}): Map<string, Uint8Array> {
  checkCompoundFile(bytes);
  const streams = new Map<string, Uint8Array>();
  try {
    const container = CFB.read(bytes, { type: "array" });
    for (const [i, path] of container.FullPaths.entries()) {
      const content = container.FileIndex[i]?.content;
      const name = path.replace(/^[^/]*\//, "").toLowerCase();
      if (content !== undefined && (nested || !name.includes("/"))) {
        streams.set(name, Uint8Array.from(content));
      }
    }
  } catch (error) {
    throw new DocumentError("damaged", "the compound file is cut off or broken", { cause: error });
  }
  return streams;
}
