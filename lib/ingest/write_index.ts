import type { FileRecord, IndexKey, StoredFile } from "../index/mod.ts";
import { type IndexReader, IndexWriter, isMissed } from "../index/mod.ts";
import type { Similarity } from "../chunk/mod.ts";
import type { Extractor } from "../extract/mod.ts";
import type { Breather } from "./breather.ts";
import type { ChunkEmbedder } from "./chunk_embedder.ts";
import type { Plan, PlannedFile } from "./plan.ts";
import { ReadAhead } from "./read_ahead.ts";
import { isRecord, type ReadFile, readFile, timesOf, toChunks, withoutChunks } from "./read_document.ts";
import type { IngestSettings } from "./settings.ts";
import type { IngestContext, IngestProgress } from "./types.ts";

/** A file that is waited for longer is told, in milliseconds. */
const TOLD_AFTER_MS = 200;

/** Outcome of the indexed files of a run: those that gave no text are not among them. */
export interface Counts {
  readonly new: number;
  readonly changed: number;
  readonly renamed: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly bytesRead: number;
}

/** True if the plan differs from the index it was made with. */
export function hasChanges(plan: Plan, { meta, chunks }: Pick<IndexReader, "meta" | "chunks">): boolean {
  return plan.removed.length > 0 || plan.unreadable.some(({ known }) => !known) ||
    plan.files.some(({ unchanged, problem }) => !unchanged || problem !== undefined) ||
    isToldOther(plan.skipped, meta.leftOut ?? {}, chunks.length === 0);
}

/**
 * Whether a search would tell of other files that were left out than there are. It tells of those that
 * may hold an answer, and of all where there is nothing else: for the others no index is written anew.
 */
function isToldOther(
  now: Readonly<Record<string, number>>,
  told: Readonly<Record<string, number>>,
  all: boolean,
) {
  return Object.keys({ ...now, ...told })
    .some((reason) => (all || isMissed(reason)) && (now[reason] ?? 0) !== (told[reason] ?? 0));
}

/** Input of {@linkcode writeIndex}. */
export interface WriteInput {
  readonly root: string;
  /** Empty, open for writing. */
  readonly file: Deno.FsFile;
  /** The key that the index is sealed with. */
  readonly key: IndexKey;
  readonly previous: IndexReader | undefined;
  /** Whether the texts of the previous index stay where a file cannot be read. */
  readonly believed: boolean;
  readonly plan: Plan;
  readonly settings: IngestSettings;
  readonly meta: { readonly settings: string; readonly program: string };
  /** Kept up to date. */
  readonly progress: { -readonly [key in keyof IngestProgress]: IngestProgress[key] };
  readonly breather: Breather;
  /** Gives the chunks their vectors; nothing if the index gets none. */
  readonly embedder: ChunkEmbedder | undefined;
  /** Reads documents. */
  readonly extractor: Extractor;
  /** How alike sentences are, where chunks go by that. */
  readonly similarity: Similarity | undefined;
  readonly log: IngestContext["log"];
}

/** Carries out a plan: writes a whole index into `file`. */
export async function writeIndex(input: WriteInput): Promise<Counts> {
  const { previous, plan, progress, breather, embedder } = input;
  const writer = new IndexWriter(input.file, input.key, previous, embedder?.meta);
  embedder?.begin(writer);
  const removed = plan.removed.filter(({ status }) => status === "indexed");
  /** How many files with this content are gone. */
  const gone = new Map<string, number>();
  for (const { sha256 } of removed) gone.set(sha256, (gone.get(sha256) ?? 0) + 1);
  const counts = { new: 0, changed: 0, renamed: 0, removed: removed.length, unchanged: 0, bytesRead: 0 };

  const { root, settings, extractor } = input;
  const reads = new ReadAhead(
    plan.files.filter(({ unchanged }) => !unchanged),
    (file) => readFile(file.path, file, { root, settings, extractor, known: knownContent(previous, file) }),
  );

  for (const file of plan.files) {
    progress.path = file.path;
    if (file.unchanged) {
      keep(writer, previous!, file);
      if (wasIndexed(previous, file)) counts.unchanged++;
    } else {
      const outcome = await addFile(writer, file, await told(reads.take(file), breather), input);
      counts.bytesRead += outcome.bytesRead;
      const was = wasIndexed(previous, file);
      if (outcome.status !== "indexed") counts.removed += was ? 1 : 0;
      else if (was) counts[outcome.same ? "unchanged" : "changed"]++;
      else {
        const origins = gone.get(outcome.sha256) ?? 0;
        if (origins > 0) {
          gone.set(outcome.sha256, origins - 1);
          counts.removed--;
        }
        counts[origins > 0 ? "renamed" : "new"]++;
      }
      progress.bytesDone += file.size;
    }
    progress.filesDone++;
    progress.chunks = writer.chunkCount;
    countVectors(progress, embedder);
    await breather.pause();
  }
  for (const { path, error } of plan.unreadable) {
    writer.addEmpty(withoutChunks(path, { size: 0, mtimeMs: 0 }, error));
  }
  // a server may take long: that is to be seen; the table's threads go on while the postings are written
  if (embedder?.exact !== undefined) await embedder.finish();
  progress.step = "write";
  delete progress.path;
  breather.onBreath();
  await writer.finish(
    {
      ...input.meta,
      indexedAt: new Date().toISOString(),
      root,
      leftOut: plan.skipped,
    },
    breather.pause,
    async () => {
      await embedder?.finish();
      countVectors(progress, embedder);
      return embedder?.exact;
    },
  );
  return counts;
}

/** Waits for a file. If that takes long, which file it is gets told. */
async function told<T>(read: Promise<T>, { onBreath }: Breather): Promise<T> {
  const timer = setTimeout(onBreath, TOLD_AFTER_MS);
  try {
    return await read;
  } finally {
    clearTimeout(timer);
  }
}

function countVectors(progress: WriteInput["progress"], embedder: ChunkEmbedder | undefined): void {
  if (embedder === undefined) return;
  progress.embedded = embedder.embedded;
  progress.toEmbed = embedder.toEmbed;
}

function wasIndexed(previous: IndexReader | undefined, { known }: PlannedFile): boolean {
  return known !== undefined && previous!.files[known]!.status === "indexed";
}

/** The content of a file that need not be read again if it is the same; that of one that failed is tried again. */
function knownContent(previous: IndexReader | undefined, { known }: PlannedFile): string | undefined {
  const old = known === undefined ? undefined : previous!.files[known]!;
  return old === undefined || old.status === "failed" || old.sha256 === "" ? undefined : old.sha256;
}

function keep(
  writer: IndexWriter,
  previous: IndexReader,
  { path, known, size, problem, ...stat }: PlannedFile,
): void {
  const times = timesOf(stat);
  const failure = problem === undefined ? {} : failureOf(withoutChunks(path, { size, ...times }, problem));
  writer.keep({ ...recordOf(previous.files[known!]!), size, ...times, ...failure }, known!);
}

/** A stored file without the place of its chunks, which is another in every index. */
function recordOf({ firstChunk: _, chunkCount: __, ...record }: StoredFile): FileRecord {
  return record;
}

function withoutReason(file: StoredFile): FileRecord {
  const { reason: _, detail: __, ...record } = recordOf(file);
  return record;
}

/** Why what is known of a file is out of date. */
function failureOf({ reason, detail }: FileRecord): Partial<FileRecord> {
  return { ...(reason === undefined ? {} : { reason }), ...(detail === undefined ? {} : { detail }) };
}

/** Adds what a file that was read holds. `same`: its content is what it was, only its time is new. */
async function addFile(
  writer: IndexWriter,
  file: PlannedFile,
  read: ReadFile | FileRecord,
  { previous, believed, settings, similarity, breather, progress, embedder, log }: WriteInput,
): Promise<{ sha256: string; status: FileRecord["status"]; same: boolean; bytesRead: number }> {
  const old = file.known === undefined ? undefined : previous!.files[file.known]!;
  /** Better the text of before than none; the old time makes the next run try again. */
  const keepText = (failed: FileRecord) => {
    if (!believed || old?.status !== "indexed" || failed.status !== "failed") return undefined;
    writer.keep({ ...recordOf(old), ...failureOf(failed) }, file.known!);
    return { sha256: old.sha256, status: old.status, same: true, bytesRead: 0 };
  };
  if (isRecord(read)) {
    logFailure(log, read);
    const kept = keepText(read);
    if (kept !== undefined) return kept;
    writer.addEmpty(read);
    return { sha256: "", status: read.status, same: false, bytesRead: 0 };
  }
  const bytesRead = read.size;
  if (old !== undefined && read.content === undefined) {
    const record = old.status === "indexed" ? withoutReason(old) : recordOf(old);
    writer.keep({ ...record, size: read.size, ...timesOf(file) }, file.known!);
    return { sha256: old.sha256, status: old.status, same: true, bytesRead };
  }
  const { record, chunks } = toChunks(read, { ...settings.chunking, similarity });
  if (record.status !== "indexed") {
    if (record.status === "failed") logFailure(log, record);
    // nothing is known against the document where no process could be started to read it
    const kept = record.reason === "extractor_unavailable" ? keepText(record) : undefined;
    if (kept !== undefined) return { ...kept, bytesRead };
    writer.addEmpty(record);
  } else {
    writer.beginFile();
    for (const chunk of chunks) {
      writer.addChunk(chunk);
      await embedder?.add(writer.chunkCount - 1, chunk.text);
      progress.chunks = writer.chunkCount;
      countVectors(progress, embedder);
      if ((writer.chunkCount & 0x3f) === 0) await breather.pause();
    }
    writer.endFile(record);
    log.debug("ingest.file", {
      path: record.path,
      size: record.size,
      encoding: record.encoding,
      chunks: chunks.length,
    });
  }
  return { sha256: record.sha256, status: record.status, same: false, bytesRead };
}

function logFailure(log: IngestContext["log"], { path, status, reason, detail }: FileRecord): void {
  log.warning("ingest.file_failed", { path, status, reason, ...detail });
}
