import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { folderOfNotes, muxueRag, type Place, type Run, sandbox } from "../program/_muxue_rag.ts";
import { jsonl, TINY } from "../library/evaluate/_files.ts";

/** Writes the tiny collection to the place, with `more` documents that no query is about. */
async function tiny(place: Place, more = 0): Promise<void> {
  await Deno.mkdir(join(place.path, "tiny"));
  for (const [name, text] of Object.entries(TINY)) {
    await Deno.writeTextFile(join(place.path, "tiny", name), text);
  }
  const filler = Array.from({ length: more }, (_, at) => ({ _id: `more${at}`, text: `filler ${at}` }));
  await Deno.writeTextFile(join(place.path, "tiny", "corpus.jsonl"), jsonl(...filler), { append: true });
}

/** Runs `eval` in English, with temporary folders inside the place. */
async function evaluation(place: Place, ...args: string[]): Promise<Run & { readonly left: string[] }> {
  const temporary = join(place.path, "tmp");
  await Deno.mkdir(temporary, { recursive: true });
  const env = { TMPDIR: temporary, TMP: temporary, TEMP: temporary };
  const run = await muxueRag(place, ["eval", ...args, "--language", "en"], { env });
  return { ...run, left: [...Deno.readDirSync(temporary)].map(({ name }) => name) };
}

Deno.test("eval measures a collection in BEIR layout and removes its files", async () => {
  await using place = await sandbox();
  await tiny(place);
  const { code, stdout, stderr, left } = await evaluation(place, "tiny", "--compare", "keyword");
  equal(code, 0, stderr);
  // columns are as wide as their times
  const shown = stdout.replace(/ +\d+\.\d\d +\d+\.\d\d +\d+\.\d\d$/m, "  …")
    .replace(/ms mean +p50 +p95$/m, "ms mean  p50  p95")
    .replace(/built in \S+ s/, "built in … s");
  equal(
    shown,
    `tiny: 3 documents, 3 queries
  System              nDCG@10           Recall@10              MRR@10              Hit@10  ms mean  p50  p95
  keyword  .667 [.000, 1.000]  .667 [.000, 1.000]  .667 [.000, 1.000]  .667 [.000, 1.000]  …
  in brackets: 95% confidence interval (bootstrap)
  index built in … s (keyword)

  Right hits of keyword by degree       high  medium  low
  en → en                          1/1 1.000       –    –
  zh → zh                          1/1 1.000       –    –

Worst queries of keyword
   .000  zeppelin
         expected  backup Backup
         found     nothing
`,
  );
  equal(stderr, "tiny: writing 3 documents\ntiny: indexing\ntiny: keyword, 3 queries\n");
  deepEqual(left, []);
  // The user's list of indexed folders does not contain it.
  equal((await muxueRag(place, ["status"])).code, 2);
});

Deno.test("eval compares systems side by side, and prints all results as JSON", async () => {
  await using place = await sandbox();
  await tiny(place);
  await Deno.writeTextFile(join(place.path, "small.yaml"), "chunking:\n  max_chars: 200\n");
  const compare = ["--compare", "keyword,hybrid,hybrid-maxsim,small.yaml", "--top-k", "3"];
  const { code, stdout, stderr } = await evaluation(place, "tiny", "--json", "--quiet", ...compare);
  deepEqual([code, stderr], [0, ""]);
  const { code: told, message, data: { collections: [result] } } = JSON.parse(stdout);
  deepEqual([told, message, result.name, result.documents, result.queries, result.k], [
    200,
    "Done",
    "tiny",
    3,
    3,
    3,
  ]);
  deepEqual(result.systems.map(({ name }: { name: string }) => name), [
    "keyword",
    "hybrid",
    "hybrid-maxsim",
    "small.yaml",
  ]);
  deepEqual(Object.keys(result.systems[1].difference), ["ndcg", "recall", "mrr", "hit"]);
  deepEqual(Object.keys(result.perQuery[0].scores), ["keyword", "hybrid", "hybrid-maxsim", "small.yaml"]);

  const table = await evaluation(place, "tiny", "--quiet", "--worst", "0", ...compare);
  match(table.stdout, /^ {2}Less keyword +nDCG@3 +Recall@3 +MRR@3 +Hit@3 +ms p50\n {2}hybrid /m);
  equal(table.stdout.includes("Worst"), false);
});

Deno.test("eval fails below --min and names the threshold", async () => {
  await using place = await sandbox();
  await tiny(place);
  const args = ["tiny", "--compare", "keyword", "--quiet", "--worst", "0"];
  equal((await evaluation(place, ...args, "--min", "ndcg@10=.6", "--min", "keyword:hit@1=.6")).code, 0);
  const failed = await evaluation(place, ...args, "--min", "ndcg@10=.6667", "--min", "mrr=.9", "--json");
  deepEqual([failed.code, failed.stderr], [
    1,
    "tiny: nDCG@10 of keyword is 0.66667, below 0.6667\ntiny: MRR@10 of keyword is 0.667, below 0.9\n",
  ]);
  const { code, message, data } = JSON.parse(failed.stdout);
  deepEqual([code, message, data.collections.length], [500, failed.stderr.trim(), 1]);
});

Deno.test("eval searches the user's folder after updating its index", async () => {
  await using place = await sandbox();
  await folderOfNotes(place);
  const queries = [
    { query: "tomato soup", files: ["recipe.txt"] },
    { query: "移动硬盘", files: { "备份.md": 2, "gone.md": 1 } },
  ];
  await Deno.writeTextFile(join(place.path, "q.jsonl"), jsonl(...queries));
  const run = await evaluation(place, "q.jsonl", "--dir", "notes", "--compare", "keyword", "--json");
  equal(run.code, 0, run.stderr);
  equal(
    run.stderr,
    "q.jsonl: keyword, 2 queries\n" +
      "Note: q.jsonl: 1 relevant document is not in the index and counts as not found: gone.md\n",
  );
  const [result] = JSON.parse(run.stdout).data.collections;
  deepEqual(
    result.perQuery.map(({ scores }: { scores: { keyword: { recall: number } } }) => scores.keyword.recall),
    [
      1,
      0.5,
    ],
  );
});

Deno.test("eval refuses bad data with file and line, exit code 2", async () => {
  await using place = await sandbox();
  await folderOfNotes(place);
  await tiny(place);
  const file = join(place.path, "bad.jsonl");
  await Deno.writeTextFile(
    file,
    jsonl({ query: "soup", files: ["recipe.txt"] }, { query: "soup", file: "recipe.txt" }),
  );
  const bad = await evaluation(place, "bad.jsonl", "--dir", "notes");
  equal(bad.code, 2);
  match(bad.stderr, /^Error: .*bad\.jsonl:2 should be \{"query"/);
  await Deno.writeTextFile(join(place.path, "tiny", "queries.jsonl"), '{"_id": "q1", "text": "a"}\n{"_id"\n');
  const beir = await evaluation(place, "tiny");
  equal(beir.code, 2);
  match(beir.stderr, /^Error: .*queries\.jsonl:2 is not valid JSON: /);
});

Deno.test("eval refuses invalid arguments with exit code 2", async () => {
  await using place = await sandbox();
  await folderOfNotes(place);
  await tiny(place);
  await Deno.writeTextFile(join(place.path, "q.jsonl"), jsonl({ query: "soup", files: ["nowhere.txt"] }));
  await Deno.writeTextFile(join(place.path, "small.yaml"), "chunking:\n  max_chars: 200\n");
  const cases: [string[], RegExp][] = [
    [[], /^Error: No test data given/],
    [["nowhere"], /^Error: The test data does not exist: nowhere/],
    [["notes"], /is not a folder in BEIR layout: qrels\.tsv is missing/],
    [["q.jsonl"], /^Error: q\.jsonl contains queries about a folder. Name the folder with --dir/],
    [["tiny", "--dir", "notes"], /^Error: --dir can only be used with a JSONL file/],
    [["tiny", "--compare", "fuzzy"], /^Error: fuzzy in --compare is neither .*hybrid-maxsim/],
    [["tiny", "--compare", "no.yaml"], /no\.yaml does not exist/],
    [["tiny", "--compare", ","], /^Error: Option --compare needs a value/],
    [["tiny", "--min", "map=1"], /^Error: Invalid value map=1 for --min\./],
    [["tiny", "--compare", "keyword", "--min", "hybrid:ndcg=1"], /^Error: hybrid in --min is not one of/],
    [
      ["q.jsonl", "--dir", "notes", "--compare", "keyword,small.yaml"],
      /The chunking section of small\.yaml differs/,
    ],
    [["q.jsonl", "--dir", "notes"], /^Error: No relevant file of .* is in the index of .*nowhere\.txt$/m],
  ];
  for (const [args, expected] of cases) {
    const { code, stdout, stderr } = await evaluation(place, ...args);
    deepEqual([code, stdout], [2, ""], `${args.join(" ")}: ${stderr}`);
    match(stderr, expected);
  }
});

Deno.test({
  name: "Ctrl-C ends an evaluation and removes its temporary folder",
  // Windows ends a process by a signal without asking it.
  ignore: Deno.build.os === "windows",
  async fn() {
    await using place = await sandbox();
    await tiny(place, 3000);
    const temporary = join(place.path, "tmp");
    await Deno.mkdir(temporary);
    const run = await muxueRag(place, ["eval", "tiny", "--language", "en"], {
      env: { TMPDIR: temporary },
      when: { stderr: /indexing/, act: (kill) => kill("SIGINT") },
    });
    deepEqual([run.code, run.stdout], [130, ""]);
    match(run.stderr, /Stopped\n$/);
    deepEqual([...Deno.readDirSync(temporary)], []);
  },
});
