// deno-lint-ignore-file no-console -- a script prints to its terminal
/** A folder with Debian's PostgreSQL, pgvector and pgbouncer, which programs run in by chroot. It is made once and used again. */
import { join } from "node:path";

/** The release of PostgreSQL, of the Debian release below. */
const MAJOR = 17;
const SUITE = "trixie";
const PACKAGES = [
  `postgresql-${MAJOR}`,
  `postgresql-${MAJOR}-pgvector`,
  "postgresql-contrib",
  "pgbouncer",
  "openssl",
];

/** Seconds for making the folder; it takes 55 to 100. */
const LIMIT_SECONDS = 600;

/** Path of the programs in the folder. */
export const PROGRAMS = `/usr/lib/postgresql/${MAJOR}/bin`;

/** A reason why this machine cannot make the folder. */
export class CannotMake extends Error {}

/** Returns the folder's path, and makes it if there is none. Throws {@linkcode CannotMake}. */
export async function serverRoot(): Promise<string> {
  const cache = Deno.env.get("XDG_CACHE_HOME") ?? join(Deno.env.get("HOME") ?? "/root", ".cache");
  const root = join(cache, "muxue_rag-tests", `postgresql-${MAJOR}-${SUITE}`);
  if (await isThere(join(root, "srv/password"))) return root;
  if (Deno.build.os !== "linux") {
    throw new CannotMake("the server runs in a chroot of Debian, which needs Linux");
  }
  if (Deno.uid() !== 0) throw new CannotMake("making and entering a chroot needs the user root");
  await installed("mmdebstrap");

  // A run that was killed leaves a part of it.
  const partial = `${root}.partial`;
  await Deno.remove(partial, { recursive: true }).catch(() => {});
  await Deno.mkdir(partial, { recursive: true });
  console.error(`Installing PostgreSQL ${MAJOR} into ${root} (once, about 500 MB) …`);
  const include = `--include=${PACKAGES.join(",")}`;
  await done("timeout", [
    ...[`${LIMIT_SECONDS}`, "mmdebstrap", "--quiet", "--variant=apt", "--mode=root", include, SUITE, partial],
  ]);
  await makeTemplate(partial);
  await Deno.remove(root, { recursive: true }).catch(() => {});
  await Deno.rename(partial, root);
  return root;
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

async function installed(tool: string): Promise<void> {
  if (await done("sh", ["-c", `command -v ${tool}`]).catch(() => "") !== "") return;
  try {
    await done("apt-get", ["install", "-y", tool]).catch(async () => {
      await done("apt-get", ["update"]);
      await done("apt-get", ["install", "-y", tool]);
    });
  } catch (error) {
    throw new CannotMake(
      `${tool} is not installed and cannot be: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** Runs a program to its end and returns its output. Throws {@linkcode CannotMake} with the end of it if it fails. */
export async function done(program: string, args: readonly string[], input = ""): Promise<string> {
  const command = new Deno.Command(program, {
    args: [...args],
    env: { "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  });
  let process: Deno.ChildProcess;
  try {
    process = command.spawn();
  } catch {
    throw new CannotMake(`there is no program ${program}`);
  }
  const output = process.output();
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input)).catch(() => {});
  await writer.close().catch(() => {});
  const { success, stdout, stderr } = await output;
  const texts = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (!success) throw new CannotMake(`${program} ${args.join(" ")} failed: ${texts.join("").slice(-1000)}`);
  return texts[0]!;
}

async function isThere(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
