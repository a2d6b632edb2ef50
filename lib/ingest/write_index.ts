import type { FileRecord } from "../index/mod.ts";
import { type IndexReader, IndexWriter } from "../index/mod.ts";
import type { Breather } from "./breather.ts";
import type { Plan, PlannedFile } from "./plan.ts";
import { ReadAhead } from "./read_ahead.ts";
import { isRecord, type ReadFile, readFile, toChunks, withoutChunks } from "./read_document.ts";
import type { IngestSettings } from "./settings.ts";
import type { IngestContext, IngestProgress } from "./types.ts";

/** What became of the indexed files of a run: those that gave no text are not among them. */
export interface Counts {
  readonly new: number;
  readonly changed: number;
  readonly renamed: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly bytesRead: number;
}

/** True if the plan differs from the index it was made with. */
export function hasChanges(plan: Plan): boolean {
  return plan.removed.length > 0 || plan.unreadable.some(({ known }) => !known) ||
    plan.files.some(({ unchanged }) => !unchanged);
}

/** What {@linkcode writeIndex} needs. */
export interface WriteInput {
  readonly root: string;
  /** Empty, open for writing. */
  readonly file: Deno.FsFile;
  readonly previous: IndexReader | undefined;
  readonly plan: Plan;
  readonly settings: IngestSettings;
  readonly meta: { readonly settings: string; readonly program: string };
  /** Kept up to date. */
  readonly progress: { -readonly [key in keyof IngestProgress]: IngestProgress[key] };
  readonly breather: Breather;
  readonly log: IngestContext["log"];
}

/** Carries out a plan: writes a whole index into `file`. */
export async function writeIndex(input: WriteInput): Promise<Counts> {
  const { previous, plan, progress, breather } = input;
  const writer = new IndexWriter(input.file, previous);
  const removed = plan.removed.filter(({ status }) => status === "indexed").map(({ sha256 }) => sha256);
  const counts = { new: 0, changed: 0, renamed: 0, removed: removed.length, unchanged: 0, bytesRead: 0 };

  const { root, settings } = input;
  const reads = new ReadAhead(
    plan.files.filter(({ unchanged }) => !unchanged),
    (file) => readFile(root, file.path, file, settings.maxFileBytes),
  );

  for (const file of plan.files) {
    progress.path = file.path;
    if (file.unchanged) {
      keep(writer, previous!, file);
      if (wasIndexed(previous, file)) counts.unchanged++;
    } else {
      const outcome = await addFile(writer, file, await reads.take(file), input);
      counts.bytesRead += outcome.bytesRead;
      const was = wasIndexed(previous, file);
      if (outcome.status !== "indexed") counts.removed += was ? 1 : 0;
      else if (was) counts[outcome.same ? "unchanged" : "changed"]++;
      else {
        const origin = removed.indexOf(outcome.sha256);
        if (origin >= 0) {
          removed.splice(origin, 1);
          counts.removed--;
        }
        counts[origin >= 0 ? "renamed" : "new"]++;
      }
      progress.bytesDone += file.size;
    }
    progress.filesDone++;
    progress.chunks = writer.chunkCount;
    await breather.pause();
  }
  for (const { path, error } of plan.unreadable) {
    writer.addEmpty(withoutChunks(path, { size: 0, mtimeMs: 0 }, error));
  }
  progress.step = "write";
  delete progress.path;
  breather.onBreath();
  await writer.finish(
    {
      ...input.meta,
      indexedAt: new Date().toISOString(),
      skipped: { ...plan.skipped } as Record<string, number>,
    },
    breather.pause,
  );
  return counts;
}

function wasIndexed(previous: IndexReader | undefined, { known }: PlannedFile): boolean {
  return known !== undefined && previous!.files[known]!.status === "indexed";
}

function keep(writer: IndexWriter, previous: IndexReader, { known, size, mtimeMs }: PlannedFile): void {
  const { firstChunk: _, chunkCount: __, ...record } = previous.files[known!]!;
  writer.keep({ ...record, size, mtimeMs }, known!);
}

/** Adds what a file that was read holds. `same`: its content is what it was, only its time is new. */
async function addFile(
  writer: IndexWriter,
  file: PlannedFile,
  read: ReadFile | FileRecord,
  { previous, settings, breather, progress, log }: WriteInput,
): Promise<{ sha256: string; status: FileRecord["status"]; same: boolean; bytesRead: number }> {
  if (isRecord(read)) {
    logFailure(log, read);
    writer.addEmpty(read);
    return { sha256: "", status: read.status, same: false, bytesRead: 0 };
  }
  const bytesRead = read.size;
  const old = file.known === undefined ? undefined : previous!.files[file.known]!;
  if (
    old !== undefined && old.status !== "failed" && old.sha256 !== "" && old.sha256 === read.sha256.toHex()
  ) {
    keep(writer, previous!, { ...file, size: read.size });
    return { sha256: old.sha256, status: old.status, same: true, bytesRead };
  }
  const { record, chunks } = await toChunks(read, settings);
  if (record.status !== "indexed") {
    if (record.status === "failed") logFailure(log, record);
    writer.addEmpty(record);
  } else {
    writer.beginFile();
    for (const chunk of chunks) {
      writer.addChunk(chunk);
      progress.chunks = writer.chunkCount;
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
