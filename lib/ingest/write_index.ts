import type { Extractor } from "../extract/mod.ts";
import type { StoredFile } from "../index/mod.ts";
import type { IndexWriter, OpenIndex } from "../store/mod.ts";
import { FileCounter, type FileCounts } from "./file_counter.ts";
import { FileWriter, type FileWriterInput } from "./file_writer.ts";
import { ReadAhead } from "./read_ahead.ts";
import { readFile, withoutChunks } from "./read_document.ts";
import type { Recogniser } from "./recognition/recogniser.ts";
import type { PlannedFile, UpdatePlan } from "./update_plan.ts";

/** Input of {@linkcode writeIndex}. */
export interface WriteInput extends FileWriterInput {
  readonly root: string;
  readonly writer: IndexWriter;
  readonly previous: OpenIndex | undefined;
  readonly plan: UpdatePlan;
  /** Relative paths of files whose documents are extracted again although their content is the same. */
  readonly again?: ReadonlySet<string> | undefined;
  /** Files of an index that this one replaces without taking anything over, by path. They only count. */
  readonly replaced?: ReadonlyMap<string, StoredFile>;
  readonly meta: { readonly settings: string; readonly program: string };
  readonly extractor: Extractor;
  /** Completes documents with the text of scanned pages; absent if that is switched off. */
  readonly recogniser?: Recogniser | undefined;
}

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
  const oldOf = ({ known }: PlannedFile) => known === undefined ? undefined : previous!.files[known]!;
  const files = new FileWriter(writer, input);
  const { replaced = new Map<string, StoredFile>() } = input;
  const there = new Set(plan.files.map(({ path }) => path));
  const counter = new FileCounter([
    ...plan.removed,
    ...[...replaced.values()].filter(({ path }) => !there.has(path)),
  ]);
  const reads = new ReadAhead(
    plan.files.filter(({ unchanged }) => !unchanged),
    (file) => {
      const known = file.again || again?.has(file.path) ? undefined : knownContent(oldOf(file));
      return readFile(file.path, file, { root, settings, extractor, recogniser, known });
    },
  );
  for (const file of plan.files) {
    progress.startFile(file.path);
    const old = oldOf(file);
    const outcome = file.unchanged
      ? await files.keep(file, old!)
      : await files.add(file, old, await progress.reportIfSlow(reads.take(file)));
    counter.add(old ?? replaced.get(file.path), outcome);
    progress.finishFile(file.unchanged ? 0 : file.size);
    progress.setChunks(writer.chunkCount, embedder);
    await progress.pause();
  }
  return counter.counts;
}

/** Writes all that follows the texts, when the last vectors are there. */
async function finishIndex({ root, writer, plan, meta, progress, embedder }: WriteInput): Promise<void> {
  progress.startWriting();
  const wholeMeta = { ...meta, indexedAt: new Date().toISOString(), root, leftOut: plan.skipped };
  await writer.finish(wholeMeta, progress.pause, async () => {
    await embedder?.finish();
    progress.setChunks(writer.chunkCount, embedder);
  });
}

/** The SHA-256 of a content that need not be extracted again. Files that failed, and scans that wait, are tried again. */
function knownContent(old: StoredFile | undefined): string | undefined {
  const isDone = old !== undefined && old.status !== "failed" && old.recognition !== "pending";
  return isDone && old.sha256 !== "" ? old.sha256 : undefined;
}
