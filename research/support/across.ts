/**
 * The check of an answer in one language against passages in the other: first sentences of XQuAD's paragraphs, in English and Chinese,
 * against five paragraphs of the other language of which one says the same, against five others, and with another last digit.
 *
 *     deno run -A --config deno.dev.json research/support/across.ts ../shared/eval
 */
// deno-lint-ignore-file no-console -- a script prints to its terminal
import { join } from "node:path";
import { sentencesOf, SupportChecker } from "#engine/support/mod.ts";
import { loadTable, WordFinder } from "#models/embedding/mod.ts";

const [folder = "../shared/eval"] = Deno.args;
const table = loadTable();
const checker = new SupportChecker(table, new WordFinder(table));
const PASSAGES = 5, EVERY = 2, APART = 7, SHORTEST = 20;

function paragraphs(name: string): string[] {
  const lines = Deno.readTextFileSync(join(folder, name, "corpus.jsonl")).trim().split("\n");
  return lines.map((line) => JSON.parse(line).text as string);
}

const en = paragraphs("xquad-en"), zh = paragraphs("xquad-zh");
for (const [name, claims, passages] of [["en by zh", en, zh], ["zh by en", zh, en]] as const) {
  const from = (i: number) =>
    Array.from({ length: PASSAGES }, (_, k) => passages[(i + k) % passages.length]!);
  const isSupported = (claim: string, i: number) =>
    checker.check(claim, from(i)).every(({ verdict }) => verdict === "supported");
  const own: number[] = [], other: number[] = [];
  let [supported, wrong, changed, missed] = [0, 0, 0, 0];
  for (let i = 0; i < claims.length; i += EVERY) {
    const [sentence] = sentencesOf(claims[i]!);
    const claim = claims[i]!.slice(sentence?.start, sentence?.end);
    if (claim.length < SHORTEST) continue;
    own.push(checker.score(claim, from(i)));
    other.push(checker.score(claim, from(i + APART)));
    if (isSupported(claim, i)) supported++;
    if (isSupported(claim, i + APART)) wrong++;
    const planted = claim.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 3) % 10));
    if (planted === claim) continue;
    changed++;
    if (isSupported(planted, i)) missed++;
  }
  const wins = own.reduce((sum, a) => sum + other.reduce((s, b) => s + (a > b ? 1 : a === b ? .5 : 0), 0), 0);
  const auc = (wins / own.length / other.length).toFixed(4);
  console.log(
    `${name}: AUC ${auc}; supported: ${supported} of ${own.length} by their paragraph, ${wrong} by others, ${missed} of ${changed} with another digit`,
  );
}
