/**
 * A database for tests without a server: PGlite with pgvector, in a process of its own for each test file that imports this. The
 * program's client talks to it as to a server. Opening it takes 3 s, so each test gets a schema of its own instead.
 */
import type { StoreSettings } from "#library/store/postgres/database.ts";
import { usingSchema } from "./_postgres.ts";

let server: Deno.ChildProcess | undefined;
let url: Promise<string> | undefined;

Deno.test.beforeAll(() => {
  server = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-prompt", "--no-check", "--config", "deno.dev.json", "--allow-all"],
      "tests/_pglite_server.ts",
    ],
    cwd: new URL("..", import.meta.url),
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  url = portOf(server).then((port) => `postgres://postgres@127.0.0.1:${port}/postgres`);
});

Deno.test.afterAll(async () => {
  await server?.stdin.close();
  await server?.status;
});

/** Does something with an empty schema of a database. The connections that it opens by these settings are closed afterwards. */
export async function usingPglite<T>(work: (url: string, settings: StoreSettings) => Promise<T>): Promise<T> {
  return await usingSchema({ url: await url!, password: null }, work);
}

/** The port that the server prints first. */
async function portOf({ stdout }: Deno.ChildProcess): Promise<number> {
  const reader = stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value = "" } = await reader.read();
  return Number(value);
}
