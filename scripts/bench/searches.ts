// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Measures whole searches in a folder that the program has indexed, and prints JSON: milliseconds of the median and of the 95th
 * percentile, including reading the texts. Arguments: folder, file with the questions (JSON), folder of the program's state,
 * mode, and the number of clients (default: 1). Several clients share the questions, and each waits {@linkcode PAUSE_MS} before
 * its next one.
 */
import { indexKeyIn, loadConfig } from "#foundation/configuration/mod.ts";
import { openLibrary, type SearchMode } from "#library/search/mod.ts";

/** Rounds over all questions; the first is not counted. */
const ROUNDS = 3;

/** Milliseconds between an answer and the next question of a client, if there are several: 10 ask some 40 questions a second. */
const PAUSE_MS = 200;

const [folder, questionsFile, state, mode, clients = "1"] = Deno.args as [
  string,
  string,
  string,
  SearchMode,
  string?,
];
const { config } = await loadConfig({ cwd: folder, env: {} });
const library = openLibrary([folder], config, { key: await indexKeyIn(state, { create: false }) });
const questions: string[] = JSON.parse(await Deno.readTextFile(questionsFile));
const times: number[] = [];
await Promise.all(Array.from({ length: Number(clients) }, async (_, client) => {
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < questions.length / Number(clients); i++) {
      const query = questions[(i + client * 17) % questions.length]!;
      const began = performance.now();
      await library.search({ query, mode });
      if (round > 0) times.push(performance.now() - began);
      if (clients !== "1") await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}));
library.close();
times.sort((a, b) => a - b);
const at = (share: number) => times[Math.floor(times.length * share)]!;
console.log(JSON.stringify({ p50: at(0.5), p95: at(0.95) }));
