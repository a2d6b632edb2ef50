import type { Similarity } from "../chunk/mod.ts";
import { type FileRecord, type NewChunk, recordOf, type StoredFile } from "../index/mod.ts";
import type { Log } from "../log/mod.ts";
import type { IndexWriter } from "../store/mod.ts";
import type { ChunkEmbedder } from "./chunk_embedder.ts";
import type { FileOutcome } from "./file_counter.ts";
import type { ProgressReporter } from "./progress_reporter.ts";
import { isRecord, type ReadFile, timesOf, toChunks, withoutChunks } from "./read_document.ts";
import type { IngestSettings } from "./settings.ts";
import type { PlannedFile } from "./update_plan.ts";

/** The parts of a run that a {@linkcode FileWriter} needs. */
export interface FileWriterInput {
  /** Whether the previous index may be quoted where a file cannot be read. */
  readonly believed: boolean;
  readonly settings: IngestSettings;
  readonly progress: ProgressReporter;
  /** Makes the vectors of the chunks; absent if the index gets none. */
  readonly embedder: ChunkEmbedder | undefined;
  /** Similarity of neighbouring sentences, for chunking by meaning. */
  readonly similarity: Similarity | undefined;
  readonly log: Log;
}

/** Writes the files of a plan into the new index, one after the other. */
export class FileWriter {
  readonly #writer: IndexWriter;
  readonly #input: FileWriterInput;

  constructor(writer: IndexWriter, input: FileWriterInput) {
    this.#writer = writer;
    this.#input = input;
  }

  /** Copies an unchanged file from the previous index, where its record is `old`. */
  async keep({ path, known, size, problem, ...stat }: PlannedFile, old: StoredFile): Promise<FileOutcome> {
    const outcome: FileOutcome = { sha256: old.sha256, status: old.status, same: true, bytesRead: 0 };
    const times = timesOf(stat);
    if (problem === undefined && size === old.size && isSameTimes(times, old)) {
      await this.#writer.keep(undefined, known!);
      return outcome;
    }
    const failure = problem === undefined ? {} : reasonOf(withoutChunks(path, { size, ...times }, problem));
    await this.#writer.keep({ ...recordOf(old), size, ...times, ...failure }, known!);
    return outcome;
  }

  /** Adds a file that was read. `old`: its record in the previous index, if it has one. */
  async add(
    file: PlannedFile,
    old: StoredFile | undefined,
    read: ReadFile | FileRecord,
  ): Promise<FileOutcome> {
    if (isRecord(read)) {
      this.#logFailure(read);
      return await this.#keepText(file, old, read) ?? await this.#addEmpty(read);
    }
    if (old !== undefined && read.content === undefined) return await this.#keepContent(file, old, read.size);
    const { chunking } = this.#input.settings;
    const { record, chunks } = toChunks(read, { ...chunking, similarity: this.#input.similarity });
    const outcome = record.status === "indexed"
      ? await this.#addChunks(record, chunks)
      : await this.#addWithoutText(file, old, record);
    return { ...outcome, bytesRead: read.size };
  }

  /** Adds the record of a file that was read and gave no text. */
  async #addWithoutText(
    file: PlannedFile,
    old: StoredFile | undefined,
    record: FileRecord,
  ): Promise<FileOutcome> {
    if (record.status === "failed") this.#logFailure(record);
    // No process could be started to read the document, so its text is unknown.
    const kept = record.reason === "extractor_unavailable"
      ? await this.#keepText(file, old, record)
      : undefined;
    return kept ?? await this.#addEmpty(record);
  }

  async #addEmpty(record: FileRecord): Promise<FileOutcome> {
    await this.#writer.addEmpty(record);
    return { sha256: record.sha256, status: record.status, same: false, bytesRead: 0 };
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
    await this.#writer.keep({ ...recordOf(old), ...reasonOf(failed) }, known!);
    return { sha256: old.sha256, status: old.status, same: true, bytesRead: 0 };
  }

  /** Keeps the chunks of a file whose content is that of the previous index; its times may be new. */
  async #keepContent(file: PlannedFile, old: StoredFile, size: number): Promise<FileOutcome> {
    const record = old.status === "indexed" ? withoutReason(old) : recordOf(old);
    await this.#writer.keep({ ...record, size, ...timesOf(file) }, file.known!);
    return { sha256: old.sha256, status: old.status, same: true, bytesRead: size };
  }

  async #addChunks(record: FileRecord, chunks: readonly NewChunk[]): Promise<FileOutcome> {
    const { progress, embedder, log } = this.#input;
    const writer = this.#writer;
    writer.beginFile();
    for (const chunk of chunks) {
      writer.addChunk(chunk);
      await embedder?.add(writer.chunkCount - 1, chunk.text);
      progress.setChunks(writer.chunkCount, embedder);
      if ((writer.chunkCount & 0x3f) === 0) await progress.pause();
    }
    await writer.endFile(record);
    const { path, size, encoding, sha256, status } = record;
    log.debug("ingest.file", { path, size, encoding, chunks: chunks.length });
    return { sha256, status, same: false, bytesRead: 0 };
  }

  #logFailure({ path, status, reason, detail }: FileRecord): void {
    this.#input.log.warning("ingest.file_failed", { path, status, reason, ...detail });
  }
}

function isSameTimes(now: Pick<FileRecord, "mtimeMs" | "ctimeMs">, old: StoredFile): boolean {
  return now.mtimeMs === old.mtimeMs && now.ctimeMs === old.ctimeMs;
}

function withoutReason(file: StoredFile): FileRecord {
  const { reason: _, detail: __, failedMs, ...record } = recordOf(file);
  // Pages that could not be recognised stay so while the content is the same.
  return record.unrecognised === undefined || failedMs === undefined ? record : { ...record, failedMs };
}

/** The reason of a record with its parameters and its time, where it has them. */
function reasonOf({ reason, detail, failedMs }: FileRecord): Partial<FileRecord> {
  return {
    ...(reason === undefined ? {} : { reason }),
    ...(detail === undefined ? {} : { detail }),
    ...(failedMs === undefined ? {} : { failedMs }),
  };
}
