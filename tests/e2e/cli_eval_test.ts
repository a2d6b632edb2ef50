import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { posixTest } from "../_posix.ts";
import { makeSandbox, NOTES, type Sandbox, type Setting, writeFiles } from "./_program.ts";
import { jsonl, TINY } from "../library/evaluate/_files.ts";

/** A sandbox with the notes and, beside them, the tiny collection with `more` documents that no query is about. */
async function makePlace(more = 0): Promise<Sandbox> {
  const sandbox = await makeSandbox(NOTES, { env: { MUXUE_RAG_LANGUAGE: "en" } });
  const filler = Array.from({ length: more }, (_, at) => ({ _id: `more${at}`, text: `filler ${at}` }));
  for (const [name, text] of Object.entries(TINY)) {
    const whole = name === "corpus.jsonl" ? text + jsonl(...filler) : text;
    await writeFiles(sandbox.cwd, { [`tiny/${name}`]: whole });
  }
  // temporary folders are inside the place
  const temporary = join(sandbox.cwd, "tmp");
  await Deno.mkdir(temporary);
  Object.assign(sandbox.env, { TMPDIR: temporary, TMP: temporary, TEMP: temporary });
  return sandbox;
}

const leftIn = ({ cwd }: Sandbox) => [...Deno.readDirSync(join(cwd, "tmp"))].map(({ name }) => name);

Deno.test("eval measures a collection in BEIR layout and removes its files", async () => {
  await using place = await makePlace();
  const { code, stdout, stderr } = await place.run`eval tiny --compare keyword`;
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
  deepEqual(leftIn(place), []);
  // The user's list of indexed folders does not contain it.
  equal((await place.run`status`).code, 2);
});

Deno.test("eval compares systems side by side, and prints all results as JSON", async () => {
  await using place = await makePlace();
  await writeFiles(place.cwd, { "small.yaml": "chunking:\n  max_chars: 200\n" });
  const systems = ["keyword", "hybrid", "hybrid-maxsim", "small.yaml"];
  const args = ["eval", "tiny", "--quiet", "--compare", systems.join(), "--top-k", "3"];
  const { code, stdout, stderr } = await place.run`${args} --json`;
  deepEqual([code, stderr], [0, ""]);
  const { code: told, message, data: { collections: [result] } } = JSON.parse(stdout);
  const { name, documents, queries, k } = result;
  deepEqual([told, message, name, documents, queries, k], [200, "Done", "tiny", 3, 3, 3]);
  deepEqual(result.systems.map(({ name }: { name: string }) => name), systems);
  deepEqual(Object.keys(result.systems[1].difference), ["ndcg", "recall", "mrr", "hit"]);
  deepEqual(Object.keys(result.perQuery[0].scores), systems);

  const table = await place.run`${args} --worst 0`;
  match(table.stdout, /^ {2}Less keyword +nDCG@3 +Recall@3 +MRR@3 +Hit@3 +ms p50\n {2}hybrid /m);
  equal(table.stdout.includes("Worst"), false);
});

Deno.test("eval fails below --min and names the threshold", async () => {
  await using place = await makePlace();
  const args = ["eval", "tiny", "--compare", "keyword", "--quiet", "--worst", "0"];
  equal((await place.run`${args} --min ndcg@10=.6 --min keyword:hit@1=.6`).code, 0);
  const failed = await place.run`${args} --min ndcg@10=.6667 --min mrr=.9 --json`;
  deepEqual([failed.code, failed.stderr], [
    1,
    "tiny: nDCG@10 of keyword is 0.66667, below 0.6667\ntiny: MRR@10 of keyword is 0.667, below 0.9\n",
  ]);
  const { code, message, data } = JSON.parse(failed.stdout);
  deepEqual([code, message, data.collections.length], [500, failed.stderr.trim(), 1]);
});

Deno.test("eval searches the user's folder after updating its index", async () => {
  await using place = await makePlace();
  const queries = [
    { query: "tomato soup", files: ["recipe.txt"] },
    { query: "移动硬盘", files: { "备份.md": 2, "gone.md": 1 } },
  ];
  await writeFiles(place.cwd, { "q.jsonl": jsonl(...queries) });
  const run = await place.run`eval q.jsonl --dir ${"文档 docs"} --compare keyword --json`;
  equal(run.code, 0, run.stderr);
  equal(
    run.stderr,
    "q.jsonl: keyword, 2 queries\n" +
      "Note: q.jsonl: 1 relevant document is not in the index and counts as not found: gone.md\n",
  );
  const [result] = JSON.parse(run.stdout).data.collections;
  const recalls = result.perQuery.map(({ scores }: { scores: { keyword: { recall: number } } }) =>
    scores.keyword.recall
  );
  deepEqual(recalls, [1, 0.5]);
});

Deno.test("eval measures claims, and fails below a minimum of one of their figures", async () => {
  await using place = await makeSandbox({});
  const passages = ["The bridge has eight lanes."];
  const lines = jsonl(
    { claim: "The bridge has eight lanes.", passages, label: "supported" },
    { claim: "The bridge has nine lanes.", passages, label: "not" },
  );
  await writeFiles(place.cwd, {
    "claims.jsonl": lines,
    "q.jsonl": jsonl({ query: "soup", files: ["a.txt"] }),
  });
  const { code, stdout, stderr } = await place.run`eval claims.jsonl --min auc=1 --language en`;
  deepEqual([code, stderr], [0, ""]);
  match(stdout, /claims\.jsonl +2 +1 +1\.000 +1\.000 +1\.000 +1\.000 +\d/);
  const failed = await place.run`eval claims.jsonl --min auc=1 --min ndcg=1 --language en`;
  deepEqual(failed.code, 2);
  match(failed.stderr, /--min ndcg=1 is not valid; write METRIC=VALUE/);
  const mixed = await place.run`eval claims.jsonl q.jsonl --language en`;
  deepEqual(mixed.code, 2);
  match(mixed.stderr, /Claims and queries cannot be measured together/);
});

Deno.test("eval refuses invalid arguments, and bad data with file and line, with exit code 2", async () => {
  await using place = await makePlace();
  await writeFiles(place.cwd, {
    "q.jsonl": jsonl({ query: "soup", files: ["nowhere.txt"] }),
    "bad.jsonl": jsonl({ query: "soup", files: ["recipe.txt"] }, { query: "soup", file: "recipe.txt" }),
    "small.yaml": "chunking:\n  max_chars: 200\n",
    ...Object.fromEntries(Object.entries(TINY).map(([name, text]) => [`bad/${name}`, text])),
    "bad/queries.jsonl": '{"_id": "q1", "text": "a"}\n{"_id"\n',
  });
  const cases: Record<string, RegExp> = {
    "": /^Error: No test data given/,
    "nowhere": /^Error: The test data does not exist: nowhere/,
    "config": /is not a folder in BEIR layout: qrels\.tsv is missing/,
    "q.jsonl": /^Error: q\.jsonl contains queries about a folder. Name the folder with --dir/,
    "tiny --dir tiny": /^Error: --dir can only be used with a JSONL file/,
    "tiny --compare fuzzy": /^Error: fuzzy in --compare is neither .*hybrid-maxsim/,
    "tiny --compare no.yaml": /no\.yaml does not exist/,
    "tiny --compare ,": /^Error: Option --compare needs a value/,
    "tiny --min map=1": /^Error: Invalid value map=1 for --min\./,
    "tiny --compare keyword --min hybrid:ndcg=1": /^Error: hybrid in --min is not one of/,
    "q.jsonl --dir DIR --compare keyword,small.yaml": /The chunking section of small\.yaml differs/,
    "q.jsonl --dir DIR": /^Error: No relevant file of .* is in the index of .*nowhere\.txt$/m,
    "bad.jsonl --dir DIR": /^Error: .*bad\.jsonl:2 should be \{"question"/,
    "bad": /^Error: .*queries\.jsonl:2 is not valid JSON: /,
  };
  await Deno.mkdir(join(place.cwd, "config"));
  for (const [line, expected] of Object.entries(cases)) {
    const args = line.split(" ").filter(Boolean).map((word) => word === "DIR" ? place.folder : word);
    const { code, stdout, stderr } = await place.run`eval ${args}`;
    deepEqual([code, stdout], [2, ""], `${line}: ${stderr}`);
    match(stderr, expected);
  }
});

// Windows ends a process by a signal without asking it.
posixTest("Ctrl-C ends an evaluation and removes its temporary folder", async () => {
  await using place = await makePlace(3000);
  const when: Setting["when"] = { stderr: /indexing/, act: (kill) => kill("SIGINT") };
  const run = await place.runIn({ when })`eval tiny`;
  deepEqual([run.code, run.stdout], [130, ""]);
  match(run.stderr, /Stopped\n$/);
  deepEqual(leftIn(place), []);
});
