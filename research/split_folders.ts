// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Compares one folder with the same files in several folders that are searched together: nDCG@10, the share of questions with
 * the same first ten documents in the same order, and the greatest difference of a score. The last column searches each folder
 * alone and merges the hits by their scores. The files are dealt out in turn (`turn`), or by length (`length`), so that the folders
 * differ in the mean length and the words of their texts. COLLECTION is a folder in BEIR layout.
 *
 *     deno run -A --config deno.dev.json research/split_folders.ts COLLECTION... [--parts 3] [--every 1]
 */
import { parseArgs } from "node:util";
import { loadConfig } from "#foundation/configuration/mod.ts";
import { readBeir, type TestCollection } from "#library/evaluate/mod.ts";
import { judge, scoresAt } from "#library/evaluate/metrics.ts";
import { ingest } from "#library/ingest/mod.ts";
import { NO_LOG } from "#foundation/log.ts";
import { type Library, openLibrary } from "#library/search/mod.ts";

const DEPTH = 10;
const KEY = new Uint8Array(32);
const { values: { parts = "3", every = "1" }, positionals } = parseArgs({
  args: Deno.args,
  options: { parts: { type: "string" }, every: { type: "string" } },
  allowPositionals: true,
});
const top = await Deno.realPath(await Deno.makeTempDir());
const { config: given } = await loadConfig({ cwd: top, env: {}, flags: { language: "en" } });
const config = { ...given, search: { ...given.search, "per_doc_limit": 1, "max_chars": 1_000_000 } };

/** Writes and indexes the documents with these numbers. Returns the folder. */
async function folderOf(name: string, documents: TestCollection["documents"], numbers: readonly number[]) {
  const root = `${top}/${name}`;
  for (const at of numbers) {
    const { title, text } = documents[at]!;
    await Deno.mkdir(`${root}/${at}`, { recursive: true });
    await Deno.writeTextFile(`${root}/${at}/document.md`, title === "" ? text : `# ${title}\n\n${text}`);
  }
  await ingest(root, config, { stateDir: `${top}/state`, log: NO_LOG, version: "0", indexKey: KEY });
  return root;
}

interface Found {
  readonly document: number;
  readonly score: number;
}

async function search(library: Library, query: string): Promise<Found[]> {
  const { hits } = await library.search({ query, topK: DEPTH });
  return hits.map(({ filePath, score }) => ({ document: Number(filePath.split("/").at(-2)), score }));
}

/** Compares the whole collection with its parts. */
async function compare({ name, documents, queries }: TestCollection, by: "turn" | "length"): Promise<void> {
  const order = documents.map((_, at) => at);
  if (by === "length") order.sort((a, b) => documents[a]!.text.length - documents[b]!.text.length);
  const count = Number(parts);
  const partOf = (at: number) => by === "turn" ? at % count : Math.floor(at * count / order.length);
  const roots = await Promise.all(
    Array.from(
      { length: count },
      (_, part) => folderOf(`${name}-${by}-${part}`, documents, order.filter((_, at) => partOf(at) === part)),
    ),
  );
  const libraries = [
    [await folderOf(`${name}-${by}`, documents, order)],
    roots,
    ...roots.map((root) => [root]),
  ]
    .map((some) => openLibrary(some, config, { key: KEY }));
  const [whole, split, ...alone] = libraries;
  const asked = queries.filter((_, at) => at % Number(every) === 0);
  let [same, difference] = [0, 0];
  const ndcg = [0, 0, 0];
  for (const { text, targets } of asked) {
    const lists = [await search(whole!, text), await search(split!, text)];
    const merged = (await Promise.all(alone.map((library) => search(library, text)))).flat();
    lists.push(merged.sort((a, b) => b.score - a.score).slice(0, DEPTH));
    for (const [i, list] of lists.entries()) {
      const spans = list.map(({ document }) => ({ document: documents[document]!.id, first: 1, last: 1 }));
      ndcg[i]! += scoresAt(judge(spans, targets), DEPTH).ndcg / asked.length;
    }
    const [one, other] = lists;
    if (one!.map(({ document }) => document).join() === other!.map(({ document }) => document).join()) same++;
    for (const { document, score } of one!) {
      const again = other!.find((found) => found.document === document);
      if (again !== undefined) difference = Math.max(difference, Math.abs(again.score - score));
    }
  }
  for (const library of libraries) library.close();
  const figures = ndcg.map((value) => value.toFixed(4)).join(" | ");
  const share = (100 * same / asked.length).toFixed(1);
  console.log(
    `| ${name} | ${asked.length} | ${by} | ${figures} | ${share} % | ${difference.toExponential(1)} |`,
  );
}

console.log(
  `| collection | questions | ${parts} folders by | one folder | together | merged | same | difference |`,
);
try {
  for (const path of positionals) {
    const collection = await readBeir(path);
    for (const by of ["turn", "length"] as const) await compare(collection, by);
  }
} finally {
  await Deno.remove(top, { recursive: true });
}
