import { createHash } from "node:crypto";
import type { IndexReader } from "../index/mod.ts";

/**
 * The stable name of a chunk: 16 hexadecimal digits of the SHA-256 of path, section path and content hash; the same text
 * again in the same section is told apart by counting.
 */
export function chunkId(reader: IndexReader, chunk: number): string {
  const { file, section } = reader.chunks.row(chunk);
  const { path, firstChunk } = reader.files[file]!;
  const hash = reader.chunks.hash(chunk).toHex();
  let before = 0;
  for (let other = firstChunk; other < chunk; other++) {
    // contents first: a file of 100 MB has 90,000 chunks
    if (reader.chunks.sameContent(other, chunk) && reader.chunks.row(other).section === section) before++;
  }
  const name = [path, ...reader.sections.get(section), hash, ...(before > 0 ? [before] : [])].join("\u0000");
  return createHash("sha256").update(name).digest("hex").slice(0, 16);
}
