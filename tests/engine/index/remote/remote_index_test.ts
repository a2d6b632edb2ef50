import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { BlobIndex, DamagedIndexError, type OpenIndex } from "#engine/index/mod.ts";
import { JoinedIndex } from "#engine/joined/mod.ts";
import { openRemote, PageCache, type RemoteIndex } from "#engine/index/remote/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { KEY } from "../_blob_forge.ts";
import { opened, random } from "../_build.ts";
import { type Ask, asks, everything } from "./_all_asks.ts";
import { Network } from "./_network.ts";

const BLOB = await everything();
const DEAD = [2, 5, 6];

const inMemory = (dead: readonly number[] = []) => new BlobIndex(opened(BLOB), { dead });

async function openFar(
  network: Network,
  maxBytes = 1 << 24,
  { dead = [] as readonly number[], blob = BLOB } = {},
): Promise<RemoteIndex> {
  const cache = new PageCache(maxBytes);
  const whole = await openRemote(network.remote(blob), { key: KEY, cache });
  if (dead.length === 0) return whole;
  const index = whole.without(dead);
  await cache.run(() => index.statistics);
  return index;
}

/** The answer to a question, or the name of the error that it is refused with. */
async function answer(index: OpenIndex, [, ask]: Ask): Promise<unknown> {
  try {
    return await ask(index);
  } catch (error) {
    if (error instanceof UserError) return error.key;
    throw error;
  }
}

Deno.test("a remote index answers every question like the same index in memory", async () => {
  for (const dead of [[], DEAD]) {
    const near = inMemory(dead);
    for (let seed = 0; seed < 25; seed++) {
      const far = await openFar(new Network(), 1 << 24, { dead });
      for (const ask of asks(random(seed), near)) {
        deepEqual(await answer(far, ask), await answer(near, ask), `${seed} ${ask[0]}`);
      }
      far.close();
    }
  }
});

Deno.test("an index joined of remote ones answers like one joined of the same in memory", async () => {
  for (let seed = 50; seed < 60; seed++) {
    const cache = new PageCache(30_000), network = new Network();
    const joined = <Index extends OpenIndex>(one: Index, other: Index) =>
      new JoinedIndex([{ index: one, changes: { dead: DEAD, records: [] } }, { index: other }]);
    const near = joined(inMemory(), inMemory());
    const open = () => openRemote(network.remote(BLOB), { key: KEY, cache });
    const far = joined(...await Promise.all([open(), open()]));
    // Terms that several remote indexes have are counted in each.
    const questions = asks(random(seed), near).filter(([name]) => name !== "statistics");
    const answers = await Promise.all(questions.map((ask) => answer(far, ask)));
    for (const [i, ask] of questions.entries()) {
      deepEqual(answers[i], await answer(near, ask), `${seed} ${ask[0]}`);
    }
    far.close();
    equal(cache.bytes, 0);
  }
});

Deno.test("answers stay the same while pages are thrown out between and during calls", async () => {
  for (const maxBytes of [0, 10_000, 60_000]) {
    for (let seed = 100; seed < 112; seed++) {
      const near = inMemory(DEAD), far = await openFar(new Network(), maxBytes, { dead: DEAD });
      const questions = asks(random(seed), near);
      const answers = await Promise.all(questions.map((ask) => answer(far, ask)));
      for (const [i, ask] of questions.entries()) {
        deepEqual(answers[i], await answer(near, ask), `${maxBytes} ${seed} ${ask[0]}`);
      }
      far.close();
    }
  }
});

Deno.test("a failed fetch rejects the calls that wait for it, and leaves nothing half-done", async () => {
  for (let seed = 200; seed < 215; seed++) {
    const near = inMemory(DEAD),
      network = new Network(),
      far = await openFar(network, 20_000, { dead: DEAD });
    const next = random(seed);
    network.delay = () => next() < .3 ? Promise.reject(new Error("gone")) : Promise.resolve();
    let failed = 0;
    for (const ask of asks(next, near)) {
      for (;;) {
        try {
          deepEqual(await answer(far, ask), await answer(near, ask), `${seed} ${ask[0]}`);
          break;
        } catch (error) {
          if (!(error instanceof Error && error.message === "gone")) throw error;
          failed++;
        }
      }
    }
    ok(failed > 0);
    far.close();
  }
});

Deno.test("a remote index is opened in two round trips, and its synchronous methods need no further one", async () => {
  const network = new Network();
  equal(await network.tripsOf(async () => void await openFar(network)), 2);
  const far = await openFar(network);
  const trips = await network.tripsOf(async () => {
    far.fileMarks(({ files }) => new Uint8Array(files.length));
    await far.languages(Int32Array.of(0, 5));
    far.statistics;
  });
  equal(trips, 0);
});

Deno.test("a cold search for several terms takes three round trips at most, its chunks with their texts three more", async () => {
  const network = new Network(), far = await openFar(network);
  const names = ["index", "server", "检索", "page", "the"];
  const found: number[] = [];
  const search = async () => {
    await far.documentFrequencies(names);
    const terms = names.map((term) => ({ term, weight: 1 }));
    found.push(...(await far.byTerms({ terms, averageTokens: 20 }, { limit: 10 })).map(({ chunk }) => chunk));
  };
  const show = async () => {
    const chunks = Int32Array.from(found).sort();
    await Promise.all([
      far.chunks(chunks),
      far.texts(chunks, 1e6),
      far.identities(chunks),
      far.words(chunks),
    ]);
  };
  ok(await network.tripsOf(search) <= 3);
  ok(await network.tripsOf(show) <= 3);
  equal(await network.tripsOf(search), 0);
  equal(await network.tripsOf(show), 0);
});

Deno.test("pages that calls and indexes miss in one turn of the event loop are fetched together, and no page twice", async () => {
  const network = new Network(), cache = new PageCache(1 << 24);
  const open = () => openRemote(network.remote(BLOB), { key: KEY, cache });
  let indexes: RemoteIndex[] = [];
  equal(await network.tripsOf(async () => indexes = await Promise.all([open(), open()])), 2);
  network.asked.length = 0;
  const chunks = Int32Array.of(1, 200);
  await Promise.all(indexes.flatMap((index) => [index.texts(chunks, 100), index.texts(chunks, 100)]));
  equal(network.asked.length, 2);
  deepEqual(network.asked[0], network.asked[1]);
});

Deno.test("an aborted call ends at once, and the request with the last call that waits for it", async () => {
  const network = new Network(), far = await openFar(network);
  let requested: AbortSignal | undefined;
  const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  network.delay = (signal) => {
    requested = signal;
    ask();
    return arrival;
  };
  const [one, other] = [new AbortController(), new AbortController()];
  const chunks = Int32Array.of(3);
  const calls = [one, other].map(({ signal }) => far.withSignal(signal).texts(chunks, 100));
  await asked;
  one.abort(new Error("enough"));
  await rejects(calls[0]!, /enough/);
  equal(requested?.aborted, false);
  other.abort(new Error("late"));
  await rejects(calls[1]!, /late/);
  equal(requested?.aborted, true);
  arrive();
  network.delay = () => Promise.resolve();
  deepEqual(await far.texts(chunks, 100), await inMemory().texts(chunks, 100));
});

Deno.test("pages take no more memory than the limit, and those of a closed index none", async () => {
  const cache = new PageCache(100_000);
  const far = await openRemote(new Network().remote(BLOB), { key: KEY, cache });
  const all = Int32Array.from({ length: far.statistics.chunks }, (_, i) => i);
  for (let i = 0; i < all.length; i += 7) {
    await far.texts(all.subarray(i, i + 7), Infinity);
    ok(cache.bytes <= 100_000);
  }
  ok(cache.bytes > 50_000);
  far.close();
  equal(cache.bytes, 0);
});

Deno.test("changed bytes are found as damage, and a blob that cannot be opened is closed", async () => {
  const blob = BLOB.slice();
  blob[4096 + 10]! ^= 1;
  const far = await openFar(new Network(), 1 << 24, { blob });
  await rejects(far.texts(Int32Array.of(0), 100), DamagedIndexError);
  await rejects(far.verify(), DamagedIndexError);
  equal(far.damage, "checksum of bytes 4096 to 8192");
  await (await openFar(new Network())).verify();

  const network = new Network(), cut = BLOB.slice(0, -1);
  await rejects(openFar(network, 1 << 20, { blob: cut }), DamagedIndexError);
  await rejects(openFar(network, 1 << 20, { blob: BLOB.slice(0, 100) }), DamagedIndexError);
  equal(network.closed, 2);
});
