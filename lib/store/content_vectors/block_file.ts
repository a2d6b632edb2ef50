import { createHash } from "node:crypto";
import { MAX_DIMENSIONS } from "../../limits.ts";
import { fileError, fillSync, isMissing, type OwnFolder, type ReadableFile } from "../../sandbox/mod.ts";
import { BLOCK_RECORDS, HEADER_BYTES, type VectorBlock, type VectorBlocks } from "./vector_blocks.ts";

/** Bytes read at once. */
const PIECE_BYTES = 1 << 20;

/** Returns the name of the file with the vectors of a model. Those of a server have names of their own: they were paid for. */
export function vectorFileName(model: string): string {
  const kind = model.startsWith("local") ? "neural" : "server";
  return `${kind}-${createHash("sha256").update(model).digest("hex").slice(0, 16)}.vec`;
}

/** End of the name of a file that is to take the place of another. */
export const NEW_END = ".new";

/** Whether a name is that of a file with vectors of a local model, finished or not. */
export function isLocalVectorFile(name: string): boolean {
  return /^neural-[0-9a-f]{16}\.vec(\.new)?$/.test(name);
}

/**
 * Opens the file of a model for reading. Returns `undefined` if there is none, or one of another layout, model or key.
 * Throws `data_folder_unsafe`, and the errors of the system.
 */
export function openBlocks(
  folder: OwnFolder,
  name: string,
  layout: VectorBlocks,
  access: "read" | "write",
): ReadableFile | undefined {
  let file: ReadableFile;
  try {
    if (!folder.exists() || folder.look(name) === undefined) return undefined;
    file = folder.open(name, access);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw fileError(error, folder.at(name));
  }
  const header = new Uint8Array(HEADER_BYTES);
  if (fillSync(file, header) === HEADER_BYTES && layout.isHeader(header)) return file;
  file.close();
  return undefined;
}

/** Returns the dimensions in the header of a file, if it is a header of the layout that `layoutOf` makes for them. */
export function dimensionsIn(
  folder: OwnFolder,
  name: string,
  layoutOf: (dimensions: number) => VectorBlocks,
): number | undefined {
  try {
    if (!folder.exists() || folder.look(name) === undefined) return undefined;
    using file = folder.open(name, "read");
    const header = new Uint8Array(HEADER_BYTES);
    if (fillSync(file, header) !== HEADER_BYTES) return undefined;
    const dimensions = new DataView(header.buffer).getUint32(12, true);
    if (dimensions < 1 || dimensions > MAX_DIMENSIONS) return undefined;
    return layoutOf(dimensions).isHeader(header) ? dimensions : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw fileError(error, folder.at(name));
  }
}

/** Calls `take` with each sound block of a file from the offset `from` on. Returns the offset after the last of them. */
export function readBlocks(
  file: ReadableFile,
  layout: VectorBlocks,
  from: number,
  take: (block: VectorBlock) => void,
): number {
  const piece = new Uint8Array(Math.max(PIECE_BYTES, layout.bytesOf(BLOCK_RECORDS)));
  let at = from;
  for (;;) {
    file.seekSync(at, Deno.SeekMode.Start);
    const filled = piece.subarray(0, fillSync(file, piece));
    let used = 0;
    for (;;) {
      const block = layout.read(filled.subarray(used));
      if (block === undefined) break;
      take(block);
      used += block.bytes;
    }
    at += used;
    if (used === 0 || filled.length < piece.length) return at;
  }
}
