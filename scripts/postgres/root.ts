/** A folder with Debian's PostgreSQL, pgvector and pgbouncer, which programs run in by chroot. It is made once and used again. */
import { join } from "node:path";
import { debianRoot, done } from "../chroot.ts";

/** The release of PostgreSQL, of the Debian release of `../chroot.ts`. */
const MAJOR = 17;
const PACKAGES = [
  `postgresql-${MAJOR}`,
  `postgresql-${MAJOR}-pgvector`,
  "postgresql-contrib",
  "pgbouncer",
  "openssl",
];

/** Path of the programs in the folder. */
export const PROGRAMS = `/usr/lib/postgresql/${MAJOR}/bin`;

/** Returns the folder's path, and makes it if there is none. Throws `CannotMake`. */
export async function serverRoot(): Promise<string> {
  return await debianRoot({
    name: `postgresql-${MAJOR}`,
    packages: PACKAGES,
    title: `PostgreSQL ${MAJOR} (about 500 MB)`,
    ready: "srv/password",
    finish: makeTemplate,
  });
}

/** The data of a server that was never started, with the database `muxue_rag` and its extension, and the password of `postgres`. */
async function makeTemplate(root: string): Promise<void> {
  const password = crypto.randomUUID();
  const data = "/srv/template";
  await Deno.writeTextFile(join(root, "srv/password"), password, { mode: 0o600 });
  await Deno.writeTextFile(join(root, "tmp/password"), password, { mode: 0o644 });
  await Deno.mkdir(join(root, data));
  await done("chroot", [root, "chown", "postgres:postgres", data]);
  const at = ["-D", data];
  await inside(root, [
    ...[`${PROGRAMS}/initdb`, ...at, "--username=postgres", "--auth=scram-sha-256", "--pwfile=/tmp/password"],
    ...["--encoding=UTF8", "--locale=C.UTF-8", "--no-sync", "--set=dynamic_shared_memory_type=mmap"],
  ]);
  await Deno.remove(join(root, "tmp/password"));
  const alone = [`${PROGRAMS}/postgres`, "--single", ...at];
  await inside(root, [...alone, "postgres"], "create database muxue_rag\n");
  await inside(root, [...alone, "muxue_rag"], "create extension vector\n");
}

/** Runs a program in the folder as the user `postgres`. Throws with its output if it fails. */
export async function inside(root: string, args: readonly string[], input = ""): Promise<string> {
  return await done("chroot", ["--userspec=postgres:postgres", root, ...args], input);
}
