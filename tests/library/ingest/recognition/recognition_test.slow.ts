import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { folderFiles, verifyFolder } from "#library/ingest/mod.ts";
import { openLibrary } from "#library/search/mod.ts";
import { sample } from "../../../documents/recognition/_samples.ts";
import { PAGES } from "../../../documents/recognition/samples/pages.ts";
import { KEY, modelsDir, ScannedFolder } from "./_scanned_folder.ts";

Deno.test("the text of scanned pages and pictures is found, and marked as recognised", async () => {
  await using folder = await ScannedFolder.make();
  const summary = await folder.index();
  deepEqual(summary.recognition, { pages: 4, pending: 0 });
  deepEqual([summary.files, summary.skipped, folder.recognised], [4, { image: 1 }, 5]);
  deepEqual((await folder.search("保修期自验收之日起计算 type:tif"))[0], {
    name: "fax.tif",
    page: 1,
    recognised: true,
  });
  deepEqual((await folder.search("claims must be filed in writing type:pdf"))[0], {
    name: "contract.pdf",
    page: 1,
    recognised: true,
  });
  deepEqual((await folder.search("green tea"))[0], {
    name: "tea.txt",
    page: undefined,
    recognised: undefined,
  });
});

Deno.test("no page is recognised twice, whether the index is updated or built anew", async () => {
  await using folder = await ScannedFolder.make();
  await folder.index();
  const again = await folder.index();
  deepEqual([again.written, folder.recognised], [false, 0]);
  const full = await folder.index({ recognise: true, full: true });
  deepEqual([full.written, folder.recognised, full.recognition], [true, 0, { pages: 4, pending: 0 }]);
  await Deno.copyFile(join(folder.root, "move.png"), join(folder.root, "copy.png"));
  const copied = await folder.index();
  deepEqual([copied.new, folder.recognised, copied.recognition], [1, 0, { pages: 5, pending: 0 }]);
});

Deno.test("a picture that cannot be recognised is listed with the reason, and tried once in each run", async () => {
  await using folder = await ScannedFolder.make();
  const torn = sample("en.png");
  await Deno.writeFile(join(folder.root, "torn.png"), torn.subarray(0, torn.length / 2));
  const listed = async () => {
    const config = await folder.config();
    const { files, errors } = await folderFiles(folder.root, config, { indexKey: KEY });
    const { state, recognition, unrecognised } = files.find(({ path }) => path === "torn.png")!;
    return { state, recognition, unrecognised, errors: errors.map(({ path, text }) => [path, text]) };
  };
  const detail = "the picture is damaged, too large, or cannot be read";
  const given = {
    state: "skipped",
    recognition: "failed",
    unrecognised: [{ page: 1, reason: "unreadable", detail }],
    errors: [["torn.png", detail]],
  } as const;
  await folder.index();
  deepEqual([folder.recognised, await listed()], [6, given]);
  // A run that recognises nothing keeps what is known.
  await folder.index({});
  deepEqual([folder.recognised, await listed()], [0, given]);
  await folder.index();
  deepEqual([folder.recognised, await listed()], [1, given]);
  await Deno.writeFile(join(folder.root, "torn.png"), torn);
  deepEqual((await folder.index()).recognition, { pages: 5, pending: 0 });
  deepEqual(await listed(), {
    state: "indexed",
    recognition: undefined,
    unrecognised: undefined,
    errors: [],
  });
});

Deno.test("data that is not the installed one is reported and not used", async () => {
  await using folder = await ScannedFolder.make();
  const models = join(folder.root, ".models");
  const data = await Deno.readFile(join(modelsDir, "ocr", "eng.traineddata"));
  const digest = createHash("sha256").update(data).digest("hex");
  const path = join(models, "ocr", "eng.traineddata");
  await Deno.mkdir(join(models, "ocr"), { recursive: true });
  await Deno.writeFile(path, data);
  await Deno.writeTextFile(
    join(models, "ocr", "model.json"),
    JSON.stringify({ files: { "eng.traineddata": { bytes: data.length, sha256: digest } } }),
  );
  await Deno.truncate(path, 100_000);
  const damaged = await folder.index({ recognise: true }, { models });
  deepEqual([damaged.warnings?.length, damaged.recognition], [1, { pages: 0, pending: 4 }]);
  match(damaged.warnings![0]!, /\(eng\.traineddata\).*model install ocr/);
  await Deno.writeFile(path, data);
  const repaired = await folder.index({ recognise: true }, { models });
  deepEqual([repaired.warnings, repaired.recognition?.pending], [undefined, 0]);
});

Deno.test("scans are recognised again once a language is added, and keep their text if its data is damaged", async () => {
  await using folder = await ScannedFolder.make();
  const models = join(folder.root, ".models");
  const add = async (language: string, bytes?: Uint8Array) => {
    const file = `${language}.traineddata`;
    await Deno.mkdir(join(models, "ocr"), { recursive: true });
    await Deno.writeFile(
      join(models, "ocr", file),
      bytes ?? await Deno.readFile(join(modelsDir, "ocr", file)),
    );
  };
  await add("eng");
  await folder.index({ recognise: true }, { models });
  const chinesePage = async () => (await folder.search('"保修期" type:tif')).some(({ page }) => page === 1);
  equal(await chinesePage(), false);
  await add("eng", new TextEncoder().encode("damaged"));
  const damaged = await folder.index({ recognise: true }, { models });
  deepEqual([damaged.files, damaged.warnings?.length], [3, 1]);
  deepEqual((await folder.search("claims must be filed in writing type:pdf"))[0]?.name, "contract.pdf");
  for (const language of ["eng", "chi_sim"]) await add(language);
  await folder.index({ recognise: true }, { models });
  deepEqual([folder.recognised, (await folder.search("保修期自验收之日起计算 type:tif"))[0]?.name], [
    5,
    "fax.tif",
  ]);
  const again = await folder.index({ recognise: true }, { models });
  deepEqual([again.written, folder.recognised], [false, 0]);
});

Deno.test("a run whose recognised texts cannot be kept fails, and the index stays", async () => {
  await using folder = await ScannedFolder.make();
  await folder.index();
  const texts = join(folder.root, ".muxue_rag", "recognised");
  await Deno.remove(texts, { recursive: true });
  const { mkdirSync } = Deno;
  Deno.mkdirSync = (path, options) => {
    if (path === texts) throw new Deno.errors.PermissionDenied("no access");
    mkdirSync(path, options);
  };
  try {
    await rejects(folder.index({ recognise: true, full: true }), { key: "data_folder_unwritable" });
  } finally {
    Deno.mkdirSync = mkdirSync;
  }
  deepEqual((await folder.search("claims must be filed in writing type:pdf"))[0]?.name, "contract.pdf");
});

Deno.test("a damaged text is recognised again, and texts of removed files are removed", async () => {
  await using folder = await ScannedFolder.make();
  await folder.index();
  const texts = join(folder.root, ".muxue_rag", "recognised");
  const names = [...Deno.readDirSync(texts)].map(({ name }) => name);
  equal(names.length, 4);
  await Deno.writeTextFile(join(texts, names[0]!), "damaged");
  await folder.index({ recognise: true, full: true });
  match(String(folder.recognised), /^[12]$/);
  await Deno.remove(join(folder.root, "fax.tif"));
  await folder.index();
  equal([...Deno.readDirSync(texts)].length, 3);
});

Deno.test("without the data, scans are indexed without text, and the next run with it reads them", async () => {
  await using folder = await ScannedFolder.make();
  for (const models of [null, join(folder.root, "none")]) {
    const without = await folder.index({ recognise: true, full: true }, { models });
    deepEqual([without.files, without.recognition], [1, { pages: 0, pending: 4 }]);
    match(without.warnings!.join(), /4 scans were not recognised\. Run: muxue_rag model install ocr$/);
  }
  const later = await folder.index({ recognise: false });
  deepEqual([later.written, later.warnings], [false, undefined]);
  const summary = await folder.index();
  deepEqual([summary.files, summary.recognition, summary.warnings], [4, { pages: 4, pending: 0 }, undefined]);
});

Deno.test("data that cannot be used is reported, and the index stays", async () => {
  await using folder = await ScannedFolder.make();
  const models = join(folder.root, ".models");
  await Deno.mkdir(join(models, "ocr"), { recursive: true });
  await Deno.writeTextFile(join(models, "ocr", "eng.traineddata"), "damaged");
  const { warnings, files, recognition } = await folder.index({ recognise: true }, { models });
  match(
    warnings!.join(),
    /^The data for text recognition cannot be used .* Run: muxue_rag model install ocr$/,
  );
  deepEqual([files, recognition], [1, { pages: 0, pending: 4 }]);
});

Deno.test("recognition that is switched off again leaves out the texts and the pictures", async () => {
  await using folder = await ScannedFolder.make();
  await folder.index();
  const off = await folder.index({ recognise: true }, { ocr: "off" });
  deepEqual([off.files, off.recognition, off.skipped.image], [1, undefined, 3]);
});

Deno.test("a document is shown with its recognised text, and a check finds no difference", async () => {
  await using folder = await ScannedFolder.make();
  await folder.index();
  const config = await folder.config();
  const library = openLibrary([folder.root], config, { key: KEY, extractor: folder.context().extractor! });
  const { document } = await library.readDocument(join(folder.root, "fax.tif"));
  library.close();
  deepEqual(document.recognised, [1, 2]);
  equal(document.text, `${PAGES.zh.join("")}\n\n${PAGES.en.join(" ")}\n`);
  const check = await verifyFolder(folder.root, config, folder.context(), { deep: true });
  deepEqual([check.state, check.differing, check.unreadable], ["sound", [], []]);
});
