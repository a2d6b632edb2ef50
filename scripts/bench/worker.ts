// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Makes one measurement in a separate process and prints it as JSON. Arguments: `build` or `query`, engine, language,
 * chunks, path. `build` with a folder of Markdown texts and a file with questions takes its chunks from there, a section each, and counts
 * the reading of the files.
 */
import { join } from "node:path";
import type { Engine } from "./engine.ts";
import { fts5 } from "./fts5.ts";
import { lancedb } from "./lancedb.ts";
import { minisearch } from "./minisearch.ts";
import { ours } from "./ours.ts";
import { stockOrama } from "./stock_orama.ts";
import { type BenchLanguage, chunks, queryFrom, random } from "./text.ts";

const QUERIES = 300;
const engines: Readonly<Record<string, Engine>> = { ours, fts5, orama: stockOrama, minisearch, lancedb };
const [step, engineName, language, count, path, folder, asked] = Deno.args as [
  string,
  string,
  BenchLanguage,
  string,
  string,
  string?,
  string?,
];
const engine = engines[engineName]!;

/** The sections of the texts in a folder. */
function* sections(folder: string): Generator<string> {
  for (const { name } of Deno.readDirSync(folder)) {
    if (!name.endsWith(".md")) continue;
    yield* Deno.readTextFileSync(join(folder, name)).split(/^# \d+\n\n/m).slice(1);
  }
}

if (step === "build" && folder !== undefined) {
  await Deno.copyFile(asked!, `${path}.queries`);
  const began = performance.now();
  const size = await engine.build(path, sections(folder));
  const seconds = (performance.now() - began) / 1000;
  console.log(JSON.stringify({ seconds, size, megabytes: Deno.memoryUsage().rss / 1e6 }));
} else if (step === "build") {
  const texts = [...chunks(language, Number(count))];
  const bytes = texts.reduce((sum, text) => sum + (language === "en" ? text.length : text.length * 3), 0);
  const next = random(7);
  const queries = Array.from(
    { length: QUERIES },
    () => queryFrom(language, texts[Math.floor(next() * texts.length)]!, next),
  );
  await Deno.writeTextFile(`${path}.queries`, JSON.stringify(queries));
  await Deno.remove(path, { recursive: true }).catch(() => {});
  const began = performance.now();
  const size = await engine.build(path, texts);
  const seconds = (performance.now() - began) / 1000;
  console.log(JSON.stringify({ seconds, megabytesPerSecond: bytes / 1e6 / seconds, textBytes: bytes, size }));
} else {
  const queries: string[] = JSON.parse(await Deno.readTextFile(`${path}.queries`));
  let began = performance.now();
  const search = await engine.open(path);
  const loadMs = performance.now() - began;
  for (const query of queries.slice(0, 50)) await search(query);
  const times: number[] = [];
  let hits = 0;
  for (const query of queries) {
    began = performance.now();
    hits += await search(query);
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)]!;
  console.log(
    JSON.stringify({ loadMs, p50: at(0.5), p95: at(0.95), hits, rssMegabytes: Deno.memoryUsage().rss / 1e6 }),
  );
}
