/**
 * Recognises the text in pages that are images: scanned pages of a PDF, pictures, and pictures inside of documents.
 * Below it: the pages of a picture.
 */
import { embeddedPictures } from "./embedded.ts";
import { type NumberedPage, type PageImage, pdfPages } from "./pdf_pages.ts";
import { type LanguageData, type RecognitionRequest, tiffPage, unpackRequest } from "./request.ts";
import { type Document, DocumentError, given, type Loader, type Page } from "../types.ts";
import { orientationOf } from "../pictures/facts.ts";
import { TextEngine } from "./text_engine.ts";

/** Yields the pages of a picture. Only a TIFF has more than one. */
async function* imagePages(bytes: Uint8Array, numbers: readonly number[]): AsyncGenerator<NumberedPage> {
  for (const number of numbers) {
    const page = number === 1 ? bytes : tiffPage(bytes, number);
    yield {
      number,
      ...(page === undefined
        ? { isUnreadable: true }
        : { image: { bytes: page, orientation: orientationOf(page) } }),
    };
  }
}

/** Milliseconds after which no further page of a request is begun. Its document is sent again with the next request. */
const ENOUGH_MS = 10_000;

/** The part of a {@linkcode TextEngine} that the loader needs. */
type Engine = Pick<TextEngine, "textIn" | typeof Symbol.dispose>;

/**
 * Recognises the text in pages that are images. Its bytes are a {@linkcode RecognitionRequest}. The document has the text
 * and the `pages` that were recognised: at least the first one asked for, and more until {@linkcode ENOUGH_MS} have passed.
 * Pages without text are empty, and `emptyPages` has those that could not be read. Throws `unsupported` if the data of the languages cannot be used.
 */
export class RecognitionLoader implements Loader {
  readonly #start: (languages: readonly LanguageData[]) => Promise<Engine>;
  /** The engine of the last request, with its languages. */
  #last: { readonly engine: Engine; readonly languages: readonly LanguageData[] } | undefined;

  constructor(start: (languages: readonly LanguageData[]) => Promise<Engine> = TextEngine.start) {
    this.#start = start;
  }

  async load(bytes: Uint8Array<ArrayBuffer>): Promise<Document> {
    const request = unpackRequest(bytes);
    const begun = performance.now();
    const pages: Page[] = [];
    const unreadable: number[] = [];
    let text = "";
    for await (const { number, image, isUnreadable = false } of imagesOf(request)) {
      const read = image === undefined ? "" : await this.#textIn(image, request.languages);
      if (read === undefined || isUnreadable) unreadable.push(number);
      const found = read ?? "";
      if (text !== "" && found !== "") text += "\n\n";
      pages.push({ number, start: text.length, end: text.length + found.length });
      text += found;
      if (performance.now() - begun > ENOUGH_MS) break;
    }
    return { text, sections: [], pages, ...given({ emptyPages: unreadable }) };
  }

  /** Returns the text in an image; `undefined` if it cannot be read, or if a new engine fails at it as well. */
  async #textIn(
    { bytes, orientation }: PageImage,
    languages: readonly LanguageData[],
  ): Promise<string | undefined> {
    for (let isNew = false;; isNew = true) {
      const engine = await this.#engineFor(languages);
      try {
        return engine.textIn(bytes, orientation);
      } catch (error) {
        if (error instanceof DocumentError) return undefined;
        // The memory of the engine may be damaged, or full.
        this.#last = undefined;
        if (isNew) return undefined;
      }
    }
  }

  /** Returns an engine for these languages: the last one, if it has the same data. */
  async #engineFor(languages: readonly LanguageData[]): Promise<Engine> {
    if (this.#last !== undefined && isSame(this.#last.languages, languages)) return this.#last.engine;
    this.#last?.engine[Symbol.dispose]();
    this.#last = undefined;
    const engine = await this.#start(languages);
    // The bytes are a part of the request.
    const copies = languages.map(({ language, bytes }) => ({ language, bytes: bytes.slice() }));
    this.#last = { engine, languages: copies };
    return engine;
  }
}

export const loader: Loader = new RecognitionLoader();

function imagesOf(
  { kind, document, pages, file = { path: "" } }: RecognitionRequest,
): AsyncGenerator<NumberedPage> {
  if (kind === "pictures") return embeddedPictures(document, file, pages);
  return kind === "pdf" ? pdfPages(document, pages) : imagePages(document, pages);
}

function isSame(a: readonly LanguageData[], b: readonly LanguageData[]): boolean {
  return a.length === b.length && a.every(({ language, bytes }, i) => {
    const other = b[i]!;
    return language === other.language && bytes.length === other.bytes.length &&
      bytes.every((byte, at) => byte === other.bytes[at]);
  });
}
