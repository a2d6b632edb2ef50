/**
 * A database for tests without a server: PGlite with pgvector, in a process of its own for each test file that imports this. The
 * program's client talks to it as to a server. Opening it takes about a second, so each test gets a schema of its own instead.
 *
 * In `deno task test:postgres` the tests use the real server in its place.
 */
import type { StoreSettings } from "#library/store/postgres/database.ts";
import { hasPostgres, usingPostgres, usingSchema } from "./_postgres.ts";

let server: Promise<PgliteServer> | undefined;

Deno.test.beforeAll(() => {
  if (!hasPostgres()) server = startPglite();
});

Deno.test.afterAll(async () => await (await server)?.[Symbol.asyncDispose]());

/** A database in a process of its own, until it is disposed of. */
interface PgliteServer extends AsyncDisposable {
  readonly url: string;
}

/** Starts another database. */
export async function startPglite(): Promise<PgliteServer> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-prompt", "--no-check", "--config", "deno.dev.json", "--allow-all"],
      "tests/_pglite_server.ts",
    ],
    cwd: new URL("..", import.meta.url),
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const port = await portOf(child);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    [Symbol.asyncDispose]: async () => {
      await child.stdin.close();
      await child.status;
    },
  };
}

/** Does something with an empty schema of a database. The connections that it opens by these settings are closed afterwards. */
export async function usingPglite<T>(work: (url: string, settings: StoreSettings) => Promise<T>): Promise<T> {
  if (hasPostgres()) return await usingPostgres(work);
  return await usingSchema({ url: (await server!).url, password: null }, work);
}

/** The port that the server prints first. */
async function portOf({ stdout }: Deno.ChildProcess): Promise<number> {
  const reader = stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value = "" } = await reader.read();
  return Number(value);
}
