import { join } from "node:path";
import { loadTable } from "#models/embedding/mod.ts";
import { wordsOf, writeCorpus } from "./corpus.ts";
import { Program } from "./program.ts";
import { type BenchLanguage, chunks } from "./text.ts";

/** Figures of one size and language by their names. */
export type Figures = Readonly<Record<string, number>>;

/** Runs a script of this folder and returns its figures. */
export type Measure = (script: string, ...args: (string | number)[]) => Promise<Record<string, number>>;

const STARTS = 9;
const SEARCHES = 400;
const CHANGES = 5;
const IDLE_MS = 1000;
const POLL_MS = 10;
/** Longest wait for a changed file to be found. */
const CHANGE_LIMIT_MS = 60_000;
const FILE_MB = 100;

const idle = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;

/** Limits that a figure should keep. */
export interface Target {
  readonly figure: string;
  readonly size: number;
  readonly language?: BenchLanguage;
  readonly most?: number;
  readonly least?: number;
}

const K100 = 100_000, M1 = 1_000_000;

/** The targets that the program is measured against. */
export const TARGETS: readonly Target[] = [
  { figure: "keyword p50 ms", size: M1, most: 3 },
  { figure: "hybrid p50 ms", size: M1, most: 20 },
  { figure: "hybrid p50 ms", size: K100, most: 5 },
  { figure: "hybrid p95 ms", size: K100, most: 10 },
  { figure: "serving MB", size: K100, most: 180 },
  { figure: "serving MB", size: M1, most: 600 },
  { figure: "indexing MB", size: M1, most: 4000 },
  { figure: "first filter ms", size: K100, most: 2 },
  { figure: "update ms", size: K100, most: 300 },
  { figure: "update ms", size: M1, most: 2000 },
  { figure: "MB/s", size: K100, language: "en", least: 20 },
  { figure: "MB/s", size: K100, language: "zh", least: 10 },
  { figure: "initialize ms", size: 0, most: 110 },
  { figure: "idle MB", size: 0, most: 90 },
  { figure: "100 MB file s", size: 0, most: 7 },
];

/** Measures a folder of `size` chunks with the program: indexing, searches, filters, memory and updates. */
export async function measureFolder(
  parent: string,
  program: Program,
  measure: Measure,
  language: BenchLanguage,
  size: number,
): Promise<Figures> {
  const folder = join(parent, `${language}-${size}`), asked = join(parent, `${language}-${size}.json`);
  const { questions, bytes } = await writeCorpus(folder, language, size, wordsOf(loadTable(), language));
  await Deno.writeTextFile(asked, JSON.stringify(questions));
  const indexed = await program.index(folder);
  const state = join(parent, "state");
  const keyword = await measure("searches.ts", folder, asked, state, "keyword");
  const hybrid = await measure("searches.ts", folder, asked, state, "hybrid");
  const filters = await measure("filters.ts", size, 1);
  const served = await measureServer(program, folder, questions);
  await Deno.remove(folder, { recursive: true });
  return {
    "MB/s": bytes / 1e6 / indexed.seconds,
    "indexing MB": indexed.megabytes,
    "keyword p50 ms": keyword["p50"]!,
    "keyword p95 ms": keyword["p95"]!,
    "hybrid p50 ms": hybrid["p50"]!,
    "hybrid p95 ms": hybrid["p95"]!,
    "first filter ms": filters["first"]!,
    ...served,
  };
}

/** Measures the memory of a server after many searches, and the time from saving a file to the first answer with its text. */
async function measureServer(
  program: Program,
  folder: string,
  questions: readonly string[],
): Promise<Figures> {
  await using server = await program.serve(folder);
  for (let i = 0; i < SEARCHES; i++) await server.search(questions[i % questions.length]!, "hybrid");
  await idle(IDLE_MS);
  const megabytes = server.megabytes;
  const times: number[] = [];
  for (let i = 0; i < CHANGES; i++) {
    // A word that no text holds.
    const word = `qzxv${"abcdefghij"[i]}wkj`;
    await Deno.writeTextFile(join(folder, "0.md"), `# 1\n\n${word}.`);
    const began = performance.now();
    while (!(await server.search(word, "keyword")).includes(`${word}.`)) {
      if (performance.now() - began > CHANGE_LIMIT_MS) break;
      await idle(POLL_MS);
    }
    times.push(performance.now() - began);
  }
  return { "serving MB": megabytes, "update ms": median(times) };
}

/** Measures starts of the server in a folder of 1,000 chunks, its memory while it waits, and one large file. */
export async function measureOnce(parent: string, program: Program): Promise<Figures> {
  const words = wordsOf(loadTable(), "en");
  const folder = join(parent, "small"), large = join(parent, "large");
  await writeCorpus(folder, "en", 1000, words);
  await program.index(folder);
  const times: number[] = [], memories: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    await using server = await program.serve(folder);
    times.push(server.initializeMs);
    if (i % 3 !== 0) continue;
    await idle(IDLE_MS);
    memories.push(server.megabytes);
  }
  await Deno.mkdir(large);
  using file = await Deno.create(join(large, "large.txt"));
  let bytes = 0;
  for (const text of chunks("en", K100 * 10, words)) {
    if (bytes + text.length + 2 > FILE_MB * 1e6) break;
    bytes += await file.write(new TextEncoder().encode(`${text}\n\n`));
  }
  const { seconds } = await program.index(large);
  return { "initialize ms": median(times), "idle MB": median(memories), "100 MB file s": seconds };
}
