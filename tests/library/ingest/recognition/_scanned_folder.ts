/** Folders for the tests of text recognition in indexing runs. */
import { join } from "node:path";
import { loadConfig } from "#foundation/configuration/mod.ts";
import { EXTRACT_ARGUMENT, Extractor } from "#library/extract/mod.ts";
import { ingest, type IngestContext, type IngestOptions } from "#library/ingest/mod.ts";
import { NO_LOG } from "#foundation/log.ts";
import { ownProcess } from "#foundation/boundary/mod.ts";
import { openLibrary } from "#library/search/mod.ts";
import { modelsWithOcr } from "../../../documents/recognition/_language_data.ts";
import { sample } from "../../../documents/recognition/_samples.ts";
import { scanPdf } from "../../../documents/recognition/_scan_pdf.ts";

export const modelsDir = await modelsWithOcr();
const openProcess = ownProcess(EXTRACT_ARGUMENT, Deno.env.toObject());
export const KEY = new Uint8Array(32).fill(1);

/** A folder whose files hold pictures of text. */
export class ScannedFolder implements AsyncDisposable {
  /** Pages, and pictures of documents, that were tried in the last run. */
  recognised = 0;
  pictures = 0;
  started = 0;
  readonly #extractor = new Extractor((events) => {
    this.started++;
    return openProcess(events);
  }, { processes: 2 });

  private constructor(readonly root: string) {}

  static async make(files: Readonly<Record<string, Uint8Array>> = SCANS): Promise<ScannedFolder> {
    const root = await Deno.realPath(await Deno.makeTempDir());
    for (const [name, bytes] of Object.entries(files)) await Deno.writeFile(join(root, name), bytes);
    return new ScannedFolder(root);
  }

  async config(ocr: "off" | "tesseract" = "tesseract") {
    const { config } = await loadConfig({ cwd: this.root, env: {} });
    return { ...config, language: "en" as const, files: { ...config.files, ocr } };
  }

  context(models: string | null = modelsDir): IngestContext {
    return {
      stateDir: join(this.root, ".state"),
      log: NO_LOG,
      version: "1.0.0",
      indexKey: KEY,
      extractor: this.#extractor,
      modelsDir: models,
    };
  }

  async index(
    options: IngestOptions = { recognise: true },
    { models, ocr }: { models?: string | null; ocr?: "off" | "tesseract" } = {},
  ) {
    [this.recognised, this.pictures] = [0, 0];
    const onProgress = ({ recognised = 0, recognisedPictures = 0 }) =>
      [this.recognised, this.pictures] = [recognised, recognisedPictures];
    return await ingest(this.root, await this.config(ocr), this.context(models), { ...options, onProgress });
  }

  async search(query: string) {
    const library = openLibrary([this.root], await this.config(), { key: KEY, extractor: this.#extractor });
    try {
      const { hits } = await library.search({ query });
      return hits.map(({ filePath, page, recognised }) => ({
        name: filePath.slice(this.root.length + 1),
        page,
        recognised,
      }));
    } finally {
      library.close();
    }
  }

  async [Symbol.asyncDispose]() {
    this.#extractor[Symbol.dispose]();
    await Deno.remove(this.root, { recursive: true });
  }
}

/** A PNG with 2 × 2 white pixels. */
const BLANK = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACAQAAAABazTCJAAAADElEQVR4nGP4zwAAAgEBAI3nBbcAAAAASUVORK5CYII=",
);

/** A scanned PDF, two pictures with text and one without, and a note. */
const SCANS: Readonly<Record<string, Uint8Array>> = {
  "contract.pdf": scanPdf([{ width: 595, height: 120 }], [{
    dictionary: "/Width 620 /Height 125 /Filter /JPXDecode",
    data: sample("en.jp2"),
  }]),
  "fax.tif": sample("pages.tif"),
  "move.png": sample("zh.png"),
  "photo.png": BLANK,
  "tea.txt": new TextEncoder().encode("Steep green tea at eighty degrees.\n"),
};
