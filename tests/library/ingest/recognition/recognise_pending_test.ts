import { deepEqual } from "node:assert/strict";
import { join } from "node:path";
import { UserError } from "#foundation/errors.ts";
import { ingest, recognisePending } from "#library/ingest/mod.ts";
import { EXTRACT_ARGUMENT, Extractor } from "#library/extract/mod.ts";
import { NO_LOG } from "#foundation/log.ts";
import { ownProcess } from "#foundation/boundary/mod.ts";
import { modelsWithOcr } from "../../../documents/recognition/_language_data.ts";
import { sample } from "../../../documents/recognition/_samples.ts";
import { scanPdf } from "../../../documents/recognition/_scan_pdf.ts";
import { KEY } from "../../../engine/index/_blob_forge.ts";
import { config, Place } from "../_place.ts";

const modelsDir = await modelsWithOcr();
const openProcess = ownProcess(EXTRACT_ARGUMENT, Deno.env.toObject());

/** Indexes a folder without its scans, and recognises them by `extractor`. */
async function recognise(place: Place, extractor: Extractor, before = () => {}) {
  const { files, ...rest } = await config();
  const settings = { ...rest, files: { ...files, ocr: "tesseract" as const } };
  const context = {
    stateDir: place.beside("state"),
    log: NO_LOG,
    version: "1.0.0",
    indexKey: KEY,
    modelsDir,
  };
  {
    using reader = new Extractor(openProcess);
    await ingest(place.root, settings, { ...context, extractor: reader });
  }
  before();
  const done: string[] = [];
  const { signal } = new AbortController();
  const pause = () => Promise.resolve();
  try {
    const onDone = (path: string) => void done.push(path);
    await recognisePending(place.root, settings, { ...context, extractor }, { signal, pause, onDone });
    return { done };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { done, error: error.key };
  }
}

Deno.test("recognition fails if no process can be started, so that the folder is tried again", async () => {
  const data = { dictionary: "/Width 620 /Height 125 /Filter /JPXDecode", data: sample("en.jp2") };
  const pdf = scanPdf([{ width: 595, height: 120 }], [data]);
  // A picture needs a process for its text alone, a PDF also for its pages.
  for (const files of [{ "en.png": sample("en.png") }, { "en.pdf": pdf }]) {
    using place = new Place();
    place.write(files);
    deepEqual(await recognise(place, Extractor.none()), { done: [], error: "extractor_unavailable" });
  }
});

Deno.test({
  name:
    "a scan that cannot be read at the moment is reported after the others, so that the folder is tried again",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    using place = new Place();
    place.write({ "en.png": sample("en.png"), "fax.tif": sample("pages.tif") });
    using extractor = new Extractor(openProcess);
    const swap = () => {
      Deno.renameSync(join(place.root, "en.png"), place.beside("en.png"));
      Deno.symlinkSync(place.beside("en.png"), join(place.root, "en.png"));
    };
    deepEqual(await recognise(place, extractor, swap), { done: ["fax.tif"], error: "no_permission" });
  },
});
