import type { IndexReader } from "../../index/mod.ts";

/** Texts of chunks closer than this are read at once. */
const MAX_GAP_BYTES = 1 << 14;
const MAX_READ_BYTES = 1 << 20;
/** Of a chunk made larger than this (by `chunks_per_file`) only the beginning is read. */
const MAX_TEXT_BYTES = 8_000_000;

/** Reads the texts of chunks in ascending order. Texts that lie close together in the file are read at once. */
export function* chunkTexts(
  reader: IndexReader,
  chunks: Uint32Array,
): Generator<[chunk: number, text: string]> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const rows = Array.from(chunks, (chunk) => {
    const { textAt, textBytes } = reader.chunks.row(chunk);
    return { chunk, from: textAt, to: textAt + Math.min(textBytes, MAX_TEXT_BYTES) };
  });
  for (let first = 0, next = 0; first < rows.length; first = next) {
    const { from } = rows[first]!;
    let to = rows[first]!.to;
    for (next = first + 1; next < rows.length; next++) {
      const row = rows[next]!;
      if (row.from < from || row.from - to > MAX_GAP_BYTES || row.to - from > MAX_READ_BYTES) break;
      to = Math.max(to, row.to);
    }
    const bytes = reader.textRange(from, to);
    for (const row of rows.slice(first, next)) {
      yield [row.chunk, decoder.decode(bytes.subarray(row.from - from, row.to - from))];
    }
  }
}
