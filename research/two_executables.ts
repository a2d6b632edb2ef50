// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Two executables side by side, in turn in one run:
 *
 *     deno run -A --config deno.dev.json research/two_executables.ts BEFORE AFTER [chunks,chunks…]
 *
 * Prints for each the start of a server until the answer of `initialize`, its first search and its memory after that, the seconds and the
 * memory of indexing generated texts in both languages, the size of the index, and the milliseconds of searches over stdio; then the ratio
 * of the second to the first. With 0 chunks, the starts alone.
 */
import { join } from "node:path";
import { loadTable } from "#models/embedding/mod.ts";
import { wordsOf, writeCorpus } from "../scripts/bench/corpus.ts";
import { Program, type Served } from "../scripts/bench/program.ts";

const STARTS = 40, INDEXINGS = 3, ROUNDS = 4;

const [before, after, counts = "10000,100000"] = Deno.args as [string, string, string?];
const parent = await Deno.makeTempDir({ prefix: "muxue_rag-two-" });
const programs: Program[] = [];
for (const [i, executable] of [before, after].entries()) {
  const state = join(parent, `state ${i}`);
  await Deno.mkdir(state);
  programs.push(new Program(state, executable));
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

function tell(name: string, figures: readonly number[][]): void {
  const [first, second] = figures.map(median);
  const ratios = figures[0]!.map((value, i) => figures[1]![i]! / value);
  console.log(`${name}: ${first!.toFixed(2)} → ${second!.toFixed(2)}, ratio ${(median(ratios)).toFixed(3)}`);
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    bytes += isDirectory ? await bytesIn(path) : (await Deno.stat(path)).size;
  }
  return bytes;
}

for (const count of counts.split(",").map(Number).filter((count) => count > 0)) {
  for (const language of ["en", "zh"] as const) {
    const folders = ["before", "after"].map((name) => join(parent, `${name} ${language} ${count}`));
    const seconds: number[][] = [[], []], megabytes: number[][] = [[], []], sizes: number[][] = [[], []];
    let questions: string[] = [];
    for (const folder of folders) {
      ({ questions } = await writeCorpus(folder, language, count, wordsOf(loadTable(), language)));
    }
    for (let round = 0; round < INDEXINGS; round++) {
      for (const [i, program] of programs.entries()) {
        const kept = join(folders[i]!, ".muxue_rag");
        await Deno.remove(kept, { recursive: true }).catch(() => {});
        const indexed = await program.index(folders[i]!);
        seconds[i]!.push(indexed.seconds);
        megabytes[i]!.push(indexed.megabytes);
        sizes[i]!.push((await bytesIn(kept)) / 1e6);
      }
    }
    const at = `${language} ${count}`;
    tell(`${at}: indexing s`, seconds);
    tell(`${at}: indexing MB`, megabytes);
    tell(`${at}: index MB on disk`, sizes);
    const servers: Served[] = [];
    for (const [i, program] of programs.entries()) servers.push(await program.serve(folders[i]!));
    for (const mode of ["keyword", "hybrid"]) {
      const times: number[][] = [[], []];
      for (let round = 0; round < ROUNDS; round++) {
        for (const question of questions) {
          for (const [i, server] of servers.entries()) {
            const began = performance.now();
            await server.search(question, mode);
            if (round > 0) times[i]!.push(performance.now() - began);
          }
        }
      }
      tell(`${at}: ${mode} p50 ms`, times);
    }
    tell(`${at}: serving MB`, servers.map((server) => [server.megabytes]));
    for (const server of servers) await server[Symbol.asyncDispose]();
    for (const folder of folders) await Deno.remove(folder, { recursive: true });
  }
}
const starts: number[][] = [[], []], firsts: number[][] = [[], []], memories: number[][] = [[], []];
const smalls = ["before", "after"].map((name) => join(parent, `${name} small`));
let question = "";
for (const [i, program] of programs.entries()) {
  ({ questions: [question = ""] } = await writeCorpus(smalls[i]!, "en", 1000, wordsOf(loadTable(), "en")));
  await program.index(smalls[i]!);
}
// The first two starts read the executables from disk.
for (let start = -2; start < STARTS; start++) {
  for (const [i, program] of programs.entries()) {
    await using server = await program.serve(smalls[i]!);
    const began = performance.now();
    await server.search(question, "hybrid");
    if (start < 0) continue;
    firsts[i]!.push(performance.now() - began);
    starts[i]!.push(server.initializeMs);
    memories[i]!.push(server.megabytes);
  }
}
tell("start until initialize ms", starts);
tell("first search after it ms", firsts);
tell("memory after it MB", memories);
await Deno.remove(parent, { recursive: true });
