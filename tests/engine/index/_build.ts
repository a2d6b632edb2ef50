import { IndexReader, IndexWriter, MemoryFile, type NewChunk } from "#engine/index/mod.ts";
import { KEY } from "./_blob_forge.ts";

/** A file of a test index: its path and its chunks. */
export interface TestFile {
  readonly path: string;
  readonly title?: string;
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

/** The record of a file of a test index. */
export function recordOf(path: string) {
  return { path, size: 1, mtimeMs: 1, sha256: "ab", status: "indexed" } as const;
}

/** Returns the bytes of a file in memory. */
export function bytesOf(file: MemoryFile): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(file.statSync().size);
  file.seekSync(0);
  file.readSync(bytes);
  return bytes;
}

/** Returns bytes as a file in memory. */
export function fileOf(bytes: Uint8Array): MemoryFile {
  const file = new MemoryFile();
  file.writeSync(bytes);
  return file;
}

/** Opens an index that consists of these bytes. */
export function opened(bytes: Uint8Array): IndexReader {
  return IndexReader.open(fileOf(bytes), { key: KEY });
}

/** Returns an index of `files`, in the order of their paths. `keep`: paths that are kept from `previous`. */
export async function indexBytes(
  files: readonly TestFile[],
  previous?: IndexReader,
  keep: ReadonlySet<string> = new Set(),
): Promise<Uint8Array<ArrayBuffer>> {
  const target = new MemoryFile();
  const writer = new IndexWriter(target, KEY, previous && [previous]);
  for (const { path, title, chunks } of files.toSorted((a, b) => a.path < b.path ? -1 : 1)) {
    if (keep.has(path)) {
      writer.keep(recordOf(path), previous!.files.findIndex((old) => old.path === path));
      continue;
    }
    writer.beginFile();
    for (const chunk of chunks) writer.addChunk(chunk);
    writer.endFile({ ...recordOf(path), ...(title === undefined ? {} : { title }) });
  }
  await writer.finish(META);
  return bytesOf(target);
}

/** Returns an open index of `files`. */
export async function buildIndex(files: readonly TestFile[]): Promise<IndexReader> {
  return opened(await indexBytes(files));
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
