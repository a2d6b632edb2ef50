/**
 * PGlite with pgvector behind a socket, in a process of its own: prints its port, and ends when its input does. Usage: see
 * `_pglite.ts`. A new database takes 2.4 s of CPU time, and a copy of one that lies in the cache folder 0.8 s.
 */
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";

const cache = Deno.env.get("XDG_CACHE_HOME") ?? join(Deno.env.get("HOME") ?? "/root", ".cache");
/** The paths of the packages have their versions. */
const versions = ["@electric-sql/pglite", "@electric-sql/pglite-pgvector"]
  .map((name) => /pglite[^/]*\/([\d.]+)\//.exec(import.meta.resolve(name))![1]);
const template = join(cache, "muxue_rag-tests", `pglite-${versions.join("-")}.tar`);

const database = await copied().catch(made);
const server = new PGLiteSocketServer({ db: database, port: 0, host: "127.0.0.1", maxConnections: 50 });
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
