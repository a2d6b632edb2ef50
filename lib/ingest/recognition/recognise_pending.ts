import { join } from "node:path";
import type { Config } from "../../config/mod.ts";
import { readFileBytes } from "../../corpus/mod.ts";
import { UserError } from "../../errors.ts";
import { Extractor, readDocument } from "../../extract/mod.ts";
import type { StoredFile } from "../../index/mod.ts";
import { lockRecognition, RecognisedTexts } from "../../store/mod.ts";
import { ingestSettings } from "../settings.ts";
import { storeOf } from "../store_of.ts";
import type { IngestContext } from "../types.ts";
import { readLanguageData } from "./language_data.ts";
import { isOfStore, Recogniser } from "./recogniser.ts";

/** Errors of files that may be readable a moment later, though the folder stays as it is. */
const PASSING: ReadonlySet<string> = new Set(["no_permission", "file_unreadable"]);

/** Options of {@linkcode recognisePending}. */
export interface PendingOptions {
  readonly signal: AbortSignal;
  /** Awaited before each request to a process, which takes about ten seconds. */
  readonly pause: () => Promise<void>;
  /** Called with the path of each file whose pages were all tried. The next run that looks at it takes up its text. */
  readonly onDone: (path: string) => void;
}

/**
 * Recognises the text of the scans that wait for it in the index of `root`, the smallest first, and keeps it for the next
 * indexing run. Files that have changed or cannot be read are left to that run. Returns the number of files that waited.
 * Throws `index_busy` if another process recognises the same scans, `ocr_data_missing`, `ocr_data_unusable`,
 * `extractor_unavailable`, the errors of the store, and the reason of the signal; after all other files the first
 * `no_permission` or `file_unreadable`.
 */
export async function recognisePending(
  root: string,
  config: Config,
  context: IngestContext,
  { signal, pause, onDone }: PendingOptions,
): Promise<number> {
  const files = await pendingFiles(root, context);
  if (files.length === 0) return 0;
  const { indexKey, indexDirs, extractor = Extractor.none(), modelsDir = null } = context;
  using _lock = await lockRecognition(root, indexDirs?.[root]);
  const languages = await readLanguageData(modelsDir);
  if (languages === undefined) throw new UserError("ocr_data_missing", { count: files.length });
  const texts = new RecognisedTexts(root, indexKey, indexDirs?.[root]);
  const recogniser = new Recogniser({ texts, extractor, languages, signal, pause });
  const { walk: { maxFileBytes }, encoding } = ingestSettings(root, config);
  let unread: UserError | undefined;
  for (const { path, sha256 } of files) {
    signal.throwIfAborted();
    if ((await texts.get(sha256))?.isComplete) {
      onDone(path);
      continue;
    }
    let isPending = true;
    try {
      const { bytes, ...facts } = await readFileBytes(join(root, ...path.split("/")), {
        maxBytes: maxFileBytes,
      });
      if (facts.sha256.toHex() !== sha256) continue;
      const name = { path, pictures: true, ...(encoding === undefined ? {} : { encoding }) };
      const read = await readDocument(bytes, name, extractor, signal);
      ({ isPending } = await recogniser.complete(bytes, sha256, read));
    } catch (error) {
      if (!(error instanceof UserError) || isOfStore(error) || error.key === "extractor_unavailable") {
        throw error;
      }
      // The next indexing run reports why the file cannot be read, or finds that it is gone.
      if (PASSING.has(error.key)) unread ??= error;
      continue;
    }
    if (recogniser.unavailable !== undefined) {
      throw new UserError("extractor_unavailable", { path, error: recogniser.unavailable.message });
    }
    if (recogniser.problem !== undefined) throw recogniser.problem;
    if (!isPending) onDone(path);
  }
  if (unread !== undefined) throw unread;
  return files.length;
}

async function pendingFiles(root: string, context: IngestContext): Promise<StoredFile[]> {
  const loaded = await storeOf(root, context).open();
  if (loaded.state !== "ready") return [];
  using index = loaded.index;
  return index.files.filter(({ recognition }) => recognition === "pending").sort((a, b) => a.size - b.size);
}
