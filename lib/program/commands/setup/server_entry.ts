/**
 * The entry by which a client starts this server,
 * and the command in it: the executable, Deno with the sources, or npx.
 */
import { stringify } from "smol-toml";
import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { printableJson, printableToml, shellWord } from "#foundation/messages/mod.ts";
import { type Environment, fullPathIn, homeFolder } from "#foundation/configuration/mod.ts";
import type { OperatingSystem } from "#foundation/runtime.ts";
import { statNamed } from "#foundation/boundary/mod.ts";

/** The command that starts the server: a program and its arguments. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** Format of a client's configuration file: `jsonc` is JSON with comments. */
export type Format = "json" | "jsonc" | "toml";

/**
 * The entry of a server in a client's file. Every client adds the variables of `env` to the environment that it gives the
 * server.
 */
export interface CommandEntry {
  /** The transport, where the client's format requires it. */
  readonly type?: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  /** Absent when empty. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The entry of a server that the client reaches over HTTP: its address, and what it is sent. */
export type HttpEntry = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** An entry of a client's file. */
export type ServerEntry = CommandEntry | HttpEntry;

/** The entry by which `client` starts the server, with `env` added to its environment. */
export function entryFor(
  { type }: Pick<CommandEntry, "type">,
  { command, args }: ServerCommand,
  env: Readonly<Record<string, string>>,
): CommandEntry {
  return {
    ...(type === undefined ? {} : { type }),
    command,
    args,
    ...(Object.keys(env).length === 0 ? {} : { env }),
  };
}

/** A file that holds only the entry, to paste. It contains no control characters that a terminal would act on. */
export function entryText(
  { format, servers }: { readonly format: Format; readonly servers: string },
  name: string,
  entry: ServerEntry,
): string {
  const content = { [servers]: { [name]: entry } };
  return format === "toml"
    ? printableToml(stringify(content))
    : `${printableJson(JSON.stringify(content, null, 2))}\n`;
}

/**
 * The present entry, updated by a new one. An entry that starts a program keeps its other keys (more variables, `disabled`,
 * approved tools …). An entry with a server's address is replaced, and replaces the other kind.
 */
export function merged(present: unknown, entry: ServerEntry): Record<string, unknown> {
  if (!isLocal(present) || !isCommand(entry)) return { ...entry };
  const { env } = present;
  return { ...present, ...entry, ...(entry.env && isTable(env) ? { env: { ...env, ...entry.env } } : {}) };
}

/** Whether a value is an object or table. */
export function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Names that clients give to the address of a remote server. */
const ADDRESSES = ["url", "serverUrl", "httpUrl"];

/** Whether an entry starts a program. */
export function isLocal(entry: unknown): entry is Record<string, unknown> {
  return isTable(entry) && !ADDRESSES.some((key) => key in entry);
}

/** Whether an entry that is to be set starts a program. */
export function isCommand(entry: ServerEntry): entry is CommandEntry {
  return isLocal(entry);
}

/** How this program was started. */
interface Runtime {
  readonly os: OperatingSystem;
  /** Whether it is an executable, not Deno running the sources. */
  readonly standalone: boolean;
  /** Full path of that executable, else of Deno. */
  readonly execPath: string;
  readonly denoVersion: string;
  /** Full path of the sources' deno.json. */
  readonly project: string;
}

/** Facts about this machine and program that decide how a client starts the server. */
interface Installation {
  /** See {@linkcode installedProgram}. */
  readonly installed?: string | undefined;
  /** Version of this program. */
  readonly version: string;
  /** See {@linkcode npxOptions}. */
  readonly npx: readonly string[];
}

/**
 * The options by which npx takes neither the settings of the folder that a client starts it in (`.npmrc`, which names a server for packages)
 * nor a package of the same name and version in its `node_modules`: the folder may come from a stranger. `--prefix` moves npm's global
 * settings as well, so their file has to be named. There are no options if npm, which names it, has not started this program.
 */
export function npxOptions(env: Environment, os: OperatingSystem): string[] {
  const home = homeFolder(env, os), settings = env["npm_config_globalconfig"];
  return home === undefined || !settings ? [] : ["--prefix", home, "--globalconfig", settings];
}

/** How the running program was started. */
export function runtime(): Runtime {
  return {
    os: Deno.build.os,
    standalone: Deno.build.standalone,
    execPath: Deno.execPath(),
    denoVersion: Deno.version.deno,
    project: Deno.build.standalone ? "" : fileURLToPath(new URL("../../../../deno.json", import.meta.url)),
  };
}

/** A folder of npm, which deletes what is in its cache. */
const NPM_FOLDER = /[\\/](?:_npx|node_modules)[\\/]/;

/** The executable that npx has put into its cache. The name of its package is that of the program's package and the system. */
const NPX_EXECUTABLE =
  /[\\/]_npx[\\/](?:.*[\\/])?node_modules[\\/]([^\\/]+)-(?:linux|darwin|win32)-(?:x64|arm64)[\\/]bin[\\/]/;

/**
 * Path of the installed program: the first file `muxue_rag` in the folders of `PATH`, or the one that the installation script has
 * written. `undefined` without one, and for an executable that runs from its own place.
 */
export async function installedProgram(env: Environment, { standalone, execPath, os }: Runtime) {
  if (standalone && !NPM_FOLDER.test(execPath)) return undefined;
  const names = os === "windows" ? ["muxue_rag.exe", "muxue_rag.cmd"] : ["muxue_rag"];
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(os === "windows" ? ";" : ":").filter(isAbsolute);
  const paths = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  for (const path of [...paths, ...installedPaths(env)]) {
    if (!NPM_FOLDER.test(path) && await statNamed(path).then(({ isFile }) => isFile, () => false)) {
      return path;
    }
  }
  return undefined;
}

/** The defaults of `scripts/install.sh` and `scripts/install.ps1`. */
export function installedPaths(env: Environment): string[] {
  if (Deno.build.os === "windows") {
    const local = fullPathIn(env, "LOCALAPPDATA", "windows");
    if (local === undefined) return [];
    return ["exe", "cmd"].map((end) => join(local, "Programs", "muxue_rag", `muxue_rag.${end}`));
  }
  const home = homeFolder(env, Deno.build.os);
  return home === undefined ? [] : [join(home, ".local", "bin", "muxue_rag")];
}

/**
 * The command that starts the program with `args` from any folder: the installed program, or the executable, or from source the
 * task `start`, which has the program's permissions. npm may delete an executable or a Deno from its cache, so such a one is started by npx,
 * with its version.
 */
export function serverCommand(
  { os, standalone, execPath, denoVersion, project }: Runtime,
  args: string[],
  { installed, version, npx: safe }: Installation,
): ServerCommand {
  // On Windows a script cannot be started by every client.
  if (installed?.endsWith(".cmd")) return { command: "cmd", args: ["/c", installed, ...args] };
  if (installed !== undefined) return { command: installed, args };
  const npx = (...words: string[]): ServerCommand => {
    const options = [...safe, "-y"];
    // On Windows npx is a script, which not every client can start.
    return os === "windows"
      ? { command: "cmd", args: ["/c", "npx", ...options, ...words] }
      : { command: "npx", args: [...options, ...words] };
  };
  if (standalone) {
    const name = NPX_EXECUTABLE.exec(execPath)?.[1];
    return name === undefined ? { command: execPath, args } : npx(`${name}@${version}`, ...args);
  }
  const task = ["task", "--quiet", "--config", project, "start", ...args];
  if (!NPM_FOLDER.test(execPath)) return { command: execPath, args: task };
  return npx(`deno@${denoVersion}`, ...task);
}

/** Path of the executable, or the folder of the sources. */
export function programPath(): string {
  const { standalone, execPath, project } = runtime();
  return standalone ? execPath : dirname(project);
}

/** A command line, quoted for the system's shell. */
export function shellLine(parts: readonly string[]): string {
  return parts.map((part) => shellWord(part)).join(" ");
}
