// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Runs the tests that need a real PostgreSQL with pgvector, `*_test.postgres.ts`, and one that uses PGlite otherwise: makes a chroot with both in the user's cache folder
 * (once; Debian, as root), starts a server on a free port, runs the tests one file after the other, and removes the server's data.
 *
 *     deno task test:postgres [--optional] [FILES AND OPTIONS OF deno test]
 *
 * With `--optional`, a machine that cannot make the chroot is no error.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CannotMake } from "./chroot.ts";
import { serverRoot } from "./postgres/root.ts";
import { PostgresServer } from "./postgres/server.ts";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));
const ENDING = "_test.postgres.ts";

/** Tests that use PGlite otherwise. */
const ON_BOTH = ["tests/library/store/postgres/database_test.ts"];

const given = Deno.args.filter((argument) => argument !== "--optional");
try {
  const root = await serverRoot();
  await using server = await PostgresServer.start(root);
  Deno.exitCode = await tests(server);
} catch (error) {
  if (!(error instanceof CannotMake)) throw error;
  console.error(`The tests with a real PostgreSQL server are skipped: ${error.message}`);
  Deno.exitCode = Deno.args.includes("--optional") ? 0 : 1;
}

async function tests({ root, url, password }: PostgresServer): Promise<number> {
  const files = given.some((argument) => argument.endsWith(".ts"))
    ? []
    : [...ON_BOTH, ...[...filesBelow(join(REPOSITORY, "tests"))].sort()];
  const options = ["--config", "deno.dev.json", "--quiet", "--no-prompt", "--no-check", "--allow-all"];
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["test", ...options, ...files, ...given],
    cwd: REPOSITORY,
    env: { TEST_POSTGRES_ROOT: root, TEST_POSTGRES_URL: url, TEST_POSTGRES_PASSWORD: password },
  }).spawn().status;
  return code;
}

function* filesBelow(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = join(folder, name);
    if (isDirectory) yield* filesBelow(path);
    else if (name.endsWith(ENDING)) yield path;
  }
}
