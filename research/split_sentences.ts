// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Makes sentence-level collections from a collection and its translation that share the ids of documents and questions,
 * such as those of XQuAD. The task is to find the *sentence* that answers the question; whole paragraphs are too easy to
 * distinguish good systems.
 *
 *     deno run -A research/split_sentences.ts EN ZH OUT [--answers FILE]
 *
 * It writes `OUT/en` and `OUT/zh` (the names of the folders) in BEIR layout. Sentences are aligned by length (Gale, Church
 * 1993) and have the same ids in both, so that `pair_collections.ts` can make the cross-language collections.
 *
 * **Source of the labels.** The judgements name only paragraphs. With `--answers` (a file in SQuAD's format, in the
 * language of the first folder), the label is the sentence in which the answer begins, and the labels are right. Without
 * it, the label is found by the words that question and sentence share, but never in the language that is then searched:
 * the English collection is labelled by the Chinese question and the Chinese sentences, and the Chinese one by the English.
 * A question is labelled only if one sentence contains clearly more of its words than any other sentence of the paragraph
 * (`MARGIN`).
 * - If both languages had to agree, all questions on which word overlap is wrong would be dropped. Keyword search would
 *   then be perfect by construction, and methods that go beyond words could only lose.
 * - A part of this bias remains. Questions that are hard for words in one language (few shared words, many similar
 *   sentences) tend to be hard in the other, and are then left out or labelled by words. Keyword search thus looks better
 *   than it is, and gains of other legs are, if anything, understated. nDCG@10 of keyword search on XQuAD's English
 *   sentences is .875 without a margin, .891 with the margin used (.03), and .921 with .1; a textbook BM25 on labels from
 *   the answers has .836. This is why the margin is small. Use these collections to compare systems; do not quote the
 *   figures as XQuAD's.
 * - Noise: of 1148 questions on paragraphs with several sentences, 986 are labelled. The words of the searched language
 *   give the same label for 87 % of them (for 92 % of 803 with a margin of .1).
 */
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readBeir } from "#library/evaluate/mod.ts";
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
