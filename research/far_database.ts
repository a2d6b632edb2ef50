// deno-lint-ignore-file no-console -- a script prints its figures
/**
 * Measures how much longer a search takes when each round trip to the database takes 10 ms longer:
 *
 *     deno run --no-check -A --config deno.dev.json tests/_pglite_server.ts     (prints a port; it ends with its input)
 *     deno run --no-check -A --config deno.dev.json research/far_database.ts postgres://postgres@127.0.0.1:PORT/postgres 20000
 */
import { IndexWriter, MemoryFile } from "#engine/index/mod.ts";
import { openLibrary, type SearchRequest } from "#library/search/mod.ts";
import { databaseOf } from "#library/store/postgres/database.ts";
import { PostgresStore } from "#library/store/postgres/postgres_store.ts";
import { BUILTIN_ID, encodeWords, LazyTable, TextAnalyzer } from "#models/embedding/mod.ts";
import { farServer } from "../tests/_far_server.ts";
import { documents, queries } from "../tests/engine/index/_fixture.ts";
import { KEY } from "../tests/engine/index/_blob_forge.ts";
import { chunk, META, recordOf } from "../tests/engine/index/_build.ts";
import { config } from "../tests/library/ingest/_place.ts";

const MS = 10, QUESTIONS = 20;

const [address = "", chunks = "20000"] = Deno.args;
const root = await Deno.realPath(await Deno.makeTempDir());
const lazy = new LazyTable(), table = lazy.get(), analyzer = new TextAnalyzer(table);

/** A blob of `count` chunks, five in a file. */
async function blob(count: number): Promise<MemoryFile> {
  const file = new MemoryFile(), texts = documents();
  const writer = new IndexWriter(file, KEY, [], { model: BUILTIN_ID, dimensions: table.dimensions });
  for (let first = 0; first < count; first += 5) {
    writer.beginFile();
    for (let i = first; i < first + 5; i++) {
      const text = `${texts[i % 300]} item${i} ${texts[(i * 7) % 300]}`;
      writer.addChunk(
        chunk(text, { start: (i - first) * 1000, startLine: i - first + 1, endLine: i - first + 1 }),
      );
      const { vector, words } = analyzer.analyze(text);
      writer.setVector(i, vector, encodeWords(words, table.englishCount));
    }
    writer.endFile(recordOf(`docs/page${first}.md`));
  }
  await writer.finish({ ...META, root });
  return file;
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;

await using far = await farServer(address);
const schema = `far${Date.now().toString(36)}`;
const at = { url: far.url, password: null, schema, pool: 5, tls: { ca: null, verify: true } };
let caches = 0;
/** A store of a process that has no pages at hand. */
const newStore = () =>
  new PostgresStore(root, {
    database: databaseOf(at),
    schema,
    name: "docs",
    address: "far",
    cacheBytes: (1 << 28) + caches++,
  }, KEY);
{
  const store = newStore();
  const file = await blob(Number(chunks));
  console.log(`${chunks} chunks, ${(file.statSync().size / 1e6).toFixed(1)} MB`);
  await using _lock = await store.lock();
  using backup = await store.openBackup(file);
  await store.restore(backup);
}
const settings = await config();
const asked = queries().slice(0, QUESTIONS);
console.log("mode     pages    0 ms     10 ms    longer   round trips");
for (const mode of ["keyword", "hybrid"] as const) {
  const kinds = ["first", "fetched", "at hand"];
  const times = kinds.map((): number[][] => [[], []]), trips = kinds.map((): number[] => []);
  for (const query of asked) {
    for (const [which, ms] of [0, MS].entries()) {
      const store = newStore();
      const library = openLibrary([root], settings, { key: KEY, table: lazy, storeOf: () => store });
      const measure = async (kind: number, request: SearchRequest) => {
        [far.ms, far.trips] = [ms, 0];
        const began = performance.now();
        await library.search(request);
        times[kind]![which]!.push(performance.now() - began);
        if (ms > 0) trips[kind]!.push(far.trips);
        far.ms = 0;
      };
      // The first search connects and opens the index, and the second one finds what that has brought.
      await measure(0, { query: "index", mode });
      await measure(1, { query, mode });
      await measure(2, { query, mode });
      library.close();
      await databaseOf(at).close();
    }
  }
  for (const [kind, name] of kinds.entries()) {
    const [near, away] = [median(times[kind]![0]!), median(times[kind]![1]!)];
    const longer = median(times[kind]![1]!.map((time, i) => time - times[kind]![0]![i]!));
    console.log(
      [mode, name, ...[near, away, longer].map((time) => time.toFixed(1)), median(trips[kind]!)]
        .map((text) => String(text).padEnd(9)).join(""),
    );
  }
}
const database = databaseOf(at);
await database.query(`drop schema ${schema} cascade`);
await database.close();
