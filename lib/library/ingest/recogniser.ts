/** Completes documents with the text of their scanned pages and pictures, each recognised once and kept by its content. */
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
import { present } from "#foundation/present.ts";
import { type Extractor, ExtractorUnavailableError } from "#library/extract/mod.ts";
import {
  pictureKey,
  type RecognisedPages,
  type RecognisedPicture,
  type RecognisedTexts,
  type RecognitionFailure,
} from "#library/store/mod.ts";

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
export interface RecogniserOptions {
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

/** Completes documents with the text of their scanned pages and pictures, each of which is recognised once. */
export class Recogniser {
  readonly #options: RecogniserOptions;
  readonly #languages: string;
  /** The pictures that are being recognised, by their SHA-256. */
  readonly #underWay = new Map<string, Promise<void>>();
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
   * errors of {@linkcode RecognisedTexts}, and the reason of the signal. Texts that were recognised until then are kept.
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
          ...(this.#isCurrent(stored) ? present({ pictures: stored.pictures, left: stored.left }) : {}),
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
    const isCurrent = this.#isCurrent(stored);
    const pictures = new Map<number, RecognisedPicture>();
    for (const [number, picture] of listed.pictures ?? []) {
      pictures.set(number, isCurrent || !this.#isOn ? picture : { sha256: picture.sha256 });
    }
    const save = async () => {
      const languages = this.#isOn ? this.#languages : stored.languages;
      const found = {
        pictures,
        ...present({ left: listed.left }),
        isComplete: areTried(pictures),
        languages,
      };
      await store.set(document.sha256, { ...stored, ...found });
    };
    if (this.#isOn && [...pictures.values()].some(({ text }) => text === undefined)) {
      await this.#recognisePictures(document, pictures, save);
    } else if (stored.pictures === undefined || this.#isOn && !(isCurrent && stored.isComplete)) {
      await save();
    }
    // If recognition stops, pictures keep the texts of other data.
    const texts = Array.from(pictures, ([number, picture]) => {
      const { text } = stored.pictures?.get(number) ?? {};
      return [
        number,
        picture.text === undefined && text !== undefined ? { ...picture, text } : picture,
      ] as const;
    });
    return { ...stored, pictures: new Map(texts), ...present({ left: listed.left }) };
  }

  /**
   * Recognises the pictures without a text, and puts what was found in their place. One that is known from another document, or is
   * being recognised for another, is not recognised again.
   */
  async #recognisePictures(
    document: Recognisable,
    pictures: Map<number, RecognisedPicture>,
    save: () => Promise<void>,
  ): Promise<void> {
    const { texts: store } = this.#options;
    const missing = () => [...pictures].filter(([, { text }]) => text === undefined);
    const takeKnown = async () => {
      for (const [number, { sha256 }] of missing()) {
        const other = await store.get(pictureKey(sha256));
        const text = other !== undefined && this.#isCurrent(other) ? other.texts.get(1) : undefined;
        if (text !== undefined) pictures.set(number, { sha256, text });
      }
    };
    const recognise = async (wanted: readonly number[]) => {
      await this.#recognise(document, { kind: "pictures", wanted, known: new Map() }, async (found) => {
        for (const number of wanted) {
          const { sha256, text: before } = pictures.get(number)!;
          const [text, failed] = [found.texts.get(number), found.failed.get(number)];
          if (before !== undefined || text === undefined && failed === undefined) continue;
          pictures.set(number, { sha256, ...present({ text, failed }) });
          if (text === undefined) continue;
          const ofPicture = { texts: new Map([[1, text]]), isComplete: true, languages: this.#languages };
          await store.set(pictureKey(sha256), ofPicture);
        }
        await save();
      });
    };
    await takeKnown();
    const ofOthers = missing().filter(([, { sha256 }]) => this.#underWay.has(sha256));
    const own = missing().filter(([, { sha256 }]) => !this.#underWay.has(sha256));
    const isOver = Promise.withResolvers<void>();
    for (const [, { sha256 }] of own) this.#underWay.set(sha256, isOver.promise);
    try {
      await recognise(own.map(([number]) => number));
    } finally {
      for (const [, { sha256 }] of own) this.#underWay.delete(sha256);
      isOver.resolve();
    }
    await Promise.all(ofOthers.map(([, { sha256 }]) => this.#underWay.get(sha256)));
    await takeKnown();
    await recognise(
      ofOthers.map(([number]) => number).filter((number) => pictures.get(number)!.text === undefined),
    );
    await save();
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
export function nameOf(languages: readonly LanguageData[]): string {
  return languages.map(({ language, bytes }) => `${language}:${bytes.length}`).join(" ");
}
