// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * A folder with Wine, Windows' version of Deno and the packages of the lock, for running programs of Windows on Linux. It is made once and used
 * again; Deno and packages are added when the pins change.
 */
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CannotMake, debianRoot, done } from "../chroot.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

/** Deno's package for Windows, which has only `deno.exe`. */
const PACKAGE = "@deno/win32-x64";

/** Where Wine keeps its Windows, seen from the folder; drive C: lies in it. */
export const PREFIX = "prefix";

/** Runs a command in the folder with the file systems that Wine needs; they end with the command, and so do its processes. */
export const ENTER = ["unshare", "--mount", "--pid", "--fork", "--kill-child"];

/** The environment of Wine: `-all` leaves out its debugging messages. */
export const WINE = {
  HOME: "/root",
  PATH: "/usr/bin:/bin",
  LC_ALL: "C.UTF-8",
  XDG_RUNTIME_DIR: "/tmp",
  WINEDEBUG: "-all",
  WINEPREFIX: `/${PREFIX}`,
};

export interface WindowsRoot {
  /** Path of the folder. */
  readonly root: string;
  /** Path of `deno.exe`. */
  readonly deno: string;
  /** The version of Deno there. */
  readonly version: string;
  /** Path of the packages in the module cache. */
  readonly packages: string;
}

/** Throws {@linkcode CannotMake}. */
export async function windowsRoot(): Promise<WindowsRoot> {
  const root = await debianRoot({
    name: "wine",
    packages: ["wine", "wine64"],
    title: "Wine (about 1.1 GB)",
    ready: "srv/ready",
    finish: makePrefix,
  });
  return { root, ...await denoForWindows(root), packages: await packages() };
}

async function makePrefix(root: string): Promise<void> {
  const variables = Object.entries(WINE).map(([name, value]) => `${name}=${value}`);
  const script = 'mount -t proc proc "$1/proc" && shift && exec chroot "$0" /usr/bin/env -i "$@"';
  // Starts the first Windows and waits until it has written its settings.
  await done(ENTER[0]!, [
    ...ENTER.slice(1),
    ...["sh", "-c", script, root, root, ...variables, "sh", "-c", "wineboot --init && wineserver --wait"],
  ]);
  await Deno.writeTextFile(join(root, "srv/ready"), "");
}

/** The Deno of the pins, and where the registry has no such version for Windows, its newest one. */
async function denoForWindows(root: string): Promise<Pick<WindowsRoot, "deno" | "version">> {
  const wanted = Deno.version.deno;
  const version = await published(wanted) ?? await published("2");
  if (version === undefined) throw new CannotMake(`npm offers no ${PACKAGE}`);
  if (version !== wanted) console.error(`npm offers no ${PACKAGE} ${wanted}, so Deno is ${version} there`);
  const deno = join(root, "srv", `deno-${version}`, "deno.exe");
  if (await Deno.stat(deno).then(() => false, () => true)) {
    console.error(`Installing Deno ${version} for Windows (97 MB, once) …`);
    const folder = await Deno.makeTempDir({ dir: join(root, "srv") });
    const args = ["pack", "--silent", "--pack-destination", folder, `${PACKAGE}@${version}`];
    const archive = (await done("npm", args)).trim();
    await done("tar", ["-xzf", join(folder, basename(archive)), "-C", folder]);
    await Deno.mkdir(dirname(deno), { recursive: true });
    await Deno.rename(join(folder, "package/deno.exe"), deno);
    await Deno.remove(folder, { recursive: true });
  }
  return { deno, version };
}

/** The newest version that npm offers in a range; `undefined` if there is none. */
async function published(range: string): Promise<string | undefined> {
  const text = await done("npm", ["view", `${PACKAGE}@${range}`, "version", "--json"]).catch(() => "");
  const found: unknown = text.trim() === "" ? undefined : JSON.parse(text);
  return Array.isArray(found) ? found.at(-1) : typeof found === "string" ? found : undefined;
}

/** Downloads the packages of the lock that only Windows needs, and returns where all of them lie. */
async function packages(): Promise<string> {
  const deno = Deno.execPath();
  const config = join(REPOSITORY, "deno.dev.json");
  await done(deno, ["install", "--quiet", "--config", config, "--os", "win32", "--arch", "x64"]);
  const { npmCache } = JSON.parse(await done(deno, ["info", "--json"])) as { npmCache: string };
  return npmCache;
}
