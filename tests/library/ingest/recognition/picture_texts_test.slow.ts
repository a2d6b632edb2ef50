import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { folderFiles, recognisePending, verifyFolder } from "#library/ingest/mod.ts";
import { openLibrary } from "#library/search/mod.ts";
import { sample } from "../../../documents/recognition/_samples.ts";
import { makePng } from "../../../documents/pictures/make_png.ts";
import { zipOf } from "../../../documents/zip_of.ts";
import { KEY, modelsDir, ScannedFolder } from "./_scanned_folder.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const embedded = (name: string) => `<img src="data:image/png;base64,${sample(name).toBase64()}">`;
const page = (...content: string[]) =>
  utf8(`<!doctype html><title>Tea</title><p>Tea.</p>${content.join("\n")}`);

Deno.test("a picture in several documents is read once, and again for none that is changed", async () => {
  await using folder = await ScannedFolder.make({
    "a.html": page(embedded("en.png")),
    "b.html": page("<p>Water.</p>", embedded("en.png"), embedded("en.png")),
  });
  const first = await folder.index();
  deepEqual([folder.pictures, first.recognition], [1, { pages: 0, pictures: 2, pending: 0 }]);
  deepEqual((await folder.search("claims must be filed in writing")).map(({ recognised }) => recognised), [
    true,
  ]);

  await Deno.writeFile(join(folder.root, "b.html"), page(embedded("zh.png"), embedded("en.png")));
  await Deno.remove(join(folder.root, "a.html"));
  const changed = await folder.index();
  deepEqual([folder.pictures, changed.recognition], [1, { pages: 0, pictures: 2, pending: 0 }]);
  equal((await folder.search("数据中心搬迁"))[0]?.name, "b.html");

  const again = await folder.index();
  deepEqual([again.written, folder.pictures], [false, 0]);
  await folder.index({ recognise: true, full: true });
  equal(folder.pictures, 0);
  // The document, and its two pictures.
  equal([...Deno.readDirSync(join(folder.root, ".muxue_rag", "recognised"))].length, 3);
});

Deno.test("without the data a document with pictures waits, and one with icons alone does not", async () => {
  const icon = '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=">';
  await using folder = await ScannedFolder.make({
    "icons.html": page(icon),
    "scan.html": page(embedded("en.png")),
  });
  const without = await folder.index({ recognise: true }, { models: null });
  deepEqual(without.recognition, { pages: 0, pending: 1 });
  match(
    without.warnings!.join(),
    /^Text recognition is on \(files\.ocr\), but its data is not installed\. 1 scan/,
  );

  const done: string[] = [];
  const { signal } = new AbortController();
  await recognisePending(folder.root, await folder.config(), folder.context(), {
    signal,
    pause: () => Promise.resolve(),
    onDone: (path) => done.push(path),
  });
  deepEqual(done, ["scan.html"]);
  // A run that recognises nothing itself takes up what was recognised in the background.
  const { recognition } = await folder.index({});
  deepEqual([recognition, folder.pictures], [{ pages: 0, pictures: 1, pending: 0 }, 0]);
  equal((await folder.search("claims must be filed in writing"))[0]?.name, "scan.html");
});

Deno.test("a picture that cannot be read is listed with the reason, and keeps nothing else from being read", async () => {
  const whole = sample("en.png");
  const torn = whole.slice(0, whole.length / 2).toBase64();
  await using folder = await ScannedFolder.make({
    "a.html": page(`<img src="data:image/png;base64,${torn}">`, embedded("zh.png")),
  });
  const { recognition } = await folder.index();
  deepEqual(recognition, { pages: 0, pictures: 1, pending: 0 });
  const { files } = await folderFiles(folder.root, await folder.config(), { indexKey: KEY });
  const detail = "the picture is damaged, too large, or cannot be read";
  deepEqual(files.find(({ path }) => path === "a.html")?.unrecognisedImages, [{
    image: 1,
    reason: "unreadable",
    detail,
  }]);
  equal((await folder.index()).written, false);
});

Deno.test("pictures in which no text was found are tried again once a language is added", async () => {
  const empty = `<img src="data:image/png;base64,${makePng(200, 100).toBase64()}">`;
  await using folder = await ScannedFolder.make({ "a.html": page(empty) });
  const models = join(folder.root, ".models");
  await Deno.mkdir(join(models, "ocr"), { recursive: true });
  const tried: number[] = [];
  for (const added of ["eng", "chi_sim", undefined]) {
    const file = `${added}.traineddata`;
    if (added !== undefined) await Deno.copyFile(join(modelsDir, "ocr", file), join(models, "ocr", file));
    await folder.index({ recognise: true }, { models });
    tried.push(folder.pictures);
  }
  deepEqual(tried, [1, 1, 0]);
});

Deno.test("a document in an archive is shown with the text of its pictures, and a check finds no difference", async () => {
  await using folder = await ScannedFolder.make({
    "a.zip": zipOf({ "in/tea.html": page(embedded("zh.png")) }),
  });
  await folder.index();
  const config = await folder.config();
  const library = openLibrary([folder.root], config, { key: KEY, extractor: folder.context().extractor! });
  const { document } = await library.readDocument(join(folder.root, "a.zip", "in", "tea.html"));
  library.close();
  match(document.text, /Tea\.\n\n.*数据中心的搬迁工作在第四季度完成/);
  const [start, end] = document.images![0]!.recognised!;
  match(document.text.slice(start, end), /数据中心/);
  const check = await verifyFolder(folder.root, config, folder.context(), { deep: true });
  deepEqual([check.state, check.differing, check.unreadable], ["sound", [], []]);
});
