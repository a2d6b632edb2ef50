import { IndexReader, IndexWriter, type NewChunk } from "#engine/index/mod.ts";
import { KEY } from "./_blob_forge.ts";

/** A file of a test index: its path and its chunks. */
export interface TestFile {
  readonly path: string;
  readonly chunks: readonly NewChunk[];
}

/** Returns a chunk whose offsets do not overlap those of chunks with a greater `start`. */
export function chunk(text: string, more: Partial<NewChunk> = {}): NewChunk {
  const start = more.start ?? 0;
  return {
    text,
    context: "",
    start,
    end: start + text.length,
    startLine: 1,
    endLine: 1,
    section: [],
    ...more,
  };
}

/** Returns a file with one chunk for each text. */
export function file(path: string, texts: readonly string[]): TestFile {
  let start = 0;
  const chunks = texts.map((text, i) => {
    const next = chunk(text, { start, startLine: i + 1, endLine: i + 1 });
    start = next.end + 1;
    return next;
  });
  return { path, chunks };
}

/** Metadata of all test indexes. The time is fixed, so that the same input gives the same bytes. */
export const META = {
  settings: "test",
  program: "0.0.0",
  indexedAt: "2026-01-02T03:04:05.000Z",
  root: "/notes",
} as const;

/** Writes an index of `files` to `path`, in the order of their paths. `keep`: paths that are kept from `previous`. */
export async function writeIndex(
  path: string,
  files: readonly TestFile[],
  previous?: IndexReader,
  keep: ReadonlySet<string> = new Set(),
): Promise<void> {
  using target = await Deno.open(path, { create: true, truncate: true, read: true, write: true });
  const writer = new IndexWriter(target, KEY, previous && [previous]);
  const sorted = [...files].sort((a, b) => a.path < b.path ? -1 : 1);
  for (const { path, chunks } of sorted) {
    const known = previous?.files.findIndex((old) => old.path === path) ?? -1;
    const record = { path, size: 1, mtimeMs: 1, sha256: "ab", status: "indexed" } as const;
    if (keep.has(path)) {
      writer.keep(record, known);
      continue;
    }
    writer.beginFile();
    for (const chunk of chunks) writer.addChunk(chunk);
    writer.endFile(record);
  }
  await writer.finish(META, () => Promise.resolve());
}

/** Returns an open index of `files`. Its file is removed when the reader is disposed of. */
export async function buildIndex(files: readonly TestFile[]): Promise<IndexReader> {
  const path = await Deno.makeTempFile({ prefix: "muxue_index_" });
  try {
    await writeIndex(path, files);
    return IndexReader.open(Deno.openSync(path), { key: KEY });
  } finally {
    // An open file can still be read after its removal. On Windows, where it cannot be removed, it stays in the temporary
    // folder.
    await Deno.remove(path).catch(() => {});
  }
}

/** Returns a generator of numbers from 0 to 1 that depend only on `seed` (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = state + 0x6d2b79f5 >>> 0;
    let value = Math.imul(state ^ state >>> 15, 1 | state);
    value = value + Math.imul(value ^ value >>> 7, 61 | value) ^ value;
    return ((value ^ value >>> 14) >>> 0) / 2 ** 32;
  };
}
