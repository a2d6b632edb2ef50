/** Checks every byte of an index, and compares its contents with the folder. */
import { join } from "node:path";
import { createHash } from "node:crypto";
import type { Config } from "#foundation/configuration/mod.ts";
import { readFileBytes } from "#library/corpus/mod.ts";
import { formatOf } from "#documents/mod.ts";
import { Extractor } from "#library/extract/mod.ts";
import { DamagedIndexError, HASH_BYTES, LANGUAGE_CODES, type StoredFile } from "#engine/index/mod.ts";
import { message } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import { lookAt } from "#foundation/boundary/mod.ts";
import {
  type ChunkIdentity,
  hasFilesHere,
  type OpenIndex,
  openStore,
  type StoreAccess,
  type StoredChunk,
} from "#library/store/mod.ts";
import { openForReport, placeOf, reasonText, staleOf } from "./status.ts";
import {
  type IngestSettings,
  type RebuildReason,
  settingsChanged,
  settingsName,
  storeSettings,
  unreadable,
} from "./settings.ts";
import { ProgressReporter } from "./progress_reporter.ts";
import { withoutChunks } from "./read_file.ts";
import type { FileFailure, FolderStatus, IngestContext, IngestProgress } from "./types.ts";
import { hasSameStat, type PlannedFile, planUpdate, type UpdatePlan } from "./update_plan.ts";

/** Changed paths that a report names at most. */
const PATHS_NAMED = 20;
/** Chunks whose texts are compared at once. */
const BATCH = 256;

/** Options of {@linkcode verifyFolder}. */
export interface VerifyOptions {
  /** Whether the content of every file is read and compared, beside its size and times. */
  readonly deep?: boolean;
  readonly onProgress?: (progress: IngestProgress) => void;
  /** Stops the check, which then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** The result of checking the index of a folder. */
export interface FolderCheck extends
  Pick<
    FolderStatus,
    | "root"
    | "detail"
    | "indexedAt"
    | "files"
    | "chunks"
    | "indexBytes"
    | "store"
    | "stale"
    | "filesElsewhere"
    | "busy"
  > {
  /**
   * `sound`: the index is sound and is that of the files as they are now, if they are on this machine. `behind`: it is sound, and the next run has files
   * to read. `differs`: it is sound, but files have other content than it says although their size and times are the same,
   * or cannot be read; no run would notice that. The other states are those of {@linkcode FolderStatus}.
   */
  readonly state: "sound" | "behind" | "differs" | Exclude<FolderStatus["state"], "ready">;
  /** Paths of the first of the files that the next run would find changed. */
  readonly stalePaths?: readonly string[];
  /** Number of files whose content was compared; absent without `deep`. */
  readonly compared?: number;
  /** Files with the size and times of their record, but with other content. */
  readonly differing?: readonly string[];
  /** Results of language models that are kept, and those that are damaged and count as missing; absent without any. */
  readonly generated?: { readonly results: number; readonly damaged: number };
  /** Indexed files that could not be read. */
  readonly unreadable?: readonly FileFailure[];
}

/**
 * Checks the index of `root` (a real path): every byte, its parts against each other, and its files against the folder.
 * Writes nothing. Throws the errors of reading the folder.
 */
export async function verifyFolder(
  root: string,
  config: Config,
  context: StoreAccess & Pick<IngestContext, "ownPlaces">,
  options: VerifyOptions = {},
): Promise<FolderCheck> {
  const { unusable, index: opened, busy } = await openForReport(root, config, context);
  if (opened === undefined) return unusable;
  using index = opened;
  const store = openStore(config, root, context);
  const settings = await storeSettings(store, config, context.ownPlaces);
  try {
    const verifier = new FolderVerifier(root, index, settings, config, options);
    const found = await verifier.run(hasFilesHere(store));
    const generated = await store.generated.verify();
    return {
      ...found,
      ...placeOf(store),
      ...(generated.results + generated.damaged > 0 && { generated }),
      busy,
    };
  } catch (error) {
    if (!(error instanceof DamagedIndexError)) throw error;
    const { key, params } = unreadable(error);
    return { root, state: "damaged", detail: message(config.language, key, params), busy };
  }
}

/** Checks one open index. Its methods throw `DamagedIndexError`. */
class FolderVerifier {
  readonly #progress: ProgressReporter;
  readonly #unreadable: FileFailure[] = [];
  readonly #differing: string[] = [];
  #compared = 0;
  /** Paths of files that changed while they were compared. */
  readonly #changed: string[] = [];

  constructor(
    readonly root: string,
    readonly index: OpenIndex,
    readonly settings: IngestSettings,
    readonly config: Config,
    readonly options: VerifyOptions,
  ) {
    this.#progress = new ProgressReporter(options);
  }

  async run(hasFiles: boolean): Promise<Omit<FolderCheck, "busy">> {
    const { root, index, settings, options: { deep = false } } = this;
    this.#progress.begin("check");
    await index.verify();
    await checkIndex(index, (chunks) => {
      this.#progress.setChunks(chunks, undefined);
      return this.#progress.pause();
    });
    const other = settingsChanged(index, settingsName(settings));
    const facts = {
      indexedAt: new Date(index.meta.indexedAt),
      files: index.files.filter(({ status }) => status === "indexed").length,
      chunks: index.statistics.chunks,
      indexBytes: index.statistics.bytes,
    };
    if (!hasFiles) {
      this.#progress.begin("done");
      const { state, detail } = this.#state({ new: 0, changed: 0, removed: 0 }, other);
      return { root, state, ...present({ detail }), filesElsewhere: true, ...facts };
    }
    const plan = await this.#plan();
    const isCurrent = other === undefined;
    if (deep) await this.#compare(plan, isCurrent);
    this.#progress.begin("done");
    const stale = staleOf(plan, index.files);
    return {
      root,
      ...this.#state({ ...stale, changed: stale.changed + this.#changed.length }, other),
      ...this.#stalePaths(plan),
      ...facts,
      ...(deep ? { compared: this.#compared, differing: this.#differing } : {}),
      unreadable: this.#unreadable,
    };
  }

  async #plan(): Promise<UpdatePlan> {
    const { root, index, settings, options: { signal } } = this;
    this.#progress.begin("scan");
    const options = { ...settings.walk, signal };
    const plan = await planUpdate(root, options, index.files, { onPaths: this.#progress.pathsFound });
    for (const { path, problem } of plan.files) if (problem !== undefined) this.#addUnreadable(path, problem);
    return plan;
  }

  #state(
    stale: NonNullable<FolderCheck["stale"]>,
    other: RebuildReason | undefined,
  ): Pick<FolderCheck, "state" | "stale" | "detail"> {
    const isCurrent = other === undefined;
    const detail = present({ detail: other && message(this.config.language, other.key, other.params) });
    if (this.#differing.length + this.#unreadable.length > 0) return { state: "differs", stale, ...detail };
    const isBehind = !isCurrent || stale.new + stale.changed + stale.removed > 0;
    return { state: isBehind ? "behind" : "sound", stale, ...detail };
  }

  #stalePaths({ files, removed }: UpdatePlan): Pick<FolderCheck, "stalePaths"> {
    const known = this.index.files;
    const paths = [
      ...files.filter((file) =>
        !file.unchanged && (file.known === undefined || !hasSameStat(file, known[file.known]!))
      ),
      ...removed.filter(({ status }) => status === "indexed"),
    ].map(({ path }) => path);
    const all = [...paths, ...this.#changed].slice(0, PATHS_NAMED);
    return all.length === 0 ? {} : { stalePaths: all };
  }

  /** Compares the content of every file that has the size and times of its record. */
  async #compare({ files }: UpdatePlan, isCurrent: boolean): Promise<void> {
    const known = this.index.files;
    // The content of an archive is that of the files in it.
    const isToCompare = (file: PlannedFile) =>
      file.within === undefined && file.problem === undefined && file.known !== undefined &&
      known[file.known]!.sha256 !== "" &&
      hasSameStat(file, known[file.known]!);
    const same = files.filter(isToCompare);
    this.#progress.startReading(same.length, same.reduce((sum, { size }) => sum + size, 0));
    for (const { path, size, known: number } of same) {
      this.#progress.startFile(path);
      await this.#compareFile(known[number!]!, isCurrent);
      this.#progress.finishFile(size);
      await this.#progress.pause();
    }
  }

  async #compareFile(record: StoredFile, isCurrent: boolean): Promise<void> {
    const { path } = record;
    const full = join(this.root, ...path.split("/"));
    let bytes: Uint8Array;
    try {
      const read = await readFileBytes(full);
      this.#compared++;
      if (read.sha256.toHex() !== record.sha256) {
        (await hasRecordedStat(full, record) ? this.#differing : this.#changed).push(path);
        return;
      }
      bytes = read.bytes;
    } catch (error) {
      this.#addUnreadable(path, error);
      return;
    }
    // documents would have to be extracted again, and with other settings a file may give another text
    const isText = record.format !== "image" && formatOf(bytes, path) === undefined;
    if (isCurrent && record.status === "indexed" && isText) {
      await this.#compareText(record, bytes);
    }
  }

  /** Compares the chunks of a plain text with the text at their offsets. */
  async #compareText({ path, firstChunk, chunkCount }: StoredFile, bytes: Uint8Array): Promise<void> {
    using extractor = Extractor.none();
    const file = present({ path, encoding: this.settings.encoding });
    const { document: { text } } = await extractor.read(bytes, file);
    const lineAt = lineCounter(text);
    for (let from = 0; from < chunkCount; from += BATCH) {
      const length = Math.min(BATCH, chunkCount - from);
      const numbers = Int32Array.from({ length }, (_, i) => firstChunk + from + i);
      const stored = await this.index.chunks(numbers);
      const texts = await this.index.texts(numbers, Infinity);
      for (const [i, chunk] of numbers.entries()) {
        if (isAt(texts[i]!, stored[i]!, text) && lineAt(stored[i]!.start) === stored[i]!.startLine) {
          continue;
        }
        throw new DamagedIndexError(`chunk ${chunk} is not at its place in ${path}`);
      }
    }
  }

  #addUnreadable(path: string, error: unknown): void {
    const failure = withoutChunks(path, { size: 0, mtimeMs: 0 }, error);
    this.#unreadable.push({ path, reason: reasonText(failure, this.config.language) });
  }
}

async function hasRecordedStat(path: string, record: StoredFile): Promise<boolean> {
  const now = await lookAt(path).catch(() => undefined);
  if (now === undefined || now.mtime === null) return false;
  const { size, mtime, ctime } = now;
  return hasSameStat(present({ size, mtimeMs: mtime.getTime(), ctimeMs: ctime?.getTime() }), record);
}

/**
 * Whether the text of a chunk ends with the part of the document that its offsets name, after the head of a table at most.
 */
function isAt(text: string, { start, end }: StoredChunk, document: string): boolean {
  const part = document.slice(start, end);
  const lead = text.length - part.length;
  return part.length === end - start && text.endsWith(part) && (lead === 0 || text[lead - 1] === "\n");
}

/** Returns a function for the numbers of lines, counted from 1, at ascending offsets of a text. */
function lineCounter(text: string): (offset: number) => number {
  const ends = text.matchAll(/\r\n|\r|\n/g);
  let line = 1;
  let next: RegExpExecArray | undefined = ends.next().value;
  return (offset) => {
    for (; next !== undefined && next.index + next[0].length <= offset; line++) next = ends.next().value;
    return line;
  };
}

/** Chunks that are read at once. */
const CHECKED_AT_ONCE = 256;
/** The greatest length of a stored vector. It is 1 before it is rounded to int8. */
const MAX_COSINE = 1.05;

const LANGUAGES: ReadonlySet<number> = new Set(Object.values(LANGUAGE_CODES));

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
  for (let from = 0; from < statistics.chunks; from += CHECKED_AT_ONCE) {
    const numbers = Int32Array.from(
      { length: Math.min(CHECKED_AT_ONCE, statistics.chunks - from) },
      (_, i) => from + i,
    );
    const [stored, identities, texts] = await Promise.all([
      index.chunks(numbers),
      index.identities(numbers),
      index.texts(numbers, Infinity),
    ]);
    for (const [i, chunk] of numbers.entries()) {
      checkChunk(chunk, stored[i]!, identities[i]!, texts[i]!, before, index.files);
      before = stored[i]!;
      tokens += before.tokens;
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
  stored: StoredChunk,
  identity: ChunkIdentity,
  text: string,
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
