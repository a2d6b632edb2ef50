/** Text recognition in an indexing run and in the background: the documents that need it, and the data of the languages. */
import { join } from "node:path";
import { createHash } from "node:crypto";
import type { LanguageData } from "#documents/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { Extractor } from "#library/extract/mod.ts";
import { FolderFiles } from "#library/archives/mod.ts";
import { openStore, type Store } from "#library/store/mod.ts";
import type { StoredFile } from "#engine/index/mod.ts";
import { type IngestContext, type IngestOptions, recognitionOf } from "./types.ts";
import { present } from "#foundation/present.ts";
import type { Config } from "#foundation/configuration/mod.ts";
import { nameOf, Recogniser, type RecogniserOptions } from "./recogniser.ts";
import { ingestSettings } from "./settings.ts";
import { DESCRIPTION_FILE } from "#models/neural/mod.ts";
import { OCR_FOLDER } from "#foundation/constants.ts";
import { isDenied, isMissing, listNamed, readNamed } from "#foundation/boundary/mod.ts";

/** Errors of keeping recognised texts. */
const OF_STORE: ReadonlySet<string> = new Set(["data_folder_unsafe", "data_folder_unwritable", "disk_full"]);

/** Whether an error says that recognised texts cannot be read or kept. It concerns every document. */
export function isOfStore(error: unknown): boolean {
  return error instanceof UserError && OF_STORE.has(error.key);
}

/** Text recognition in an indexing run. */
export interface Recognition {
  readonly recogniser: Recogniser;
  /** Why scans among the files of an index have no text, if the data for it is missing or damaged. */
  readonly problemWith: (files: readonly StoredFile[]) => Pick<UserError, "key" | "params"> | undefined;
  /** Whether an unchanged file is to be read again, because more of its text is or can become known. */
  readonly isToRead: (old: StoredFile) => boolean | Promise<boolean>;
  /** Removes the texts of documents that are not in the index any more. */
  readonly removeOthers: (files: readonly StoredFile[]) => Promise<void>;
}

/** Opens the recognised texts of a folder, and, for a run that recognises text, the data of the languages. */
export async function openRecognition(
  { recognised: texts }: Store,
  { modelsDir = null, extractor = Extractor.none() }: IngestContext,
  { recognise = false, signal }: IngestOptions,
  onTried?: RecogniserOptions["onTried"],
): Promise<Recognition> {
  const { languages, problem } = recognise ? await languageData(modelsDir) : {};
  const recogniser = new Recogniser({ texts, extractor, languages, signal, onTried });
  return {
    recogniser,
    problemWith: (files) => {
      if (recogniser.problem !== undefined) return recogniser.problem;
      const { pending: count = 0 } = recognitionOf(files) ?? {};
      if (problem !== undefined) return files.some(isScan) ? problem : undefined;
      const lacksData = recognise && languages === undefined;
      return lacksData && count > 0 ? { key: "ocr_data_missing", params: { count } } : undefined;
    },
    isToRead: (file) => {
      const { recognition, sha256 } = file;
      if (recognition === "pending") {
        return languages !== undefined || texts.get(sha256).then((known) => known?.isComplete === true);
      }
      if (languages === undefined || !isScan(file)) return false;
      return texts.get(sha256).then((known) =>
        known !== undefined &&
        (!(known.isComplete && known.languages === nameOf(languages)) || (known.failed?.size ?? 0) > 0)
      );
    },
    removeOthers: (files) => texts.keepOnly(new Set(files.map(({ sha256 }) => sha256))),
  };
}

/** Whether a file has pages or pictures in which text is recognised. */
function isScan({ recognition, recognised, images, emptyPages, format }: StoredFile): boolean {
  return recognition !== undefined || recognised !== undefined || images !== undefined ||
    emptyPages !== undefined || format === "image";
}

/** The data of the languages, or why it cannot be used: scans then keep the text that is known of them. */
async function languageData(
  modelsDir: string | null,
): Promise<{ languages?: LanguageData[] | undefined; problem?: UserError }> {
  try {
    return { languages: await readLanguageData(modelsDir) };
  } catch (error) {
    if (error instanceof UserError && error.key === "ocr_data_unusable") return { problem: error };
    throw error;
  }
}

/** Errors of files that may be readable a moment later, though the folder stays as it is. */
const PASSING: ReadonlySet<string> = new Set(["no_permission", "file_unreadable"]);

/** Options of {@linkcode recognisePending}. */
interface PendingOptions {
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
  const store = openStore(config, root, context);
  const files = await pendingFiles(store);
  if (files.length === 0) return 0;
  const { extractor = Extractor.none(), modelsDir = null } = context;
  await using _lock = await store.lock("recognition");
  const languages = await readLanguageData(modelsDir);
  if (languages === undefined) throw new UserError("ocr_data_missing", { count: files.length });
  const { recognised: texts } = store;
  const recogniser = new Recogniser({ texts, extractor, languages, signal, pause });
  const { walk: { maxFileBytes }, encoding, ...settings } = ingestSettings(root, config);
  const ignoreImages = settings.ignoreImages || undefined;
  const folder = new FolderFiles(root, { extractor, maxBytes: maxFileBytes });
  let unread: UserError | undefined;
  for (const { path, sha256 } of files) {
    signal.throwIfAborted();
    if ((await texts.get(sha256))?.isComplete) {
      onDone(path);
      continue;
    }
    let isPending = true;
    try {
      const { bytes, ...facts } = await folder.read(path);
      if (facts.sha256.toHex() !== sha256) continue;
      const file = present({ path, encoding });
      const read = await extractor.read(
        bytes,
        { ...file, pictures: true, ...present({ ignoreImages }) },
        signal,
      );
      ({ isPending } = await recogniser.complete({ bytes, sha256, file, read }));
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

async function pendingFiles(store: Store): Promise<StoredFile[]> {
  const loaded = await store.open();
  if (loaded.state !== "ready") return [];
  using index = loaded.index;
  return index.files.filter(({ recognition }) => recognition === "pending").sort((a, b) => a.size - b.size);
}

const FILE = /^([a-z]{3}(?:_[a-z]+)*)\.traineddata$/;
/** Most languages that are read. Each one more takes more time for every page. */
const MOST_LANGUAGES = 4;
/** Most bytes of a language. Those of the best models have 15 million. */
const MOST_BYTES = 50_000_000;
/** Bytes of `model.json` that are read. */
const MOST_DESCRIPTION_BYTES = 1 << 20;

/**
 * Reads the data of the languages that `model install ocr` has installed, English first: it then loses nothing to the
 * Chinese data, which knows Latin letters too. `undefined` if none is installed or can be read. `modelsDir`: null if it is
 * unknown. Throws `ocr_data_unusable` if a file is not the installed one. Files that the user added are not compared.
 */
export async function readLanguageData(modelsDir: string | null): Promise<LanguageData[] | undefined> {
  if (modelsDir === null) return undefined;
  const folder = join(modelsDir, OCR_FOLDER);
  try {
    const names = (await listNamed(folder)).filter((name) => FILE.test(name))
      .sort((a, b) => Number(b.startsWith("eng.")) - Number(a.startsWith("eng.")) || (a < b ? -1 : 1));
    const read = await Promise.all(
      names.slice(0, MOST_LANGUAGES).map(async (name) => ({
        language: FILE.exec(name)![1]!,
        bytes: await readNamed(join(folder, name), MOST_BYTES),
      })),
    );
    if (read.length === 0) return undefined;
    const installed = await installedDigests(join(folder, DESCRIPTION_FILE));
    for (const { language, bytes } of read) {
      const name = `${language}.traineddata`;
      const expected = installed[name]?.sha256;
      if (expected !== undefined && createHash("sha256").update(bytes).digest("hex") !== expected) {
        throw new UserError("ocr_data_unusable", { error: name });
      }
    }
    return read;
  } catch (error) {
    // A link may lead to where the worker may not read.
    if (isMissing(error) || isDenied(error)) return undefined;
    throw error;
  }
}

/** The digests in the `model.json` of the data, by file name; none if it cannot be read, as without an installed model. */
async function installedDigests(path: string): Promise<Record<string, { readonly sha256?: string }>> {
  try {
    const text = new TextDecoder().decode(await readNamed(path, MOST_DESCRIPTION_BYTES));
    return JSON.parse(text)?.files ?? {};
  } catch {
    return {};
  }
}
