/** Writes the planned files into the new index. */
import type { Extractor } from "#library/extract/mod.ts";
import { FolderFiles } from "#library/archives/mod.ts";
import { type FileRecord, type NewChunk, recordOf, type StoredFile } from "#engine/index/mod.ts";
import type { IndexWriter, OpenIndex } from "#library/store/mod.ts";
import { FileCounter, type FileCounts, type FileOutcome } from "./types.ts";
import {
  isRecord,
  ReadAhead,
  type ReadFile,
  readFile,
  timesOf,
  toChunks,
  withoutChunks,
} from "./read_file.ts";
import { type Complete, readBibliographies } from "./bibliographies.ts";
import type { Refiner } from "./generation/refiner.ts";
import type { Recogniser } from "./recogniser.ts";
import type { PlannedFile, UpdatePlan } from "./update_plan.ts";
import { present } from "#foundation/present.ts";
import type { Similarity } from "#engine/chunk/mod.ts";
import type { Log } from "#foundation/log.ts";
import type { BuiltinEmbedder } from "./chunk_embedder.ts";
import type { FileTrace, IngestTrace } from "./ingest_trace.ts";
import type { ProgressReporter } from "./progress_reporter.ts";
import type { IngestSettings } from "./settings.ts";

/** Input of {@linkcode writeIndex}. */
interface WriteInput extends FileWriterInput {
  readonly root: string;
  readonly writer: IndexWriter;
  readonly previous: OpenIndex | undefined;
  readonly plan: UpdatePlan;
  /** Relative paths of files whose documents are extracted again although their content is the same. */
  readonly again?: ReadonlySet<string> | undefined;
  /** Files of an index that this one replaces without taking anything over, by path. They only count. */
  readonly replaced?: ReadonlyMap<string, StoredFile> | undefined;
  /** Files that this run, with its helpers, has written into the previous index already. They count as new. */
  readonly added?: ReadonlySet<string> | undefined;
  readonly meta: { readonly settings: string; readonly program: string };
  readonly extractor: Extractor;
  /** Completes documents with the text of scanned pages; absent if that is switched off. */
  readonly recogniser?: Recogniser | undefined;
  readonly trace?: IngestTrace | undefined;
}

/** Files that are kept without a look at the time, where nothing is written for them. */
const KEPT_AT_ONCE = 64;

/** Carries out a plan: writes a complete index. */
export async function writeIndex(input: WriteInput): Promise<FileCounts> {
  const { writer, plan, embedder } = input;
  embedder?.begin(writer);
  const counts = await writeFiles(input);
  for (const { path, error } of plan.unreadable) {
    await writer.addEmpty(withoutChunks(path, { size: 0, mtimeMs: 0 }, error));
  }
  await finishIndex(input);
  return counts;
}

/** Writes the files of the plan, in the order of their paths. */
async function writeFiles(input: WriteInput): Promise<FileCounts> {
  const { root, settings, extractor, recogniser, writer, previous, plan, progress, embedder, again } = input;
  const { trace, added } = input;
  const oldOf = ({ known }: PlannedFile) => known === undefined ? undefined : previous!.files[known]!;
  const complete = await readBibliographies(root, plan, progress.pause);
  const files = new FileWriter(writer, { ...input, complete });
  const toRead = plan.files.filter(({ unchanged, skip }) => !unchanged && skip === undefined);
  const folder = new FolderFiles(root, {
    extractor,
    maxBytes: settings.walk.maxFileBytes,
    expected: toRead,
  });
  const { replaced = new Map<string, StoredFile>() } = input;
  const there = new Set(replaced.size === 0 ? [] : plan.files.map(({ path }) => path));
  const counter = new FileCounter([
    ...plan.removed,
    ...[...replaced.values()].filter(({ path }) => !there.has(path)),
  ]);
  const reads = new ReadAhead(
    toRead,
    (file) => {
      const known = file.again || again?.has(file.path) ? undefined : knownContent(oldOf(file));
      const options = { files: folder, settings, extractor, recogniser, known };
      return readFile(file.path, file, { ...options, trace: trace?.beginFile(file.path) });
    },
  );
  for (let at = 0; at < plan.files.length; at++) {
    const file = plan.files[at]!;
    progress.startFile(file.path);
    const old = oldOf(file);
    if (old !== undefined && files.isKept(file, old)) {
      // Most updates keep thousands of files. Promises and an outcome for each would take longer than the rest of a small update.
      const chunks = writer.chunkCount;
      const written = writer.keep(undefined, file.known!);
      if (written !== undefined) await written;
      if (added?.has(file.path)) counter.add(undefined, { ...old, same: true, bytesRead: file.size });
      else counter.addKept(old);
      progress.finishFile(0);
      progress.setChunks(writer.chunkCount, embedder);
      if (at % KEPT_AT_ONCE === 0 || writer.chunkCount !== chunks) await progress.pause();
      continue;
    }
    const outcome = file.unchanged
      ? await files.keep(file, old!)
      : file.skip !== undefined
      ? await files.skip(file)
      : await files.add(file, old, await progress.reportIfSlow(reads.take(file)), trace?.fileAt(file.path));
    if (added?.has(file.path)) {
      counter.add(undefined, { ...outcome, bytesRead: outcome.bytesRead + file.size });
    } else counter.add(old ?? replaced.get(file.path), outcome);
    if (!file.unchanged) trace?.endFile(file.path, outcome, old ?? replaced.get(file.path));
    progress.finishFile(file.unchanged || file.skip !== undefined ? 0 : file.size);
    progress.setChunks(writer.chunkCount, embedder);
    await progress.pause();
  }
  trace?.endFiles();
  return counter.counts;
}

/** Writes all that follows the texts, when the last vectors are there. */
async function finishIndex(
  { root, writer, plan, meta, progress, embedder, trace }: WriteInput,
): Promise<void> {
  progress.startWriting();
  trace?.begin("store");
  const wholeMeta = { ...meta, indexedAt: new Date().toISOString(), root, leftOut: plan.skipped };
  await writer.finish(wholeMeta, progress.pause, async () => {
    await embedder?.finish();
    progress.setChunks(writer.chunkCount, embedder);
    trace?.end("embed");
  });
}

/** The SHA-256 of a content that need not be extracted again. Files that failed, and scans that wait, are tried again. */
function knownContent(old: StoredFile | undefined): string | undefined {
  const isDone = old !== undefined && old.status !== "failed" && old.recognition !== "pending";
  return isDone && old.sha256 !== "" ? old.sha256 : undefined;
}

/** The parts of a run that a {@linkcode FileWriter} needs. */
interface FileWriterInput {
  /** Whether the previous index may be quoted where a file cannot be read. */
  readonly believed: boolean;
  readonly settings: IngestSettings;
  readonly progress: ProgressReporter;
  /** Makes the vectors of the chunks; absent if the index gets none. */
  readonly embedder: BuiltinEmbedder | undefined;
  /** Completes records by what bibliographies say; absent if none of them changes. */
  readonly complete?: Complete | undefined;
  /** Similarity of neighbouring sentences, for chunking by meaning. */
  readonly similarity: Similarity | undefined;
  /** Puts chunks right by the operations of a model. */
  readonly refiner?: Refiner | undefined;
  readonly log: Log;
}

/** Writes the files of a plan into the new index, one after the other. */
class FileWriter {
  readonly #writer: IndexWriter;
  readonly #input: FileWriterInput;

  constructor(writer: IndexWriter, input: FileWriterInput) {
    this.#writer = writer;
    this.#input = input;
  }

  /** Whether an unchanged file keeps the record that it has in the previous index, `old`. */
  isKept({ unchanged, size, mtimeMs, ctimeMs, problem }: PlannedFile, old: StoredFile): boolean {
    return unchanged && problem === undefined && size === old.size && mtimeMs === old.mtimeMs &&
      ctimeMs === old.ctimeMs && this.#completed(old) === old;
  }

  /** Copies an unchanged file from the previous index, where its record is `old`, under a new record. */
  async keep(file: PlannedFile, old: StoredFile): Promise<FileOutcome> {
    const { path, known, size, problem } = file;
    const times = timesOf(file);
    const failure = problem === undefined ? {} : reasonOf(withoutChunks(path, { size, ...times }, problem));
    await this.#writer.keep({ ...this.#completed(recordOf(old)), size, ...times, ...failure }, known!);
    return { sha256: old.sha256, status: old.status, same: true, bytesRead: 0 };
  }

  /** Adds a record of a file that is left out. */
  async skip(file: PlannedFile): Promise<FileOutcome> {
    const { path, size, skip: reason, archive, sha256 = "", partly } = file;
    const skipped = present({
      path,
      size,
      ...timesOf(file),
      sha256,
      status: "skipped" as const,
      reason,
      archive,
    });
    if (partly === undefined) return await this.#addEmpty(skipped);
    const failed = present({ ...withoutChunks(path, file, partly), sha256, archive });
    this.#logFailure(failed);
    return await this.#addEmpty(failed);
  }

  /** Adds a file that was read. `old`: its record in the previous index, if it has one. */
  async add(
    file: PlannedFile,
    old: StoredFile | undefined,
    read: ReadFile | FileRecord,
    trace?: FileTrace,
  ): Promise<FileOutcome> {
    const { archive } = file;
    trace?.passed("waiting");
    if (isRecord(read)) {
      this.#logFailure(read);
      return await this.#keepText(file, old, read) ?? await this.#addEmpty(present({ ...read, archive }));
    }
    if (old !== undefined && read.content === undefined) return await this.#keepContent(file, old, read.size);
    const { settings, similarity, refiner } = this.#input;
    const chunking = { ...settings.chunking, similarity };
    const refined = read.content !== undefined && "document" in read.content
      ? await refiner?.refine(read.content.document, chunking)
      : undefined;
    if (refiner !== undefined) trace?.passed("transform");
    const { chunks, ...made } = toChunks(read, chunking, refined, trace);
    const record = present({ ...made.record, archive });
    if (record.status === "indexed") {
      const outcome = await this.#addChunks(record, chunks);
      trace?.passed("embed");
      return { ...outcome, bytesRead: read.size };
    }
    if (record.status === "failed") this.#logFailure(record);
    // No process could be started to read the document, so its text is unknown.
    const isUnknown = record.reason === "extractor_unavailable";
    const kept = isUnknown ? await this.#keepText(file, old, record) : undefined;
    return { ...kept ?? await this.#addEmpty(record), bytesRead: read.size };
  }

  #completed(record: FileRecord): FileRecord {
    return this.#input.complete?.(record) ?? record;
  }

  async #addEmpty(record: FileRecord): Promise<FileOutcome> {
    await this.#writer.addEmpty(this.#completed(record));
    return { sha256: record.sha256, status: record.status, same: false, bytesRead: 0, record };
  }

  /**
   * Keeps the text of the previous index for a file that failed. The record keeps the earlier times, so that the next run
   * tries again. Returns `undefined` if there is no text, or if it must not be quoted.
   */
  async #keepText(
    { known }: PlannedFile,
    old: StoredFile | undefined,
    failed: FileRecord,
  ): Promise<FileOutcome | undefined> {
    if (!this.#input.believed || old?.status !== "indexed" || failed.status !== "failed") return undefined;
    await this.#writer.keep({ ...this.#completed(recordOf(old)), ...reasonOf(failed) }, known!);
    return { sha256: old.sha256, status: old.status, same: true, bytesRead: 0, record: failed };
  }

  /** Keeps the chunks of a file whose content is that of the previous index; its times may be new. */
  async #keepContent(file: PlannedFile, old: StoredFile, size: number): Promise<FileOutcome> {
    const record = old.status === "indexed" ? withoutReason(old) : recordOf(old);
    const { archive } = file;
    await this.#writer.keep(
      present({ ...this.#completed(record), size, ...timesOf(file), archive }),
      file.known!,
    );
    return { sha256: old.sha256, status: old.status, same: true, bytesRead: size };
  }

  async #addChunks(record: FileRecord, chunks: readonly NewChunk[]): Promise<FileOutcome> {
    const { progress, embedder, log } = this.#input;
    const writer = this.#writer;
    writer.beginFile(record.path);
    for (const chunk of chunks) {
      writer.addChunk(chunk);
      await embedder?.add(writer.chunkCount - 1, chunk.text);
      progress.setChunks(writer.chunkCount, embedder);
      if ((writer.chunkCount & 0x3f) !== 0) continue;
      await writer.caughtUp?.(progress.pause);
      await progress.pause();
    }
    await writer.endFile(this.#completed(record));
    const { path, size, encoding, sha256, status } = record;
    log.debug("ingest.file", { path, size, encoding, chunks: chunks.length });
    return { sha256, status, same: false, bytesRead: 0, record, chunks: chunks.length };
  }

  #logFailure({ path, status, reason, detail }: FileRecord): void {
    this.#input.log.warning("ingest.file_failed", { path, status, reason, ...detail });
  }
}

function withoutReason(file: StoredFile): FileRecord {
  const { reason: _, detail: __, failedMs, ...record } = recordOf(file);
  // Pages that could not be recognised stay so while the content is the same.
  return record.unrecognised === undefined || failedMs === undefined ? record : { ...record, failedMs };
}

/** The reason of a record with its parameters and its time, where it has them. */
function reasonOf({ reason, detail, failedMs }: FileRecord): Partial<FileRecord> {
  return present({ reason, detail, failedMs });
}
