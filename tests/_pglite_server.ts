/**
 * PGlite with pgvector behind a socket, in a process of its own: prints its port, and ends when its input does. Usage: see
 * `_pglite.ts`.
 */
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";

const database = await PGlite.create({ extensions: { vector } });
await database.exec("create extension vector");
const server = new PGLiteSocketServer({ db: database, port: 0, host: "127.0.0.1", maxConnections: 50 });
server.addEventListener("listening", (event) => {
  // deno-lint-ignore no-console
  console.log((event as CustomEvent<{ port: number }>).detail.port);
});
await server.start();
// deno-lint-ignore no-empty
for await (const _ of Deno.stdin.readable) {}
Deno.exit(0);
