// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Prints nDCG@10 of searches whose nearest vectors pgvector's HNSW index proposes, beside that of the exact scan: for each collection
 * alone, and for all in one together with the sentences of their texts, where the index has more to miss. The index is used whatever the
 * number of vectors is. COLLECTION is a folder in BEIR layout.
 *
 *     deno run -A --config deno.dev.json research/proposed_ranking.ts COLLECTION... [--every 1]
 */
import { parseArgs } from "node:util";
import { loadConfig } from "#foundation/configuration/mod.ts";
import { NO_LOG } from "#foundation/log.ts";
import { readBeir, temporaryCorpus, type TestCollection, type TestDocument } from "#library/evaluate/mod.ts";
import { judge, scoresAt } from "#library/evaluate/metrics.ts";
import { openLibrary } from "#library/search/mod.ts";
import type { OpenOptions } from "#library/store/mod.ts";
import { databaseOf, quotedName } from "#library/store/postgres/database.ts";
import type { PostgresProposer } from "#library/store/postgres/proposed_vectors.ts";
import { PostgresStore } from "#library/store/postgres/postgres_store.ts";
import { bringVectors } from "#library/store/vectors/bring_vectors.ts";
import { withProposer } from "#library/store/vectors/proposed_index.ts";
import { serverRoot } from "../scripts/postgres/root.ts";
import { PostgresServer } from "../scripts/postgres/server.ts";
import { sentencesOf } from "./eval/sentences.ts";

const KEY = new Uint8Array(32), DEPTH = 10, SCHEMA = "ranked";

const { values: { every }, positionals } = parseArgs({
  options: { every: { type: "string", default: "1" } },
  allowPositionals: true,
});
const { config: given } = await loadConfig({
  cwd: await Deno.makeTempDir(),
  env: {},
  flags: { language: "en" },
});
// As `eval` sets them.
const config = { ...given, search: { ...given.search, "max_chars": 1_000_000, "per_doc_limit": 1 } };
await using server = await PostgresServer.start(await serverRoot(), {
  // Few rows are sorted faster than an index gives them.
  settings: { "shared_buffers": "256MB", "enable_sort": "off" },
});
const { url, password } = server;
// The server counts the scans of an index when a connection asks for it: one connection.
const database = databaseOf({ url, password, schema: SCHEMA, pool: 1, tls: { ca: null, verify: true } });

const collections = (await Promise.all(positionals.map(readBeir))).map((each) => ({
  ...each,
  // A search refuses a blank question.
  queries: each.queries.filter(({ text }, at) => at % Number(every) === 0 && text.trim() !== ""),
}));
console.log(
  "collection                  vectors mode      exact  HNSW   difference same hits, scans of the index",
);
for (const collection of collections) await measure(collection.name, collection.documents, [collection]);
await measure("together", together(collections), collections.map(renamed));
await database.close();

/** Measures the questions of some sets in one collection of documents. */
async function measure(
  name: string,
  documents: readonly TestDocument[],
  sets: readonly TestCollection[],
): Promise<void> {
  const place = { database, schema: SCHEMA, name, address: url, cacheBytes: 1 << 29 };
  const storeOf = (root: string) => new PostgresStore(root, place, KEY);
  const context = { log: NO_LOG, version: "0", indexKey: KEY, storeOf };
  await using corpus = await temporaryCorpus(documents, context);
  await corpus.index(config, {});
  const proposer = await proposerOf(storeOf(corpus.root));
  /** A store whose chunks are never all compared, however few they are. */
  class ProposingStore extends PostgresStore {
    override async open(options?: OpenOptions) {
      const loaded = await super.open(options);
      if (loaded.state !== "ready") return loaded;
      return { ...loaded, index: withProposer(loaded.index, proposer, { mostAmong: 0 }) };
    }
  }
  const rules = corpus.rules(config);
  const libraries = [
    openLibrary([corpus.root], rules, { key: KEY, storeOf }),
    openLibrary([corpus.root], rules, { key: KEY, storeOf: (root) => new ProposingStore(root, place, KEY) }),
  ];
  const [{ vectors }] = await database.query<{ vectors: number }>(
    `select count(*) as vectors from ${quotedName(SCHEMA)}.vector where collection = (select id from ${
      quotedName(SCHEMA)
    }.collection where name = $1)`,
    [name],
  ) as [{ vectors: number }];
  for (const set of sets) {
    for (const mode of ["semantic", "hybrid"] as const) {
      const before = await scansOf(proposer);
      const sums = [0, 0];
      let same = 0;
      for (const { text, targets } of set.queries) {
        const found: string[] = [];
        for (const [i, library] of libraries.entries()) {
          const { hits } = await library.search({ query: text, topK: DEPTH, mode });
          const ranking = hits.map((hit) => ({ ...spanOf(hit), also: (hit.also ?? []).map(spanOf) }));
          sums[i]! += scoresAt(judge(ranking, targets), DEPTH).ndcg;
          found.push(ranking.map(({ document, first }) => `${document} ${first}`).join());
        }
        if (found[0] === found[1]) same++;
      }
      const count = set.queries.length, scans = await scansOf(proposer) - before;
      const [exact, proposed] = sums.map((sum) => sum / count) as [number, number];
      console.log(
        [
          (sets.length > 1 ? `${set.name} (${name})` : name).padEnd(27),
          String(vectors).padEnd(7),
          mode.padEnd(9),
          exact.toFixed(4),
          proposed.toFixed(4),
          (proposed - exact).toFixed(5).padStart(9),
          `  ${same} of ${count}, ${scans}`,
        ].join(" "),
      );
    }
  }
  for (const library of libraries) library.close();

  function spanOf({ filePath, startLine, endLine }: Lines) {
    return { document: corpus.documentOf(filePath), first: startLine, last: endLine };
  }
}

/** The lines of a hit. */
interface Lines {
  readonly filePath: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** Brings the vectors of a store's index to pgvector, and has it make its index of them. */
async function proposerOf(store: PostgresStore): Promise<PostgresProposer> {
  const loaded = await store.open();
  if (loaded.state !== "ready") throw new Error(`the index is ${loaded.state}`);
  using index = loaded.index;
  const { model: id, dimensions } = index.vectors!;
  const proposer = await store.proposer({ id, dimensions }, index.statistics.chunks, 0);
  await bringVectors(index, proposer!);
  await database.query(`analyze ${quotedName(SCHEMA)}.vector`);
  return proposer as PostgresProposer;
}

/** Returns how often pgvector's index was searched. */
async function scansOf(proposer: PostgresProposer): Promise<number> {
  await database.query("select pg_stat_force_next_flush()");
  const [row] = await database.query<{ scans: number }>(
    "select idx_scan as scans from pg_stat_user_indexes where schemaname = $1 and indexrelname = $2",
    [SCHEMA, await proposer.indexName()],
  );
  return row!.scans;
}

/** Returns the documents of all collections, and as documents of their own the sentences of each text. */
function together(collections: readonly TestCollection[]): TestDocument[] {
  const sentences = new Set(
    collections.flatMap(({ documents }) => documents.flatMap(({ text }) => sentencesOf(text))),
  );
  return [
    ...collections.flatMap((each) => renamed(each).documents),
    ...Array.from(sentences, (text, i) => ({ id: `sentence ${i}`, title: "", text })),
  ];
}

/** Returns a collection whose documents have the name of the collection in their ids. */
function renamed(collection: TestCollection): TestCollection {
  const named = (id: string) => `${collection.name} ${id}`;
  return {
    ...collection,
    documents: collection.documents.map((document) => ({ ...document, id: named(document.id) })),
    queries: collection.queries.map((query) => ({
      ...query,
      targets: query.targets.map((target) => ({ ...target, document: named(target.document) })),
    })),
  };
}
