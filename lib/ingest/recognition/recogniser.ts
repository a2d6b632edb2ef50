import {
  DocumentError,
  type LanguageData,
  packRequest,
  pagesToRecognise,
  RECOGNITION,
  withRecognisedText,
} from "../../document/mod.ts";
import { UserError } from "../../errors.ts";
import { type Extractor, ExtractorUnavailableError, type ReadDocument } from "../../extract/mod.ts";
import type { RecognisedPages, RecognisedTexts, RecognitionFailure } from "../../store/mod.ts";

/** A document with the text that is known of its scanned pages. */
export interface CompletedDocument extends ReadDocument {
  /** Whether text may still be recognised in some of its pages. */
  readonly isPending: boolean;
  /** Why no text could be recognised in some of its pages. */
  readonly failed: NonNullable<RecognisedPages["failed"]>;
}

/** Input of a {@linkcode Recogniser}. */
export interface RecogniserOptions {
  readonly texts: Pick<RecognisedTexts, "get" | "set">;
  readonly extractor: Extractor;
  /** The data of the languages. Without it, nothing is recognised, and only known texts are used. */
  readonly languages?: readonly LanguageData[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of pages that were just tried. */
  readonly onPages?: (count: number) => void;
  /** Awaited before each request of about ten seconds. */
  readonly pause?: () => Promise<void>;
}

/** Errors of {@linkcode RecognisedTexts}. */
const OF_STORE: ReadonlySet<string> = new Set(["data_folder_unsafe", "data_folder_unwritable", "disk_full"]);

/** Completes documents with the text of their scanned pages, each of which is recognised once. */
export class Recogniser {
  readonly #options: RecogniserOptions;
  readonly #languages: string;
  #problem: UserError | undefined;
  #unavailable: ExtractorUnavailableError | undefined;

  constructor(options: RecogniserOptions) {
    this.#options = options;
    this.#languages = nameOf(options.languages ?? []);
  }

  /**
   * Set to `ocr_data_unusable` when the data of the languages has turned out to be damaged. Nothing more is recognised then.
   */
  get problem(): UserError | undefined {
    return this.#problem;
  }

  /** Set when no process could be started. The document at hand is pending then, and the next one is tried. */
  get unavailable(): ExtractorUnavailableError | undefined {
    return this.#unavailable;
  }

  /**
   * Returns a document with the text of its scanned pages. `sha256`: that of the bytes, in hexadecimal. Throws the errors of
   * {@linkcode RecognisedTexts}, and the reason of the signal. What was recognised before is kept.
   */
  async complete(bytes: Uint8Array, sha256: string, read: ReadDocument): Promise<CompletedDocument> {
    const wanted = pagesToRecognise(read.document, read.format);
    if (wanted.length === 0) return { ...read, isPending: false, failed: new Map() };
    const stored = await this.#options.texts.get(sha256);
    let texts = stored?.texts ?? new Map<number, string>();
    let failed: CompletedDocument["failed"] = stored?.failed ?? new Map();
    if (this.#options.languages !== undefined && this.#problem === undefined) {
      const known = stored?.languages === this.#languages ? texts : new Map<number, string>();
      const kind = read.format === "pdf" ? "pdf" : "image";
      const found = await this.#recognise(bytes, sha256, kind, wanted, known);
      // If recognition stops, pages keep the texts of other data.
      texts = new Map([...texts, ...found.texts]);
      failed = new Map([...failed, ...found.failed].filter(([page]) => !texts.has(page)));
    }
    return {
      ...read,
      document: withRecognisedText(read.document, texts),
      isPending: wanted.some((page) => !texts.has(page) && !failed.has(page)),
      failed,
    };
  }

  /** Recognises the pages whose text is not known, those that failed before included: once more in each run. */
  async #recognise(
    document: Uint8Array,
    sha256: string,
    kind: "pdf" | "image",
    wanted: readonly number[],
    known: RecognisedPages["texts"],
  ): Promise<Required<Pick<RecognisedPages, "texts" | "failed">>> {
    const { texts: store, signal, onPages, pause, languages = [] } = this.#options;
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
        const found = await this.#textsIn(packRequest({ kind, pages, languages, document }));
        for (const page of pages) {
          if (found.unreadable.has(page)) failed.set(page, "unreadable");
          else if (found.texts.has(page)) texts.set(page, found.texts.get(page)!);
        }
        isOneByOne = false;
      } catch (error) {
        if (error instanceof ExtractorUnavailableError) {
          this.#unavailable = error;
          return { texts, failed };
        }
        if (!(error instanceof DocumentError)) throw error;
        if (error.problem === "unsupported") {
          this.#problem = new UserError("ocr_data_unusable", { error: error.message });
          return { texts, failed };
        }
        isOneByOne = pages.length > 1 && error.problem === "too_complex";
        // A page that takes too long, and every page of a document that cannot be opened, is given up.
        const reason = error.problem === "too_complex" ? "too_complex" : "unreadable";
        if (!isOneByOne) { for (const page of pages) failed.set(page, reason); }
      }
      onPages?.(texts.size + failed.size - before);
      const isComplete = wanted.every((page) => texts.has(page) || failed.has(page));
      await store.set(sha256, { texts, failed, isComplete, languages: this.#languages });
    }
  }

  async #textsIn(request: Uint8Array): Promise<{ texts: Map<number, string>; unreadable: Set<number> }> {
    const { extractor, signal } = this.#options;
    const { text, pages = [], emptyPages } = await extractor.extract(
      RECOGNITION,
      request,
      { path: "" },
      signal,
    );
    return {
      texts: new Map(pages.map(({ number, start, end }) => [number, text.slice(start, end)])),
      unreadable: new Set(emptyPages),
    };
  }
}

/** Returns the names and sizes of the languages' data, as recognised texts are marked with them. */
export function nameOf(languages: readonly LanguageData[]): string {
  return languages.map(({ language, bytes }) => `${language}:${bytes.length}`).join(" ");
}

/** Whether an error says that recognised texts cannot be read or kept. It concerns every document. */
export function isOfStore(error: unknown): boolean {
  return error instanceof UserError && OF_STORE.has(error.key);
}
