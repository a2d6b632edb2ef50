/**
 * How long the check of an answer takes: of 1,000 characters against ten passages, of the longest answer against the longest passages,
 * and of repeated marks.
 *
 *     deno run -A --config deno.dev.json research/support/check_time.ts ../shared/eval [FIRST]
 *
 * FIRST: the set whose passages are checked first, `xquad-en` or `xquad-zh`. The first check of a process waits until V8 has compiled
 * functions and patterns.
 */
// deno-lint-ignore-file no-console -- a script prints to its terminal
import { join } from "node:path";
import { SupportChecker } from "#engine/support/mod.ts";
import { CHECK_LIMITS } from "#library/search/mod.ts";
import { loadTable, WordFinder } from "#models/embedding/mod.ts";

const [folder = "../shared/eval", first = "xquad-en"] = Deno.args;
const table = loadTable();
const checker = new SupportChecker(table, new WordFinder(table));

function texts(name: string): string[] {
  const lines = Deno.readTextFileSync(join(folder, name, "corpus.jsonl")).trim().split("\n");
  return lines.map((line) => JSON.parse(line).text as string);
}

/** First, median and greatest milliseconds of some runs. */
function timed(name: string, run: (i: number) => void, times: number): void {
  const taken = Array.from({ length: times }, (_, i) => {
    const began = performance.now();
    run(i);
    return performance.now() - began;
  });
  const sorted = taken.toSorted((a, b) => a - b);
  const [begin, median, most] = [taken[0]!, sorted[times >> 1]!, sorted.at(-1)!].map((ms) => ms.toFixed(1));
  console.log(`${name}: first ${begin} ms, median ${median} ms, at most ${most} ms`);
}

for (const name of first === "xquad-zh" ? ["xquad-zh", "xquad-en"] : ["xquad-en", "xquad-zh"]) {
  const all = texts(name);
  const joined = all.join("\n");
  const at = (i: number) => all.slice(i * 10 % 200, i * 10 % 200 + 10);
  timed(`${name}, 1,000 characters, ten passages`, (i) => {
    const passages = at(i);
    checker.check(passages.join("\n").slice(0, 1000), passages);
  }, 40);
  const { answer, text } = CHECK_LIMITS;
  const long = joined.repeat(Math.ceil(text / joined.length)).slice(0, text);
  timed(`${name}, longest answer and passages`, () => checker.check(joined.slice(0, answer), [long]), 1);
}
const words = Array.from({ length: 40_000 }, (_, i) => `begin${i.toString(36)}`).join(" ");
const others = Array.from({ length: 4000 }, (_, i) => `begin${(i * 7919).toString(36)}x`).join(" ");
for (
  const [name, answer, passage] of [
    ["words that begin alike", others, words],
    ["one sentence of numbers", "1 2 3 4 5 6 7 8 9 ".repeat(1100), "1 2 3 ".repeat(66_000)],
    ["one sentence without a blank", "a".repeat(20_000), "a".repeat(400_000)],
    ["not", "not ".repeat(5000), "not ".repeat(100_000)],
    ["brackets", "[".repeat(20_000), "[".repeat(400_000)],
  ] as const
) {
  const limited = passage.slice(0, CHECK_LIMITS.text);
  timed(name, () => checker.check(answer.slice(0, CHECK_LIMITS.answer), [limited]), 1);
}
