import type { IndexReader } from "../../index/mod.ts";

/** Returns the number of earlier chunks of the file with the same text in the same section. */
export function earlierCopies({ chunks, files }: IndexReader, chunk: number): number {
  const { file, section } = chunks.row(chunk);
  let count = 0;
  for (let other = files[file]!.firstChunk; other < chunk; other++) {
    // The content is compared first, because a file of 100 MB has 90,000 chunks.
    if (chunks.sameContent(other, chunk) && chunks.row(other).section === section) count++;
  }
  return count;
}
