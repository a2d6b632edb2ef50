import { createHash } from "node:crypto";
import type { ChunkIdentity, StoredChunk } from "../store/mod.ts";
import type { FoundChunk } from "./collection_types.ts";

/**
 * The stable name of a chunk: 16 hexadecimal digits of the SHA-256 of path, section path and content hash. Chunks with the
 * same text in the same section are numbered.
 */
export function chunkId(
  { index, file }: Pick<FoundChunk, "index" | "file">,
  { section }: Pick<StoredChunk, "section">,
  { contentHash, earlierCopies }: ChunkIdentity,
): string {
  const copy = earlierCopies > 0 ? [earlierCopies] : [];
  const name = [index.files[file]!.path, ...section, contentHash.toHex(), ...copy].join("\u0000");
  return createHash("sha256").update(name).digest("hex").slice(0, 16);
}
