/** A collection whose server has a hot standby. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { openLibrary } from "#library/search/mod.ts";
import { databaseOf, type StoreSettings } from "#library/store/postgres/database.ts";
import { type PostgresPlace, PostgresStore } from "#library/store/postgres/postgres_store.ts";
import { PostgresServer } from "../../../../scripts/postgres/server.ts";
import { postgresServer } from "../../../_postgres.ts";
import { KEY } from "../../../engine/index/_blob_forge.ts";
import { assertUserError, TempDir } from "../../../foundation/boundary/helpers.ts";
import { config } from "../../ingest/_place.ts";
import { ready, write } from "../_contract.ts";

const OLD = texts("river"), NEW = texts("harbour");

/** Texts that need several pages of an index. */
function texts(word: string): string[] {
  return Array.from({ length: 300 }, (_, i) => `${word} ${i} ${"bridge hill ".repeat(i % 40)}`);
}

/** Does something with a server that has the texts `OLD`, and its standby. */
async function usingStandby(work: (servers: Servers) => Promise<void>): Promise<void> {
  await using primary = await PostgresServer.start(postgresServer().root, {
    settings: { "log_statement": "all" },
  });
  await using standby = await primary.standby();
  using dir = new TempDir();
  await using servers = new Servers(primary, standby, dir.path);
  await servers.write(OLD);
  await servers.caughtUp();
  await work(servers);
}

class Servers implements AsyncDisposable {
  #readers = 0;
  readonly #opened: StoreSettings[] = [];

  constructor(readonly primary: PostgresServer, readonly standby: PostgresServer, readonly root: string) {}

  /** A store as another process opens it, with connections and pages of its own. */
  store(server: PostgresServer, replicas: readonly PostgresServer[] = []): PostgresStore {
    const [database, ...others] = [server, ...replicas].map(({ url, password }) => {
      const settings = {
        url,
        password,
        schema: "notes",
        pool: 10 + this.#readers++,
        tls: { ca: null, verify: true },
      };
      this.#opened.push(settings);
      return databaseOf(settings);
    });
    const place: PostgresPlace = {
      ...{ database: database!, replicas: others, schema: "notes", name: "notes" },
      ...{ address: server.url, cacheBytes: 1 },
    };
    return new PostgresStore(this.root, place, KEY);
  }

  /** Publishes an index of one file with these texts. */
  async write(texts: readonly string[]): Promise<void> {
    (await write(this.store(this.primary), { "a.md": texts })).close();
  }

  /** Waits until the standby has what the server has. */
  async caughtUp(): Promise<void> {
    // Commits of this server do not wait for the disk, from which the standby gets them. A checkpoint brings them there.
    await this.primary.psql("checkpoint");
    const at = (await this.primary.psql("select pg_current_wal_flush_lsn()")).trim();
    while ((await this.standby.psql(`select pg_last_wal_replay_lsn() >= '${at}'`)).trim() !== "t");
  }

  /** Counts of queries for pages that each server was asked while something was done, by its log. */
  async asked(work: () => Promise<void>): Promise<{ primary: number; standby: number }> {
    const servers = [this.primary, this.standby];
    const before = await Promise.all(servers.map(queriesForPages));
    await work();
    const [primary, standby] = await Promise.all(servers.map(queriesForPages));
    return { primary: primary! - before[0]!, standby: standby! - before[1]! };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const settings of this.#opened) await databaseOf(settings).close();
  }
}

async function queriesForPages(server: PostgresServer): Promise<number> {
  const marker = crypto.randomUUID();
  await server.psql(`select '${marker}'`);
  for (;;) {
    const log = await Deno.readTextFile(join(server.root, server.folder, "log"));
    if (log.includes(marker)) return log.match(/join "notes"\."?page/g)?.length ?? 0;
  }
}

const ALL = Int32Array.from(OLD.keys());

Deno.test("pages are read from a hot standby, and from the server while that is down", async () => {
  await usingStandby(async (servers) => {
    const { primary, standby } = servers;
    const read = async () => {
      using index = await ready(servers.store(primary, [standby]).open());
      deepEqual(await index.texts(ALL, Infinity), OLD);
      deepEqual(Array.from(await index.documentFrequencies(["river"])), [300]);
    };
    const up = await servers.asked(read);
    ok(up.standby > 0);
    equal(up.primary, 0);
    const store = servers.store(primary, [standby]);
    using index = await ready(store.open());
    await standby.stop();
    deepEqual(await index.texts(ALL, Infinity), OLD);
    await read();
    await standby.begin();
    const again = await servers.asked(read);
    ok(again.standby > 0);
    equal(again.primary, 0);
  });
});

Deno.test("the server answers for the pages that a standby does not have yet", async () => {
  await usingStandby(async (servers) => {
    const { primary, standby } = servers;
    await standby.psql("select pg_wal_replay_pause()");
    await servers.write(NEW);
    const { standby: asked, primary: answered } = await servers.asked(async () => {
      using index = await ready(servers.store(primary, [standby]).open());
      deepEqual(await index.texts(ALL, Infinity), NEW);
    });
    ok(asked > 0 && answered > 0, `${asked} queries to the standby, ${answered} to the server`);
    await standby.psql("select pg_wal_replay_resume()");
    await servers.caughtUp();
    const caught = await servers.asked(async () => {
      using index = await ready(servers.store(primary, [standby]).open());
      deepEqual(await index.texts(ALL, Infinity), NEW);
    });
    equal(caught.primary, 0);
  });
});

Deno.test("a machine that has the standby as its database answers from one index, the old or the new one, and cannot write", async () => {
  await usingStandby(async (servers) => {
    const { standby, root } = servers;
    const store = servers.store(standby);
    const library = openLibrary([root], await config(), { key: KEY, storeOf: () => store });
    const finds = async (query: string) =>
      (await library.search({ query, mode: "keyword", topK: 5 })).hits.length > 0;
    await standby.psql("select pg_wal_replay_pause()");
    await servers.write(NEW);
    deepEqual([await finds("river"), await finds("harbour")], [true, false]);
    await standby.psql("select pg_wal_replay_resume()");
    await servers.caughtUp();
    // The state is asked for once a second.
    while (!await finds("harbour")) await new Promise((done) => setTimeout(done, 100));
    deepEqual([await finds("river"), await finds("harbour")], [false, true]);
    equal((await store.facts()).isReplica, true);
    await assertUserError(() => store.lock(), "store_read_only");
    library.close();
  });
});
