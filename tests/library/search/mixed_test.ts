import { deepEqual, equal } from "node:assert/strict";
import { join } from "node:path";
import { readQuestions } from "#library/evaluate/mod.ts";
import { openLibrary } from "#library/search/mod.ts";
import { config, Place } from "../ingest/_place.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";

const MIXED = join(import.meta.dirname!, "mixed");

/** Returns the files below a folder of `mixed`: path relative to `mixed` to text. */
function filesBelow(folder: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const { name, isDirectory } of Deno.readDirSync(join(MIXED, folder))) {
    const path = `${folder}/${name}`;
    if (isDirectory) Object.assign(files, filesBelow(path));
    else files[path] = Deno.readTextFileSync(join(MIXED, path));
  }
  return files;
}

Deno.test("questions about notes and code in two languages find their file among the first five", async () => {
  using place = await Place.indexed({ ...filesBelow("notes"), ...filesBelow("code") });
  const library = await place.library();
  const { queries } = (await readQuestions(join(MIXED, "questions.jsonl"), place.root)).search!;
  const answerable = queries.filter(({ targets }) =>
    targets.every(({ document }) => !document.startsWith("docs/"))
  );
  const missed: string[] = [];
  for (const { text, targets } of answerable) {
    const { hits } = await library.search({ query: text, topK: 5 });
    const found = hits.some(({ filePath }) =>
      targets.some(({ document }) => place.at(document) === filePath)
    );
    if (!found) missed.push(text);
  }
  deepEqual([answerable.length, missed], [17, []]);
});

Deno.test("files in three folders have the ranking and the scores that they have in one", async () => {
  using whole = new Place();
  const files = { ...filesBelow("notes"), ...filesBelow("code") };
  whole.write(files);
  await whole.ingest();
  const parts = [new Place("0"), new Place("1"), new Place("2")];
  using _ = { [Symbol.dispose]: () => parts.forEach((part) => part[Symbol.dispose]()) };
  for (const [i, part] of parts.entries()) {
    part.write(Object.fromEntries(Object.entries(files).filter((_, at) => at % parts.length === i)));
    await part.ingest();
  }
  const settings = await config();
  const one = openLibrary([whole.root], settings, { key: KEY });
  const three = openLibrary(parts.map(({ root }) => root), settings, { key: KEY });
  const { queries } = (await readQuestions(join(MIXED, "questions.jsonl"), whole.root)).search!;
  const roots = [whole.root, ...parts.map(({ root }) => root)];
  const ranking = async (library: typeof one, query: string) => {
    const { hits } = await library.search({ query });
    return hits.map(({ filePath, startLine, score, degree }) => {
      const root = roots.find((root) => filePath.startsWith(root))!;
      return [filePath.slice(root.length), startLine, score.toFixed(9), degree];
    });
  };
  for (const { text } of queries) deepEqual(await ranking(three, text), await ranking(one, text), text);
  one.close();
  three.close();
});

Deno.test("a word that only one file holds finds this file first, also across several folders", async () => {
  using notes = new Place();
  using code = new Place();
  notes.write(filesBelow("notes"));
  code.write(filesBelow("code"));
  await notes.ingest();
  await code.ingest();
  const library = openLibrary([code.root, notes.root], await config(), { key: KEY });
  for (
    const [query, path] of [["违约金", "notes/合同/租房合同.md"], ["hunter2", "notes/home/wifi.txt"]] as const
  ) {
    const { hits: [first] } = await library.search({ query });
    deepEqual([first!.filePath, first!.degree], [notes.at(path), "high"]);
  }
  const { hits } = await library.search({ query: "onboarding doc" });
  equal(hits[0]!.filePath, notes.at("notes/work/onboarding.md"));
  library.close();
});
