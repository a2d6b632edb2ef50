/** A real PostgreSQL server with pgvector for tests: `deno task test:postgres` starts it and names it in variables. */
import { databaseOf, quotedName, type StoreSettings } from "#library/store/postgres/database.ts";

/**
 * Does something with an empty schema of the server's database `muxue_rag`. The connections that it opens by these settings are closed
 * afterwards.
 */
export async function usingPostgres<T>(
  work: (url: string, settings: StoreSettings) => Promise<T>,
): Promise<T> {
  const { url, password } = postgresServer();
  return await usingSchema({ url, password }, work);
}

/** Whether the tests were started with a server. */
export function hasPostgres(): boolean {
  return Deno.env.has("TEST_POSTGRES_URL");
}

/** The server: the address and the password of its superuser, and the chroot that others can be started in (`scripts/postgres`). */
export function postgresServer(): {
  readonly url: string;
  readonly password: string;
  readonly root: string;
} {
  const url = Deno.env.get("TEST_POSTGRES_URL");
  const password = Deno.env.get("TEST_POSTGRES_PASSWORD");
  const root = Deno.env.get("TEST_POSTGRES_ROOT");
  if (url === undefined || password === undefined || root === undefined) {
    throw new Error("Run these tests by: deno task test:postgres FILES");
  }
  return { url, password, root };
}

let count = 0;

/** Does something with an empty schema of a database, and removes it. */
export async function usingSchema<T>(
  { url, password }: { readonly url: string; readonly password: string | null },
  work: (url: string, settings: StoreSettings) => Promise<T>,
): Promise<T> {
  const schema = `t${Deno.pid}_${Date.now().toString(36)}_${count++}`;
  const settings = { url, password, schema, pool: 5, tls: { ca: null, verify: true } };
  try {
    return await work(url, settings);
  } finally {
    const database = databaseOf(settings);
    await database.query(`drop schema if exists ${quotedName(schema)} cascade`);
    await database.close();
  }
}
