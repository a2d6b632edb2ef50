// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Measures how many of the 50 nearest vectors pgvector proposes, and in what time, the cosines computed by the program included; and the
 * processor time of the server alone, which other programs on the machine change less.
 *
 *     deno run -A --config deno.dev.json research/nearest_vectors.ts [VECTORS] [DIMENSIONS]
 *
 * The vectors are of 500 overlapping groups in 48 directions, with noise in all: about as hard to tell apart as those of texts.
 */
import { quantizeRow, VectorIndex } from "#engine/index/mod.ts";
import { databaseOf } from "#library/store/postgres/database.ts";
import { PostgresProposer } from "#library/store/postgres/proposed_vectors.ts";
import { Tables } from "#library/store/postgres/tables.ts";
import { ProposedRows } from "#library/store/vectors/proposed_rows.ts";
import { random } from "../tests/engine/index/_build.ts";
import { serverRoot } from "../scripts/postgres/root.ts";
import { PostgresServer } from "../scripts/postgres/server.ts";

const count = Number(Deno.args[0] ?? 100_000), dimensions = Number(Deno.args[1] ?? 384);
const NEAREST = 50, QUERIES = 200, DIRECTIONS = 48, GROUPS = 500;

const next = random(29);
const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
const directions = Float32Array.from({ length: DIRECTIONS * dimensions }, normal);
const centres = Float32Array.from({ length: GROUPS * DIRECTIONS }, normal);

function vector(): Float32Array {
  const group = Math.floor(GROUPS * next() ** 2);
  const numbers = Float32Array.from({ length: dimensions }, normal);
  for (let k = 0; k < DIRECTIONS; k++) {
    const along = centres[group * DIRECTIONS + k]! + 0.7 * normal();
    for (let i = 0; i < dimensions; i++) numbers[i]! += along * directions[k * dimensions + i]!;
  }
  const length = Math.hypot(...numbers);
  return numbers.map((number) => number / length);
}

const numbers = new Int8Array(count * dimensions), scales = new Float32Array(count);
const hashes: Uint8Array[] = [], numberOf = new Map<string, number>();
for (let i = 0; i < count; i++) {
  scales[i] = quantizeRow(vector(), numbers, i * dimensions);
  hashes.push(crypto.getRandomValues(new Uint8Array(16)));
  numberOf.set(hashes[i]!.toHex(), i);
}
const exact = new VectorIndex({ model: "", dimensions }, count, {
  expect() {},
  fill(rows, ofRows) {
    rows.set(numbers);
    ofRows.set(scales);
  },
});

// Both the vectors and their index fit in.
await using server = await PostgresServer.start(await serverRoot(), {
  settings: { "shared_buffers": "256MB" },
});
const { url, password } = server;
const database = databaseOf({ url, password, schema: "measured", pool: 1, tls: { ca: null, verify: true } });
const tables = new Tables(database, "measured");
const [row] = await tables.write<{ id: string }>(
  "insert into {collection} (name, key) values ('notes', '') returning id::text",
  [],
);
const proposer =
  (await PostgresProposer.open(tables, row!.id, { id: "model", dimensions }, { exactUpTo: 0 }))!;
const seconds = async (work: () => Promise<unknown>) => {
  const began = performance.now();
  await work();
  return `${((performance.now() - began) / 1000).toFixed(1)} s`;
};
console.log(
  `add ${count} × ${dimensions}: ${await seconds(() => proposer.add({ hashes, numbers, scales }))}`,
);
console.log(`build the index: ${await seconds(() => proposer.finish())}`);
await database.query("vacuum analyze measured.vector");
const rowNumbers = await proposer.numbersOf(hashes);

const [connection] = await database.query<{ pid: number }>("select pg_backend_pid() as pid");
/** Milliseconds of processor time of the one connection. */
function serverTime(): number {
  return Number(Deno.readTextFileSync(`/proc/${connection!.pid}/schedstat`).split(" ")[0]) / 1e6;
}

const queries = Array.from({ length: QUERIES }, vector);
for (const share of [1, 0.01, 0.1, 0.4]) {
  const allowed = new Uint8Array(count).map(() => next() < share ? 1 : 0);
  const amongNumbers = share === 1 ? undefined : rowNumbers.filter((_, i) => allowed[i] === 1);
  const times: number[] = [], serverTimes: number[] = [];
  let found = 0;
  for (const query of queries) {
    // A place of its own, so that no vector is remembered.
    const rows = new ProposedRows(proposer);
    const busy = serverTime(), began = performance.now();
    const proposed = await rows.nearest(query, { limit: 2 * NEAREST, amongNumbers });
    times.push(performance.now() - began);
    serverTimes.push(serverTime() - busy);
    const numbers = new Set(proposed.hashes.map((hash) => numberOf.get(hash.toHex())));
    found += exact.search(query, NEAREST, allowed).filter(({ chunk }) => numbers.has(chunk)).length;
  }
  const [middle, high, busyMiddle, busyHigh] = [times, serverTimes].flatMap((times) => {
    times.sort((a, b) => a - b);
    return [0.5, 0.95].map((part) => times[Math.floor(QUERIES * part)]!.toFixed(1));
  });
  const recall = (found / QUERIES / NEAREST).toFixed(4);
  console.log(
    `${share * 100} % of the vectors: recall@${NEAREST} ${recall}, p50 ${middle} ms, p95 ${high} ms; ` +
      `processor time of the server p50 ${busyMiddle} ms, p95 ${busyHigh} ms`,
  );
}
await database.close();
