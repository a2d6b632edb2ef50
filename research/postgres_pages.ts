// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Searches for words in an index whose pages lie in PostgreSQL: `deno run -A research/postgres_pages.ts INDEX [cache in MB]`, with an index that
 * `remote_pages.ts` has written and the server of `deno task test:postgres`. For a fresh process and for a warm one: milliseconds of BM25
 * alone and of a search with ten hits and their texts; round trips; the same with 10 ms added to each; bytes of words for each chunk.
 */
import { BlobIndex, IndexReader, type OpenIndex, Tokenizer } from "#engine/index/mod.ts";
import { BlobReader } from "#engine/index/blob/reader.ts";
import { openRemote, PageCache, type RemoteBytes } from "#engine/index/remote/mod.ts";
import { Segments } from "#engine/segments.ts";
import { databaseOf } from "#library/store/postgres/database.ts";
import { NewSegment, PageQueries } from "#library/store/postgres/pages.ts";
import { Replicas } from "#library/store/postgres/replicas.ts";
import { Tables } from "#library/store/postgres/tables.ts";
import { loadTable } from "#models/embedding/mod.ts";
import { wordsOf } from "../scripts/bench/corpus.ts";
import { chunks, queryFrom, random } from "../scripts/bench/text.ts";
import { serverRoot } from "../scripts/postgres/root.ts";
import { PostgresServer } from "../scripts/postgres/server.ts";

const [path = "", cacheMb = "256"] = Deno.args;
const KEY = new Uint8Array(32), SEARCHES = 200, DELAY = 10, LIMIT = 50, HITS = 10;
const WORD_SECTIONS = /^(?:term\.|list\.|skips$|postings$)/;

const tokenizer = new Tokenizer(), next = random(5);
const texts = [...chunks("en", 20_000, wordsOf(loadTable(), "en"))];
const queries = Array.from(
  { length: SEARCHES },
  () => queryFrom("en", texts[Math.floor(texts.length * next())]!, next),
);

const blob = BlobReader.open(Deno.openSync(path), { key: KEY });
const words = [...blob.sections].filter(({ name }) => WORD_SECTIONS.test(name))
  .reduce((sum, { length }) => sum + length, 0);
const count = blob.length("chunk.tokens") / 4;
console.log(
  `${count} chunks, ${(blob.size / 1e6).toFixed()} MB, words ${(words / count).toFixed()} bytes a chunk`,
);

await using server = await PostgresServer.start(await serverRoot());
const database = databaseOf({
  url: server.url,
  password: server.password,
  schema: "pages",
  pool: 5,
  tls: { ca: null, verify: true },
});
const tables = new Tables(database, "pages");
const place = await stored();
const pages = new PageQueries(tables, new Replicas(database, []));
const [size] = await tables.read<{ bytes: number }>(
  "select pg_total_relation_size('pages.page') as bytes",
  [],
);
console.log(`in the database ${(size!.bytes / 1e6).toFixed()} MB`);

let trips = 0, delay = 0;
/** Counts the trips of one turn as one, and adds time to each. */
function counted(remote: RemoteBytes): RemoteBytes {
  let isTurn = false;
  return {
    ...remote,
    read: async (ranges, signal) => {
      if (!isTurn) trips++;
      isTurn = true;
      queueMicrotask(() => isTurn = false);
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
      return await remote.read(ranges, signal);
    },
  };
}

for (const added of [0, DELAY]) {
  delay = added;
  for (const work of [bm25, whole]) {
    trips = 0;
    const began = performance.now();
    const cache = new PageCache(Number(cacheMb) * 1e6);
    const index = await openRemote(counted(pages.bytesOf(place)), { key: KEY, cache });
    console.log(
      `${work.name}, ${added} ms added: opened in ${
        (performance.now() - began).toFixed()
      } ms, ${trips} trips`,
    );
    await measure("  other words each time", index, work);
    await measure("  the same words again", index, work);
    index.close();
  }
}
{
  using near = new BlobIndex(IndexReader.open(Deno.openSync(path), { key: KEY }));
  await measure("bm25, a file, other words each time", near, bm25);
  await measure("bm25, a file, the same words again", near, bm25);
}
await database.close();

async function bm25(index: OpenIndex, text: string): Promise<void> {
  const segments = new Segments([index]);
  await segments.byTerms(await segments.lookUp(tokenizer.queryTerms(text)), { limit: LIMIT });
}

async function whole(index: OpenIndex, text: string): Promise<void> {
  const segments = new Segments([index]);
  const found = await segments.byTerms(await segments.lookUp(tokenizer.queryTerms(text)), { limit: LIMIT });
  const ids = Int32Array.from(found.slice(0, HITS), ({ id }) => id).sort();
  await Promise.all([segments.chunks(ids), segments.texts(ids, 4000), segments.identities(ids)]);
}

async function measure(name: string, index: OpenIndex, work: typeof bm25): Promise<void> {
  const times: number[] = [], counts: number[] = [];
  for (const text of queries) {
    const before = trips, began = performance.now();
    await work(index, text);
    times.push(performance.now() - began);
    counts.push(trips - before);
  }
  const [first, ...later] = times;
  const at = (numbers: readonly number[], share: number) =>
    numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(share * numbers.length))]!;
  console.log(
    `${name}: first ${first!.toFixed(1)}, p50 ${at(later, .5).toFixed(1)}, p95 ${
      at(later, .95).toFixed(1)
    } ms; ` +
      `trips ${counts[0]}, p50 ${at(counts.slice(1), .5)}, p95 ${at(counts.slice(1), .95)}`,
  );
}

/** Puts the index into the tables. */
async function stored() {
  const [collection] = await tables.write<{ id: string }>(
    "insert into {collection} (name, key) values ('research', $1) returning id::text",
    [KEY],
  );
  const segment = await NewSegment.begin(tables, collection!.id);
  using file = Deno.openSync(path);
  const bytes = new Uint8Array(1 << 20);
  for (let read = file.readSync(bytes); read !== null; read = file.readSync(bytes)) {
    for (let at = 0; at < read;) at += segment.writeSync(bytes.subarray(at, read));
    await segment.flush();
  }
  await segment.finish();
  await tables.write("analyze {page}", []);
  return { id: segment.id, size: segment.size };
}
