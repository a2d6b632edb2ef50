/**
 * PGlite with pgvector behind a socket, in a process of its own: prints its port, and ends when its input does. Usage: see
 * `_pglite.ts`. A new database takes 2.4 s of CPU time, and a copy of one that lies in the cache folder 0.8 s.
 */
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";

/** Messages of the extended protocol, after which a client has more to send: parse, bind, describe, execute, close, flush. */
const UNFINISHED = new Set(Array.from("PBDECH", (letter) => letter.charCodeAt(0)));

const cache = Deno.env.get("XDG_CACHE_HOME") ?? join(Deno.env.get("HOME") ?? "/root", ".cache");
/** The paths of the packages have their versions. */
const versions = ["@electric-sql/pglite", "@electric-sql/pglite-pgvector"]
  .map((name) => /pglite[^/]*\/([\d.]+)\//.exec(import.meta.resolve(name))![1]);
const template = join(cache, "muxue_rag-tests", `pglite-${versions.join("-")}.tar`);

const database = await copied().catch(made);
const server = new PGLiteSocketServer({ db: database, port: 0, host: "127.0.0.1", maxConnections: 50 });
Object.assign(server, { queryQueue: statementQueue(database) });
server.addEventListener("listening", (event) => {
  // deno-lint-ignore no-console
  console.log((event as CustomEvent<{ port: number }>).detail.port);
});
await server.start();
// deno-lint-ignore no-empty
for await (const _ of Deno.stdin.readable) {}
Deno.exit(0);

async function copied(): Promise<PGlite> {
  const loadDataDir = new Blob([await Deno.readFile(template)]);
  return await PGlite.create({ extensions: { vector }, loadDataDir });
}

/** Returns a new database, and keeps a copy of it. Several processes may do so at once. */
async function made(): Promise<PGlite> {
  const database = await PGlite.create({ extensions: { vector } });
  await database.exec("create extension vector");
  await Deno.mkdir(join(template, ".."), { recursive: true });
  const partial = `${template}.${Deno.pid}`;
  await Deno.writeFile(partial, new Uint8Array(await (await database.dumpDataDir("none")).arrayBuffer()));
  await Deno.rename(partial, template);
  return database;
}

/** A message of a client that waits for the one session that all connections share. */
interface Waiting {
  readonly client: number;
  readonly bytes: Uint8Array;
  readonly onData: (bytes: Uint8Array) => void;
  readonly done: PromiseWithResolvers<number>;
}

/**
 * Takes the place of the queue of the package. That one mixes the messages of several clients up to the first transaction, so that a client
 * executes what another one has prepared, and stands still for ever after an error. This one ends the statement or the transaction
 * of a client first.
 */
function statementQueue(database: PGlite) {
  let waiting: Waiting[] = [];
  /** The client whose statement or transaction has not ended. */
  let holder: number | undefined;
  let isBusy = false;
  const gone = new Set<number>();

  async function process(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    while (true) {
      if (holder !== undefined && gone.has(holder)) {
        if (database.isInTransaction()) await database.exec("rollback").catch(() => {});
        holder = undefined;
      }
      const at = holder === undefined ? 0 : waiting.findIndex(({ client }) => client === holder);
      const [next] = at < 0 ? [] : waiting.splice(at, 1);
      if (next === undefined) break;
      const { client, bytes, onData, done } = next;
      let count = 0;
      const onRawData = (data: Uint8Array) => {
        count += data.length;
        onData(data);
      };
      await database.runExclusive(() => database.execProtocolRawStream(bytes, { onRawData }))
        .then(() => done.resolve(count), done.reject);
      holder = UNFINISHED.has(bytes[0]!) || database.isInTransaction() ? client : undefined;
    }
    isBusy = false;
  }

  return {
    enqueue(client: number, bytes: Uint8Array, onData: Waiting["onData"]): Promise<number> {
      const done = Promise.withResolvers<number>();
      waiting.push({ client, bytes, onData, done });
      void process();
      return done.promise;
    },
    getQueueLength: () => waiting.length,
    clearQueueForHandler(client: number): void {
      gone.add(client);
      const theirs = waiting.filter((each) => each.client === client);
      waiting = waiting.filter((each) => each.client !== client);
      for (const { done } of theirs) done.reject(new Error("the client has gone"));
    },
    clearTransactionIfNeeded: (_client: number): Promise<void> => process(),
  };
}
