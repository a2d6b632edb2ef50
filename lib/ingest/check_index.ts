import { createHash } from "node:crypto";
import { DamagedIndexError, HASH_BYTES, LANGUAGE_CODES, type StoredFile } from "../index/mod.ts";
import type { ChunkIdentity, OpenIndex, StoredChunk } from "../store/mod.ts";

/** Chunks that are read at once. */
const BATCH = 256;
/** The greatest length of a stored vector. It is 1 before it is rounded to int8. */
const MAX_COSINE = 1.05;

const LANGUAGES: ReadonlySet<number> = new Set(Object.values(LANGUAGE_CODES));

/** A chunk with everything that is stored about it. */
interface WholeChunk {
  readonly stored: StoredChunk;
  readonly identity: ChunkIdentity;
  readonly text: string;
}

/**
 * Checks an index whose bytes were verified: that its parts agree with each other. Files have different paths and share out
 * the chunks, every chunk has a text with the stored hash, offsets, lines and pages within its file, and a vector where the
 * index has vectors, and the statistics are the sums. `pause` is awaited between pieces of the work, with the number of
 * chunks so far. Throws {@linkcode DamagedIndexError} with the first contradiction.
 */
export async function checkIndex(index: OpenIndex, pause: (chunks: number) => Promise<void>): Promise<void> {
  checkFiles(index);
  const { statistics, vectors } = index;
  let tokens = 0;
  let before: StoredChunk | undefined;
  for (let from = 0; from < statistics.chunks; from += BATCH) {
    const numbers = Int32Array.from(
      { length: Math.min(BATCH, statistics.chunks - from) },
      (_, i) => from + i,
    );
    const [stored, identities, texts] = await Promise.all([
      index.chunks(numbers),
      index.identities(numbers),
      index.texts(numbers, Infinity),
    ]);
    for (const [i, chunk] of numbers.entries()) {
      const whole = { stored: stored[i]!, identity: identities[i]!, text: texts[i]! };
      checkChunk(chunk, whole, before, index.files);
      before = whole.stored;
      tokens += whole.stored.tokens;
    }
    if (vectors !== undefined) await checkVectors(index, numbers, vectors.dimensions);
    await pause(from + numbers.length);
  }
  const sum = (of: (language: OpenIndex["statistics"]["languages"][number]) => number) =>
    statistics.languages.reduce((total, language) => total + of(language), 0);
  check(tokens === statistics.tokens && tokens === sum(({ tokens }) => tokens), "number of tokens");
  check(statistics.chunks === sum(({ chunks }) => chunks), "number of chunks by language");
}

function checkFiles({ files, statistics }: OpenIndex): void {
  const paths = new Set<string>();
  let next = 0;
  for (const { path, status, firstChunk, chunkCount } of files) {
    check(!paths.has(path), `two records of the file ${path}`);
    paths.add(path);
    check(firstChunk === next, `chunks of the file ${path}`);
    check((status === "indexed") === (chunkCount > 0), `number of chunks of the file ${path}`);
    next += chunkCount;
  }
  check(next === statistics.chunks, "number of chunks");
}

function checkChunk(
  chunk: number,
  { stored, identity, text }: WholeChunk,
  before: StoredChunk | undefined,
  files: readonly StoredFile[],
): void {
  const { file, start, end, startLine, endLine, page, pages = [], language } = stored;
  const record = files[file];
  const isIn = record !== undefined && chunk >= record.firstChunk &&
    chunk < record.firstChunk + record.chunkCount;
  check(isIn, `file of chunk ${chunk}`);
  const follows = before?.file !== file || start >= before.start && startLine >= before.startLine;
  check(start < end && follows, `offsets of chunk ${chunk}`);
  check(startLine >= 1 && startLine <= endLine, `lines of chunk ${chunk}`);
  check(
    page === undefined || page >= 1 && (record.pages === undefined || page <= record.pages),
    `page of chunk ${chunk}`,
  );
  check(
    pages.every(({ number, at }, i) =>
      number <= (record.pages ?? 0) && at < end - start && (i === 0 ? at === 0 : at > pages[i - 1]!.at)
    ),
    `pages of chunk ${chunk}`,
  );
  check(LANGUAGES.has(language), `language of chunk ${chunk}`);
  // The head of a table may precede the part of the document.
  check(text.length >= end - start, `length of the text of chunk ${chunk}`);
  const hash = createHash("sha256").update(text).digest().subarray(0, HASH_BYTES);
  check(hash.equals(identity.contentHash), `text of chunk ${chunk}`);
}

/** Checks that the chunks have vectors of numbers, of length 1 or 0. */
async function checkVectors(index: OpenIndex, chunks: Int32Array, dimensions: number): Promise<void> {
  const vector = new Float32Array(dimensions).fill(1 / Math.sqrt(dimensions));
  const cosines = await index.cosines({ vector, model: undefined }, chunks);
  check(cosines.length === chunks.length, "number of vectors");
  for (const [i, cosine] of cosines.entries()) {
    check(Math.abs(cosine) <= MAX_COSINE, `vector of chunk ${chunks[i]}`);
  }
}

function check(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new DamagedIndexError(problem);
}
