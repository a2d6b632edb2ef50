/**
 * Recognises text in an image with Tesseract's WebAssembly, which has no access to anything else.
 * Below it: the text of a page from Tesseract's table of words.
 */
import { DocumentError } from "../types.ts";
// @ts-types="./engine/core.d.ts"
import createCore from "./engine/core.js";
import type { TesseractApi, TesseractCore } from "./engine/core.d.ts";
import type { LanguageData } from "./request.ts";
import { unpacked } from "../packed.ts";

/** Most pixels of an image. An A4 page at 600 dpi has 35 million. */
const MOST_PIXELS = 50_000_000;
/** Fewest pixels of a side. */
const LEAST_SIDE = 16;

/**
 * Recognises text in images with Tesseract. Its WebAssembly has a memory of its own and no access to anything else. An
 * engine that has thrown must not be used again.
 */
export class TextEngine implements Disposable {
  readonly #core: TesseractCore;
  readonly #memory: WebAssembly.Memory;
  readonly #api: TesseractApi;

  private constructor({ core, memory }: StartedCore, api: TesseractApi) {
    this.#core = core;
    this.#memory = memory;
    this.#api = api;
  }

  /** Starts an engine. Throws {@linkcode DocumentError} with `unsupported` if the data of a language cannot be used. */
  static async start(languages: readonly LanguageData[]): Promise<TextEngine> {
    const started = await startCore();
    const { core } = started;
    try {
      for (const { language, bytes } of languages) {
        core.FS.writeFile(`./${language}.traineddata`, bytes);
      }
      const api = new core.TessBaseAPI();
      if (api.Init(null, languages.map(({ language }) => language).join("+"), 1) === 0) {
        // Tesseract has its own copy.
        for (const { language } of languages) core.FS.unlink(`./${language}.traineddata`);
        return new TextEngine(started, api);
      }
    } catch (error) {
      throw new DocumentError("unsupported", `the OCR data cannot be used: ${error}`, { cause: error });
    }
    throw new DocumentError("unsupported", "the OCR data cannot be used");
  }

  /**
   * Returns the text in an image: PNG, JPEG, TIFF (its first page), BMP, WebP or PNM. `orientation`: as in Exif. Empty if
   * there is no text, or if the image is too small. Throws {@linkcode DocumentError} for an image that is too large or
   * cannot be read.
   */
  textIn(image: Uint8Array, orientation = 1): string {
    const { width, height } = sizeOf(image, { core: this.#core, memory: this.#memory });
    if (Math.min(width, height) < LEAST_SIDE) return "";
    if (width * height > MOST_PIXELS) {
      throw new DocumentError("too_complex", `the image has ${width} × ${height} pixels`);
    }
    this.#core.FS.writeFile("/input", image);
    try {
      if (this.#api.SetImageFile(orientation, 0) !== 0 || this.#api.Recognize(null) !== 0) {
        throw new DocumentError("damaged", "the image cannot be read");
      }
      return pageText(this.#api.GetTSVText(0));
    } finally {
      this.#api.Clear();
      this.#core.FS.unlink("/input");
    }
  }

  [Symbol.dispose](): void {
    this.#api.End();
  }
}

/** An instance of Tesseract with its memory. */
export interface StartedCore {
  readonly core: TesseractCore;
  readonly memory: WebAssembly.Memory;
}

/** Starts an instance, which needs no data of languages to read images. */
export async function startCore(): Promise<StartedCore> {
  const module = await WebAssembly.compile(unpacked((await import("./engine/core_wasm.ts")).data));
  let memory: WebAssembly.Memory | undefined;
  const silent = () => {};
  const core = await createCore({
    instantiateWasm: (imports, done) => {
      const instance = new WebAssembly.Instance(module, imports);
      memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory);
      done(instance, module);
    },
    print: silent,
    printErr: silent,
  });
  return { core, memory: memory! };
}

/** Reads the size in the head of an image, before memory is taken for its pixels. Throws {@linkcode DocumentError}. */
export function sizeOf(
  image: Uint8Array,
  { core, memory }: StartedCore,
): { readonly width: number; readonly height: number } {
  const at = core._malloc(image.length + 24);
  if (at === 0) throw new DocumentError("too_complex", "the image needs too much memory");
  try {
    const data = at + 24;
    new Uint8Array(memory.buffer).set(image, data);
    const failed = core._pixReadHeaderMem(
      data,
      image.length,
      at,
      at + 4,
      at + 8,
      at + 12,
      at + 16,
      at + 20,
    );
    if (failed !== 0) throw new DocumentError("damaged", "the head of the image cannot be read");
    return { width: core.getValue(at + 4, "i32"), height: core.getValue(at + 8, "i32") };
  } finally {
    core._free(at);
  }
}

/** Mean certainty in percent below which a line, or a whole page, is not text. Printed text has 85 and more. */
const LEAST_OF_LINE = 50;
const LEAST_OF_PAGE = 60;
/** Share of the width of its paragraph from which a line is full, so that the next one continues its sentence. */
const FULL = 0.8;
/** Levels of the rows of Tesseract's table. */
const PARAGRAPH = "3", LINE = "4", WORD = "5";

/** Characters between which no blank is written: Chinese, Japanese, and their punctuation. */
const WIDE = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3000-\\u303f\\uff00-\\uffef“”‘’…—]";
const WIDE_END = new RegExp(`${WIDE}$`, "u");
const WIDE_START = new RegExp(`^${WIDE}`, "u");
const PUNCTUATION_START = /^[\u3001\u3002\uff01-\uff0f\uff1a-\uff20\u3008-\u3011”’]/u;

interface Word {
  readonly text: string;
  readonly certainty: number;
}

interface Line {
  readonly words: Word[];
  readonly right: number;
}

interface Paragraph {
  readonly right: number;
  readonly lines: Line[];
}

/**
 * Returns the text of a page from Tesseract's table of words. Paragraphs are separated by an empty line, and their full
 * lines are joined. Lines that Tesseract is not certain of are left out: it reads text into pictures and stains. Empty if
 * most of the page is uncertain.
 */
function pageText(table: string): string {
  const paragraphs = paragraphsOf(table);
  const words = paragraphs.flatMap(({ lines }) => lines.flatMap(({ words }) => words));
  if (certaintyOf(words) < LEAST_OF_PAGE) return "";
  return paragraphs.map(paragraphText).filter((text) => /[\p{L}\p{N}]/u.test(text)).join("\n\n");
}

function paragraphsOf(table: string): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  for (const row of table.split("\n")) {
    const [level, , , , , , left, , width, , certainty, ...cells] = row.split("\t");
    const right = Number(left) + Number(width);
    if (level === PARAGRAPH) paragraphs.push({ right, lines: [] });
    else if (level === LINE) paragraphs.at(-1)?.lines.push({ right, words: [] });
    else if (level === WORD) {
      const text = cells.join("\t").trim();
      if (text !== "") paragraphs.at(-1)?.lines.at(-1)?.words.push({ text, certainty: Number(certainty) });
    }
  }
  return paragraphs;
}

/** Returns the mean certainty of words in percent, each weighted by its length; 0 for no words. */
function certaintyOf(words: readonly Word[]): number {
  const length = words.reduce((sum, { text }) => sum + text.length, 0);
  return length === 0
    ? 0
    : words.reduce((sum, { text, certainty }) => sum + text.length * certainty, 0) / length;
}

function paragraphText({ lines, right }: Paragraph): string {
  let text = "";
  let wasFull = false;
  for (const line of lines) {
    if (certaintyOf(line.words) < LEAST_OF_LINE) continue;
    const words = line.words.reduce((all, word) => join(all, word.text), "");
    text = text === "" || wasFull ? join(text, words, true) : `${text}\n${words}`;
    wasFull = line.right >= FULL * right;
  }
  return text;
}

/** Joins two pieces of text. `lines`: the second begins a line, so that a hyphen before it divides a word. */
function join(before: string, after: string, lines = false): string {
  if (before === "" || after === "") return before + after;
  if (lines && /\p{L}-$/u.test(before) && /^\p{Ll}/u.test(after)) return before.slice(0, -1) + after;
  const close = WIDE_END.test(before) && WIDE_START.test(after) || PUNCTUATION_START.test(after) ||
    WIDE_END.test(before) && /\p{P}$/u.test(before);
  return before + (close ? "" : " ") + after;
}
