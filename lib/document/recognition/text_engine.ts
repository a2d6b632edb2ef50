import { DocumentError } from "../types.ts";
// @ts-types="./engine/core.d.ts"
import createCore from "./engine/core.js";
import type { TesseractApi, TesseractCore } from "./engine/core.d.ts";
import type { LanguageData } from "./request.ts";
import { pageText } from "./page_text.ts";
import { wasmBytes } from "./wasm_modules.ts";

/** Most pixels of an image. An A4 page at 600 dpi has 35 million. */
export const MOST_PIXELS = 50_000_000;
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
    const { width, height } = this.#sizeOf(image);
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

  /** Reads the size in the head of an image, before memory is taken for its pixels. */
  #sizeOf(image: Uint8Array): { width: number; height: number } {
    const core = this.#core;
    const at = core._malloc(image.length + 24);
    if (at === 0) throw new DocumentError("too_complex", "the image needs too much memory");
    try {
      const data = at + 24;
      new Uint8Array(this.#memory.buffer).set(image, data);
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

  [Symbol.dispose](): void {
    this.#api.End();
  }
}

/** An instance of Tesseract with its memory. */
interface StartedCore {
  readonly core: TesseractCore;
  readonly memory: WebAssembly.Memory;
}

async function startCore(): Promise<StartedCore> {
  const module = await WebAssembly.compile(await wasmBytes("core"));
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
