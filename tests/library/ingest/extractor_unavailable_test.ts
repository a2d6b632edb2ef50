import { deepEqual } from "node:assert/strict";
import { EXTRACT_ARGUMENT, Extractor } from "#library/extract/mod.ts";
import { folderFiles, ingest } from "#library/ingest/mod.ts";
import { ownProcess } from "#foundation/boundary/mod.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";
import { config, Place } from "./_place.ts";

Deno.test("a changed document keeps its text while no process can be started to read it", async () => {
  using place = new Place();
  using working = new Extractor(ownProcess(EXTRACT_ARGUMENT, Deno.env.toObject()));
  using none = Extractor.none();
  const settings = await config();
  const run = async (extractor: Extractor, page: string) => {
    place.write({ "page.html": `<!DOCTYPE html><h1>Keys</h1><p>${page}` });
    await ingest(place.root, settings, { ...place.context, extractor });
    const { files: [file] } = await folderFiles(place.root, settings, { indexKey: KEY });
    return [file!.state, file!.reason, file!.chunks];
  };
  const read = ["indexed", undefined, 1];
  deepEqual(await run(working, "Rotate them"), read);
  deepEqual(await run(none, "Rotate them daily"), ["changed", "extractor_unavailable", 1]);
  deepEqual(await run(working, "Rotate them daily"), read);
});
