// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Prints nDCG@10 and MRR of hybrid search without a model that rewrites questions, and with ones of no use: that adds the long
 * words of a wrong document, which an attacker wants to be first, words of any document, or words that no text has. COLLECTION is a folder in BEIR layout.
 *
 *     deno run -A --config deno.dev.json research/rewriters.ts COLLECTION... [--every 1]
 */
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { loadConfig } from "#foundation/configuration/mod.ts";
import { NO_LOG } from "#foundation/log.ts";
import { readBeir, temporaryCorpus } from "#library/evaluate/mod.ts";
import { judge, scoresAt } from "#library/evaluate/metrics.ts";
import { openLibrary, type Rewriter } from "#library/search/mod.ts";

const KEY = new Uint8Array(32);
const DEPTH = 10;

const { values: { every }, positionals } = parseArgs({
  options: { every: { type: "string", default: "1" } },
  allowPositionals: true,
});
const { config } = await loadConfig({ cwd: await Deno.makeTempDir(), env: {}, flags: { language: "en" } });

for (const folder of positionals) {
  const { documents, queries: all } = await readBeir(folder);
  const queries = all.filter((_, at) => at % Number(every) === 0);
  await using corpus = await temporaryCorpus(documents, { log: NO_LOG, version: "0", indexKey: KEY });
  await corpus.index(config, {});
  const wordsOf = (at: number) => {
    const { text } = documents[at % documents.length]!;
    const words = [...new Intl.Segmenter("zh", { granularity: "word" }).segment(text)]
      .map(({ segment }) => segment).filter((word) => /^[\p{L}]{2,}$/u.test(word));
    return words.sort((a, b) => b.length - a.length);
  };
  const models: readonly (readonly [name: string, terms: ((at: number) => readonly string[]) | undefined])[] =
    [
      ["no model", undefined],
      ["six long words of one wrong document", () => wordsOf(7).slice(0, 6)],
      ["six long words of another document each time", (at) => wordsOf(at * 31 + 5).slice(0, 6)],
      [
        "six words of any document",
        (at) => Array.from({ length: 6 }, (_, i) => wordsOf(at * 17 + i * 101).at(-1 - i) ?? ""),
      ],
      ["six long words of the right document", (at) => {
        const right = queries[at]!.targets.find(({ gain }) => gain > 0)?.document;
        return wordsOf(Math.max(0, documents.findIndex(({ id }) => id === right))).slice(0, 6);
      }],
      ["six words that no text has", () => ["qxzv", "wvqk", "zzqp", "xkjq", "vvbq", "qqwz"]],
    ];
  console.log(`${basename(folder)}: ${queries.length} queries`);
  for (const [name, termsOf] of models) {
    let asked = 0;
    const model: Rewriter = {
      id: name,
      timeoutSeconds: 5,
      rewrite: (question) => Promise.resolve({ question, terms: termsOf!(asked) }),
    };
    const library = openLibrary(
      [corpus.root],
      corpus.rules({ ...config, search: { ...config.search, max_chars: 1_000_000, per_doc_limit: 1 } }),
      {
        key: corpus.key,
        rewriter: termsOf && (() => Promise.resolve(model)),
      },
    );
    const scores: ReturnType<typeof scoresAt>[] = [];
    for (const [at, { text, targets }] of queries.entries()) {
      asked = at;
      const { hits } = await library.search({ query: text, topK: DEPTH });
      const spans = hits.map(({ filePath, startLine, endLine, section, also = [] }) => ({
        document: corpus.documentOf(filePath),
        first: startLine,
        last: endLine,
        section,
        also: also.map((part) => ({
          document: corpus.documentOf(part.filePath),
          first: part.startLine,
          last: part.endLine,
          section,
        })),
      }));
      scores.push(scoresAt(judge(spans, targets), DEPTH));
    }
    library.close();
    const mean = (metric: "ndcg" | "mrr") =>
      scores.reduce((sum, score) => sum + score[metric], 0) / scores.length;
    console.log(`  ${mean("ndcg").toFixed(4)} nDCG@10  ${mean("mrr").toFixed(4)} MRR  ${name}`);
  }
}
