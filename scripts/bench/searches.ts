// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Measures whole searches in a folder that the program has indexed, and prints JSON: milliseconds of the median and of the 95th
 * percentile, including reading the texts. Arguments: folder, file with the questions (JSON), folder of the program's state,
 * mode.
 */
import { indexKeyIn, loadConfig } from "../../lib/config/mod.ts";
import { openLibrary, type SearchMode } from "../../lib/search/mod.ts";

/** Rounds over all questions; the first is not counted. */
const ROUNDS = 3;

const [folder, questionsFile, state, mode] = Deno.args as [string, string, string, SearchMode];
const { config } = await loadConfig({ cwd: folder, env: {} });
const library = openLibrary([folder], config, { key: await indexKeyIn(state, { create: false }) });
const questions: string[] = JSON.parse(await Deno.readTextFile(questionsFile));
const times: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  for (const query of questions) {
    const began = performance.now();
    await library.search({ query, mode });
    if (round > 0) times.push(performance.now() - began);
  }
}
library.close();
times.sort((a, b) => a - b);
const at = (share: number) => times[Math.floor(times.length * share)]!;
console.log(JSON.stringify({ p50: at(0.5), p95: at(0.95) }));
