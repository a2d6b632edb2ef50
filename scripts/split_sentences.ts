// deno-lint-ignore-file no-console -- a script speaks to its terminal
/**
 * Makes sentence-level collections of two that say the same in two languages (XQuAD's are: documents and questions
 * share their ids): which *sentence* answers the question? Whole paragraphs are too easy to tell good systems
 * apart.
 *
 *     deno run -A scripts/split_sentences.ts EN ZH OUT [--answers FILE]
 *
 * writes `OUT/en` and `OUT/zh` (by the names of the folders) in BEIR layout. Sentences are aligned by length (Gale,
 * Church 1993) and have the same ids in both, so that `pair_collections.ts` makes the cross-language ones.
 *
 * **Where the labels come from.** The judgements name paragraphs only. With `--answers` (a file in SQuAD's format,
 * in the language of the first folder) the sentence is where the answer begins, and the labels are right. Without,
 * it is found by the words that question and sentence share — but never in the language that is then searched: the
 * English collection is labelled by the Chinese question and the Chinese sentences, and the other way round, and
 * only where one sentence holds clearly more of the question than any other of its paragraph (`MARGIN`).
 * - Had both languages to agree, every question on which word overlap is wrong would be thrown out, keyword search
 *   would be without a fault by construction, and whatever goes beyond words could only lose.
 * - What is left of that bias: what is hard for words in one language (few shared words, many alike sentences)
 *   tends to be hard in the other, and is then left out or labelled by words. Keyword search looks better than it
 *   is, and gains of other legs are, if anything, understated. nDCG@10 of keyword search on XQuAD's English
 *   sentences is .875 without a margin, .891 with the one used (.03), .921 with .1; a textbook BM25 on labels from
 *   the answers has .836. Hence the small margin. Compare systems with it; don't quote its figures as XQuAD's.
 * - Noise: of 1148 questions on paragraphs of several sentences 986 pass; the words of the searched language itself
 *   say the same for 87 % of them (92 % of 803 with a margin of .1).
 */
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readBeir } from "../lib/evaluate/mod.ts";
import { splitPair } from "./eval/split_pair.ts";
import { squadLabeller } from "./eval/squad_answers.ts";
import { writeBeir } from "./eval/write_beir.ts";

const { positionals: [firstFolder, secondFolder, out], values: { answers } } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: { answers: { type: "string" } },
});
if (firstFolder === undefined || secondFolder === undefined || out === undefined) {
  console.error("usage: split_sentences.ts FOLDER TRANSLATED_FOLDER OUT [--answers FILE]");
  Deno.exit(2);
}
const first = await readBeir(firstFolder);
const second = await readBeir(secondFolder);
const known = answers === undefined
  ? undefined
  : squadLabeller(await Deno.readTextFile(answers), first.documents);
const split = splitPair(first, second, known);
for (const [folder, collection] of [[firstFolder, split.first], [secondFolder, split.second]] as const) {
  const path = join(out, basename(resolve(folder)));
  await writeBeir(path, collection);
  const { documents, queries } = collection;
  console.log(`${path}: ${documents.length} sentences, ${queries.length} of ${first.queries.length} queries`);
}
