// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Bytes in PostgreSQL for each chunk, by table, with indexes and values that are kept outside of rows: `deno run -A
 * research/postgres_sizes.ts [chunks] [dimensions of a neural model] [en or zh]`, on the server of `deno task test:postgres`. Text of 1,200
 * characters a chunk, ten chunks a file; vectors of the built-in table in the index, and in pgvector; random vectors of a neural model in
 * the store, and in pgvector.
 */
import { HASH_BYTES, quantizeRow } from "#engine/index/mod.ts";
import { databaseOf } from "#library/store/postgres/database.ts";
import { PostgresStore } from "#library/store/postgres/postgres_store.ts";
import type { VectorModel } from "#library/store/mod.ts";
import { bringVectors } from "#library/store/vectors/bring_vectors.ts";
import { BUILTIN_ID, encodeWords, loadTable, TextAnalyzer } from "#models/embedding/mod.ts";
import { wordsOf } from "../scripts/bench/corpus.ts";
import { chunks, random } from "../scripts/bench/text.ts";
import { serverRoot } from "../scripts/postgres/root.ts";
import { PostgresServer } from "../scripts/postgres/server.ts";

const [COUNT = 100_000, DIMENSIONS = 384] = Deno.args.slice(0, 2).map(Number);
const LANGUAGE = Deno.args[2] === "zh" ? "zh" : "en";
/** Generated texts of which one of 1,200 characters is made. */
const TEXTS = { en: 2, zh: 5 }[LANGUAGE];
const CHUNKS_A_FILE = 10, VECTORS_AT_ONCE = 1000;
const NEURAL: VectorModel = { id: "local:neural", dimensions: DIMENSIONS };

const table = loadTable(), analyzer = new TextAnalyzer(table);
const BUILTIN: VectorModel = { id: BUILTIN_ID, dimensions: table.dimensions };

await using server = await PostgresServer.start(await serverRoot());
const schema = "sizes";
const settings = {
  url: server.url,
  password: server.password,
  schema,
  pool: 5,
  tls: { ca: null, verify: true },
};
const database = databaseOf(settings);
const place = { database, schema, name: "sizes", address: "", cacheBytes: 1 << 28 };
const store = new PostgresStore("/sizes", place, new Uint8Array(32));
let characters = 0;

await using _lock = await store.lock();
await measured("index", writeIndex);
const loaded = await store.open();
if (loaded.state !== "ready") throw new Error(loaded.state);
const { index } = loaded;
const { bytes } = await store.facts();
console.log(
  `${(characters / COUNT).toFixed()} characters a chunk; the index has ${
    (bytes / COUNT).toFixed()
  } bytes a chunk`,
);
await measured(`built-in vectors (${BUILTIN.dimensions}) in pgvector`, async () => {
  await bringVectors(index, (await store.proposer(BUILTIN, COUNT, 0))!);
});
await measured(`vectors of a model (${DIMENSIONS})`, writeVectors);
await measured(`vectors of a model (${DIMENSIONS}) in pgvector`, proposeVectors);
index.close();
await database.close();

/** Does something, and prints what each table has more. */
async function measured(name: string, work: () => Promise<void>): Promise<void> {
  const before = await sizes(), began = performance.now();
  await work();
  const after = await sizes(), seconds = (performance.now() - began) / 1000;
  const grown = Object.entries(after)
    .map(([table, size]) => [table, size - (before[table] ?? 0)] as const).filter(([, size]) => size > 1e6);
  const all = grown.reduce((sum, [, size]) => sum + size, 0);
  console.log(
    `${name}: ${(all / COUNT).toFixed()} bytes a chunk, ${
      (all / 1e6).toFixed()
    } MB in ${seconds.toFixed()} s ` + `(${
      grown.map(([table, size]) => `${table} ${(size / COUNT).toFixed()}`).join(", ")
    })`,
  );
}

async function sizes(): Promise<Record<string, number>> {
  const rows = await database.query<{ name: string; size: number }>(
    `select relname as name, pg_total_relation_size(oid) as size from pg_class
     where relkind = 'r' and relnamespace = to_regnamespace($1)`,
    [schema],
  );
  return Object.fromEntries(rows.map(({ name, size }) => [name, size]));
}

async function writeIndex(): Promise<void> {
  const texts = chunks(LANGUAGE, TEXTS * COUNT, wordsOf(table, LANGUAGE));
  const vectors = { model: BUILTIN.id, dimensions: BUILTIN.dimensions };
  await store.replace({ vectors }, async (writer) => {
    for (let i = 0; i < COUNT;) {
      const number = i / CHUNKS_A_FILE;
      const path = `folder/${number}.md`;
      writer.beginFile(path);
      for (let k = 0, start = 0; k < CHUNKS_A_FILE && i < COUNT; k++, i++) {
        const text = Array.from({ length: TEXTS }, () => texts.next().value!).join(" "),
          end = start + text.length;
        const section = [`File ${number}`, `Part ${k}`];
        writer.addChunk({
          text,
          context: section.join("\n"),
          section,
          start,
          end,
          startLine: k + 1,
          endLine: k + 1,
        });
        const { vector, words } = analyzer.analyze(text);
        writer.setVector(i, vector, encodeWords(words, table.englishCount));
        start = end;
        characters += text.length;
      }
      await writer.endFile({
        path,
        size: 1,
        mtimeMs: 0,
        sha256: "",
        status: "indexed",
      });
    }
    const meta = {
      settings: "",
      program: "research",
      indexedAt: new Date(0).toISOString(),
      root: store.root,
    };
    await writer.finish(meta, () => Promise.resolve());
  });
}

/** Random vectors of length 1 with random hashes, some at a time. */
function* someVectors(seed: number) {
  const next = random(seed);
  for (let at = 0; at < COUNT; at += VECTORS_AT_ONCE) {
    yield Array.from({ length: Math.min(VECTORS_AT_ONCE, COUNT - at) }, () => {
      const vector = Float32Array.from({ length: DIMENSIONS }, () => next() - .5);
      const length = Math.hypot(...vector);
      return {
        hash: crypto.getRandomValues(new Uint8Array(HASH_BYTES)),
        vector: vector.map((number) => number / length),
      };
    });
  }
}

async function writeVectors(): Promise<void> {
  await using writer = await store.vectors.write(NEURAL);
  for (const some of someVectors(7)) {
    await writer.append(some);
    await writer.flush();
  }
}

async function proposeVectors(): Promise<void> {
  const proposer = (await store.proposer(NEURAL, COUNT, 0))!;
  for (const some of someVectors(7)) {
    const numbers = new Int8Array(some.length * DIMENSIONS);
    const scales = Float32Array.from(some, ({ vector }, i) => quantizeRow(vector, numbers, i * DIMENSIONS));
    await proposer.add({ hashes: some.map(({ hash }) => hash), numbers, scales });
  }
  await proposer.finish?.();
}
