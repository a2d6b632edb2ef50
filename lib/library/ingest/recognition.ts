/** Text recognition in an indexing run and in the background: in scanned pages and in pictures of documents, with its texts kept by content. */
import { join } from "node:path";
import { createHash } from "node:crypto";
import {
  DocumentError,
  type FileName,
  type LanguageData,
  mayHoldPictures,
  packRequest,
  pagesToRecognise,
  picturesToRecognise,
  type ReadDocument,
  RECOGNITION,
  type RecognitionRequest,
  withRecognisedText,
} from "#documents/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { Extractor, ExtractorUnavailableError } from "#library/extract/mod.ts";
import { FolderFiles } from "#library/archives/mod.ts";
import {
  openStore,
  pictureKey,
  type RecognisedPages,
  type RecognisedTexts,
  type RecognitionFailure,
  type Store,
} from "#library/store/mod.ts";
import type { StoredFile } from "#engine/index/mod.ts";
import { type IngestContext, type IngestOptions, recognitionOf } from "./types.ts";
import { present } from "#foundation/present.ts";
import type { Config } from "#foundation/configuration/mod.ts";
import { ingestSettings } from "./settings.ts";
import { DESCRIPTION_FILE } from "#models/neural/mod.ts";
import { OCR_FOLDER } from "#foundation/constants.ts";
import { isDenied, isMissing, listNamed, readNamed } from "#foundation/boundary/mod.ts";

/** A document with the text that is known of its scanned pages and its pictures. */
export interface CompletedDocument extends ReadDocument {
  /** Whether text may still be recognised in some of its pages and pictures. */
  readonly isPending: boolean;
  /** Why no text could be recognised in some of its pages. */
  readonly failed: NonNullable<RecognisedPages["failed"]>;
  /** The same for its pictures. Absent if it holds none. */
  readonly failedPictures?: NonNullable<RecognisedPages["failed"]>;
  /** Number of pictures that were left out because of a limit. */
  readonly leftPictures?: number;
}

/** Input of a {@linkcode Recogniser}. */
interface RecogniserOptions {
  readonly texts: Pick<RecognisedTexts, "get" | "set">;
  readonly extractor: Extractor;
  /** The data of the languages. Without it, nothing is recognised, and only known texts are used. */
  readonly languages?: readonly LanguageData[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of pages or pictures that were just tried. */
  readonly onTried?: ((count: number, what: "pages" | "pictures") => void) | undefined;
  /** Awaited before each request of about ten seconds. */
  readonly pause?: () => Promise<void>;
}

/** A document in which text is recognised. */
interface Recognisable {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly file: Pick<FileName, "path" | "encoding">;
  readonly read: ReadDocument;
}

/** The texts that were found under numbers, and why there is none under others. */
type Found = Required<Pick<RecognisedPages, "texts" | "failed">>;

/** Errors of {@linkcode RecognisedTexts}. */
const OF_STORE: ReadonlySet<string> = new Set(["data_folder_unsafe", "data_folder_unwritable", "disk_full"]);

/** Completes documents with the text of their scanned pages and pictures, each of which is recognised once. */
export class Recogniser {
  readonly #options: RecogniserOptions;
  readonly #languages: string;
  /** Set to `ocr_data_unusable` when the data of the languages has turned out to be damaged. Nothing more is recognised then. */
  problem: UserError | undefined;
  /** Set when no process could be started. The document at hand is pending then, and the next one is tried. */
  unavailable: ExtractorUnavailableError | undefined;

  constructor(options: RecogniserOptions) {
    this.#options = options;
    this.#languages = nameOf(options.languages ?? []);
  }

  /**
   * Returns a document with the text of its scanned pages and its pictures. `sha256`: that of the bytes, in hexadecimal. Throws the
   * errors of {@linkcode RecognisedTexts}, and the reason of the signal. What was recognised before is kept.
   */
  async complete(document: Recognisable): Promise<CompletedDocument> {
    const { sha256, read } = document;
    const wanted = pagesToRecognise(read.document, read.format);
    const hasPictures = mayHoldPictures(read.document, read.format);
    if (wanted.length === 0 && !hasPictures) return { ...read, isPending: false, failed: new Map() };
    const stored = await this.#options.texts.get(sha256);
    let known: RecognisedPages = stored ??
      { texts: new Map(), isComplete: false, languages: this.#languages };
    if (wanted.length > 0) known = await this.#completePages(document, wanted, known, hasPictures);
    const areDone = isEach(wanted, known);
    if (hasPictures && areDone) known = await this.#completePictures(document, wanted, known);
    const { texts, failed = new Map(), pictures, left } = known;
    const isPending = !areDone || hasPictures && !areTried(pictures);
    return {
      ...read,
      document: withRecognisedText(read.document, texts, pictures),
      isPending,
      failed,
      ...(pictures === undefined ? {} : { failedPictures: failuresOf(pictures) }),
      ...present({ leftPictures: left }),
    };
  }

  get #isOn(): boolean {
    return this.#options.languages !== undefined && this.problem === undefined;
  }

  async #completePages(
    document: Recognisable,
    wanted: readonly number[],
    stored: RecognisedPages,
    hasPictures: boolean,
  ): Promise<RecognisedPages> {
    if (!this.#isOn) return stored;
    const kind = document.read.format === "pdf" ? "pdf" : "image";
    // If recognition stops, pages keep the texts of other data.
    const joined = (found: Found): RecognisedPages => {
      const texts = new Map([...stored.texts, ...found.texts]);
      const all = [...stored.failed ?? [], ...found.failed];
      return { ...stored, texts, failed: new Map(all.filter(([page]) => !texts.has(page))) };
    };
    const found = await this.#recognise(
      document,
      { kind, wanted, known: this.#isCurrent(stored) ? stored.texts : new Map() },
      async (found) => {
        const isComplete = isEach(wanted, found) && (!hasPictures || areTried(stored.pictures));
        await this.#options.texts.set(document.sha256, {
          ...present({ pictures: stored.pictures, left: stored.left }),
          ...found,
          isComplete,
          languages: this.#languages,
        });
      },
    );
    return joined(found);
  }

  /** Lists the pictures of a document, and recognises them. `drawn`: the pages that are recognised as a whole if they have text. */
  async #completePictures(
    document: Recognisable,
    drawn: readonly number[],
    stored: RecognisedPages,
  ): Promise<RecognisedPages> {
    const { texts: store } = this.#options;
    const withText = drawn.filter((page) => stored.texts.get(page)?.trim());
    const listed = stored.pictures === undefined
      ? await this.#listPictures(document, new Set(withText))
      : stored;
    if (listed === undefined) return stored;
    const pictures = new Map(listed.pictures);
    const wanted = [...pictures.keys()];
    const isCurrent = this.#isCurrent(stored);
    const result = (): RecognisedPages => ({
      ...stored,
      pictures,
      ...present({ left: listed.left }),
      isComplete: areTried(pictures),
      languages: this.#isOn ? this.#languages : stored.languages,
    });
    const known = new Map<number, string>();
    for (const [number, { sha256, text }] of this.#isOn ? pictures : []) {
      const other = isCurrent && text !== undefined ? undefined : await store.get(pictureKey(sha256));
      const shared = other !== undefined && this.#isCurrent(other) ? other.texts.get(1) : undefined;
      const own = isCurrent ? text : undefined;
      const kept = own ?? shared;
      if (kept !== undefined) known.set(number, kept);
    }
    for (const [number, text] of known) pictures.set(number, { sha256: pictures.get(number)!.sha256, text });
    if (known.size === wanted.length || !this.#isOn) {
      const isNew = stored.pictures === undefined || this.#isOn && !(isCurrent && stored.isComplete);
      if (isNew) await store.set(document.sha256, result());
      return result();
    }
    await this.#recognise(document, { kind: "pictures", wanted, known }, async ({ texts, failed }) => {
      for (const [number, { sha256 }] of pictures) {
        const [text, reason] = [texts.get(number), failed.get(number)];
        if (text === undefined && reason === undefined) continue;
        pictures.set(number, { sha256, ...present({ text, failed: reason }) });
        if (text === undefined || known.has(number)) continue;
        known.set(number, text);
        const ofPicture = { texts: new Map([[1, text]]), isComplete: true, languages: this.#languages };
        await store.set(pictureKey(sha256), ofPicture);
      }
      await store.set(document.sha256, result());
    });
    return result();
  }

  /** Returns the pictures in which text may be recognised; `undefined` if no process could be started. */
  async #listPictures(
    { bytes, file, read }: Recognisable,
    drawn: ReadonlySet<number>,
  ): Promise<Pick<RecognisedPages, "pictures" | "left"> | undefined> {
    const { extractor, signal } = this.#options;
    try {
      const { response } = await extractor.ask({ format: { want: "list" }, bytes, file }, signal);
      const listed = "pictures" in response ? response.pictures.pictures : [];
      const { pictures, left } = picturesToRecognise(read.document, listed, read.format, drawn);
      const found = pictures.map(({ number, sha256 }) => [number, { sha256 }] as const);
      return { pictures: new Map(found), ...present({ left: left || undefined }) };
    } catch (error) {
      if (error instanceof ExtractorUnavailableError) {
        this.unavailable = error;
        return undefined;
      }
      if (!(error instanceof DocumentError)) throw error;
      return { pictures: new Map() };
    }
  }

  /** Whether texts were recognised with the data of this recogniser. */
  #isCurrent({ languages }: RecognisedPages): boolean {
    return languages === this.#languages;
  }

  /**
   * Recognises the pages or pictures whose text is not known, those that failed before included: once more in each run. `save` keeps
   * what was found after each request.
   */
  async #recognise(
    { bytes: document, file }: Recognisable,
    { kind, wanted, known }: {
      readonly kind: RecognitionRequest["kind"];
      readonly wanted: readonly number[];
      readonly known: RecognisedPages["texts"];
    },
    save: (found: Found) => Promise<void>,
  ): Promise<Found> {
    const { signal, onTried, pause, languages = [] } = this.#options;
    const texts = new Map(known);
    const failed = new Map<number, RecognitionFailure>();
    // After a request that failed, the page at fault is found by asking for its pages one by one.
    let isOneByOne = false;
    for (;;) {
      const missing = wanted.filter((page) => !texts.has(page) && !failed.has(page));
      if (missing.length === 0) return { texts, failed };
      await pause?.();
      signal?.throwIfAborted();
      const pages: number[] = isOneByOne ? missing.slice(0, 1) : missing;
      const before = texts.size + failed.size;
      try {
        const found = await this.#textsIn(packRequest({ kind, pages, file, languages, document }));
        for (const page of pages) {
          if (found.unreadable.has(page)) failed.set(page, "unreadable");
          else if (found.texts.has(page)) texts.set(page, found.texts.get(page)!);
        }
        isOneByOne = false;
      } catch (error) {
        if (error instanceof ExtractorUnavailableError) {
          this.unavailable = error;
          return { texts, failed };
        }
        if (!(error instanceof DocumentError)) throw error;
        if (error.problem === "unsupported") {
          this.problem = new UserError("ocr_data_unusable", { error: error.message });
          return { texts, failed };
        }
        isOneByOne = pages.length > 1 && error.problem === "too_complex";
        // A page that takes too long, and every page of a document that cannot be opened, is given up.
        const reason = error.problem === "too_complex" ? "too_complex" : "unreadable";
        if (!isOneByOne) { for (const page of pages) failed.set(page, reason); }
      }
      onTried?.(texts.size + failed.size - before, kind === "pictures" ? "pictures" : "pages");
      await save({ texts, failed });
    }
  }

  async #textsIn(request: Uint8Array): Promise<{ texts: Map<number, string>; unreadable: Set<number> }> {
    const { extractor, signal } = this.#options;
    const found = await extractor.extract(RECOGNITION, request, { path: "" }, signal);
    const { text, pages = [], emptyPages } = found;
    return {
      texts: new Map(pages.map(({ number, start, end }) => [number, text.slice(start, end)])),
      unreadable: new Set(emptyPages),
    };
  }
}

/** Whether each page has a text, or a reason why it has none. */
function isEach(
  wanted: readonly number[],
  { texts, failed }: Pick<RecognisedPages, "texts" | "failed">,
): boolean {
  return wanted.every((page) => texts.has(page) || failed?.has(page));
}

/** Whether pictures were listed, and each of them was tried. */
function areTried(pictures: RecognisedPages["pictures"]): boolean {
  return pictures !== undefined &&
    [...pictures.values()].every(({ text, failed }) => text !== undefined || failed !== undefined);
}

function failuresOf(pictures: NonNullable<RecognisedPages["pictures"]>): Map<number, RecognitionFailure> {
  return new Map(
    [...pictures].flatMap(([number, { failed }]) => failed === undefined ? [] : [[number, failed]]),
  );
}

/** Returns the names and sizes of the languages' data, as recognised texts are marked with them. */
function nameOf(languages: readonly LanguageData[]): string {
  return languages.map(({ language, bytes }) => `${language}:${bytes.length}`).join(" ");
}

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
  readonly isToRead: (old: StoredFile) => Promise<boolean>;
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
    isToRead: async (file) => {
      const { recognition, sha256 } = file;
      if (recognition === "pending") {
        return languages !== undefined || (await texts.get(sha256))?.isComplete === true;
      }
      if (languages === undefined || !isScan(file)) return false;
      const known = await texts.get(sha256);
      return known !== undefined &&
        (!(known.isComplete && known.languages === nameOf(languages)) || (known.failed?.size ?? 0) > 0);
    },
    removeOthers: (files) => texts.keepOnly(new Set(files.map(({ sha256 }) => sha256))),
  };
}

/** Whether a file has pages or pictures in which text is recognised. */
function isScan({ recognition, recognised, recognisedImages, emptyPages, format }: StoredFile): boolean {
  return recognition !== undefined || recognised !== undefined || recognisedImages !== undefined ||
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
