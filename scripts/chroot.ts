// deno-lint-ignore-file no-console -- a script prints to its terminal
/** Folders with a Debian system, which programs run in by chroot. Each is made once, in the user's cache folder, and used again. */
import { join } from "node:path";

/** The release of Debian. */
export const SUITE = "trixie";

/** Seconds for making a folder; it takes 20 to 100. */
const LIMIT_SECONDS = 600;

/** A reason why this machine cannot make the folder. */
export class CannotMake extends Error {}

export interface DebianOptions {
  /** Of the folder, without the Debian release. */
  readonly name: string;
  readonly packages: readonly string[];
  /** For the line that says what is installed, with its size. */
  readonly title: string;
  /** A file that {@linkcode finish} writes last, relative to the folder. */
  readonly ready: string;
  /** Does what packages do not, in the folder at this path, which is renamed afterwards. */
  readonly finish: (root: string) => Promise<void>;
}

/** Returns the folder's path, and makes it if there is none. Throws {@linkcode CannotMake}. */
export async function debianRoot({ name, packages, title, ready, finish }: DebianOptions): Promise<string> {
  const cache = Deno.env.get("XDG_CACHE_HOME") ?? join(Deno.env.get("HOME") ?? "/root", ".cache");
  const root = join(cache, "muxue_rag-tests", `${name}-${SUITE}`);
  if (await isThere(join(root, ready))) return root;
  if (Deno.build.os !== "linux") throw new CannotMake("it runs in a chroot of Debian, which needs Linux");
  if (Deno.uid() !== 0) throw new CannotMake("making and entering a chroot needs the user root");
  await installed("mmdebstrap");

  // A run that was killed leaves a part of it.
  const partial = `${root}.partial`;
  await Deno.remove(partial, { recursive: true }).catch(() => {});
  await Deno.mkdir(partial, { recursive: true });
  console.error(`Installing ${title} into ${root} (once) …`);
  const include = `--include=${packages.join(",")}`;
  await done("timeout", [
    ...[`${LIMIT_SECONDS}`, "mmdebstrap", "--quiet", "--variant=apt", "--mode=root", include, SUITE, partial],
  ]);
  await finish(partial);
  await Deno.remove(root, { recursive: true }).catch(() => {});
  await Deno.rename(partial, root);
  return root;
}

/** Installs a tool if it is not there. Throws {@linkcode CannotMake}. */
export async function installed(tool: string): Promise<void> {
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
