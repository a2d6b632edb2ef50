/**
 * The permissions of the worker that runs a command, and the processes that read documents,
 * which are started with an empty environment and no permissions.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PROGRAM_FILES, PROGRAM_ROOT } from "#foundation/program_root.ts";

/** The places of a run. All paths are absolute, those of folders real. */
export interface RunPlaces {
  /** The folders that the command works on. */
  readonly roots: readonly string[];
  /** Data folders that are not `.muxue_rag` in their folder, by the folder. */
  readonly indexDirs?: Readonly<Record<string, string>>;
  /** Folder of the list of indexed folders. */
  readonly registry: string;
  /** Folder of the log files; null without logs. */
  readonly logDir: string | null;
  /** `host:port` of the embedding servers; none with the built-in table. */
  readonly servers: readonly string[];
  /** `host:port` of the servers that rerank. */
  readonly rerankers: readonly string[];
  /** Files of the models that rerank in the program. */
  readonly rerankModels?: readonly string[];
  /** Folder of installed models; null if it is unknown. */
  readonly models: string | null;
  /** Files, or folders of installed models, that the provider `local` uses; none with another provider. */
  readonly localModels?: readonly string[];
  /** Folder of the data for text recognition; absent if that is switched off, or if the folder is unknown. */
  readonly recognition?: string;
  /** `host:port` of the places that models are downloaded from; `*.` stands for subdomains. */
  readonly downloads: readonly string[];
  /** `host:port` that a server listens on; `undefined` where it does not. */
  readonly listen?: string | undefined;
  /** Paths that the command line names beside the folders, such as a backup or the data of an evaluation. */
  readonly named: readonly string[];
  /** Path of the folder that temporary files are written to. */
  readonly tempDir: string;
  /** The program's own files, which workers and the word table are loaded from. */
  readonly program: readonly string[];
}

/** Needs of a command beside reading its folders, the list of indexed folders and the program's own files. */
export interface PermissionNeeds {
  /** The data folder of each folder is written: `.muxue_rag` in it, or the one in `indexDirs`. */
  readonly index?: true;
  /** The list of indexed folders is written. */
  readonly registry?: true;
  /** Log files are written. */
  readonly logs?: true;
  /** Texts are embedded: by the embedding server or by local models. */
  readonly net?: true;
  /** Local models are looked at, and texts are not embedded. */
  readonly localModels?: true;
  /** Hits are reranked: by a server or by a model in the program. */
  readonly rerank?: true;
  /** The folder of installed models is read, or written as well. */
  readonly models?: "read" | "write";
  /** Documents are read, with text recognition if that is switched on. */
  readonly documents?: true;
  /** Models are downloaded. */
  readonly downloads?: true;
  /** The command may be a server that listens. */
  readonly listen?: true;
  /** The paths that the command line names are read, or written as well. */
  readonly named?: "read" | "write";
  /** Temporary files are written. */
  readonly temporary?: true;
}

/**
 * The permissions of the worker that runs a command with these needs. Everything that may be written may be read. No worker
 * may read the environment or ask for other facts about the system, start programs, fetch code or call native libraries.
 *
 * The runtime needs no permission to load code from a `data:` or `blob:` URL, or from a file in an executable. The program
 * therefore has no computed import (scripts/lint/import_direction.ts).
 */
export function permissionsFor(
  needs: PermissionNeeds,
  places: RunPlaces,
): Deno.PermissionOptionsObject {
  const { index, registry, logs, net, rerank, localModels, models, documents } = needs;
  const { downloads, listen, named, temporary } = needs;
  const { roots, indexDirs = {}, logDir, tempDir, program } = places;
  const paths = named === undefined ? [] : places.named;
  const modelFolder = models === undefined || places.models === null ? [] : [places.models];
  const hosts = [
    ...(net ? places.servers : []),
    ...(rerank ? places.rerankers : []),
    ...(downloads ? places.downloads : []),
    ...(listen && places.listen !== undefined ? [places.listen] : []),
  ];
  const write = [
    ...(index ? roots.map((root) => indexDirs[root] ?? join(root, ".muxue_rag")) : []),
    ...(registry ? [places.registry] : []),
    ...(logs && logDir !== null ? [logDir] : []),
    ...(models === "write" ? modelFolder : []),
    ...(named === "write" ? paths : []),
    ...(temporary ? [tempDir] : []),
  ];
  const read = [
    ...roots,
    ...Object.values(indexDirs),
    places.registry,
    ...program,
    ...modelFolder,
    ...(net || localModels ? places.localModels ?? [] : []),
    ...(rerank ? places.rerankModels ?? [] : []),
    ...(documents && places.recognition !== undefined ? [places.recognition] : []),
    ...paths,
    ...(temporary ? [tempDir] : []),
    ...write,
  ];
  return {
    read: [...new Set(read)],
    write: write.length > 0 ? [...new Set(write)] : false,
    net: hosts.length > 0 ? [...new Set(hosts)] : false,
    env: false,
    run: false,
    ffi: false,
    sys: false,
    import: false,
  };
}

/** Callbacks for a connection to a process. */
export interface ConnectionEvents {
  /** Bytes that the process wrote. */
  readonly onData: (bytes: Uint8Array<ArrayBuffer>) => void;
  /** The process has ended or could not be started. It is the last call. */
  readonly onEnd: (reason: string) => void;
}

/** A connection to the stdin and stdout of a process. */
export interface Connection {
  /** Sends bytes to the process. The caller must not change them afterwards. */
  readonly send: (bytes: Uint8Array<ArrayBuffer>) => void;
  /** Closes stdin, so that the process ends after it has read everything. */
  readonly close: () => void;
}

/** Starts a process. */
export type OpenConnection = (events: ConnectionEvents) => Connection;

/** Bytes that may wait until a process reads them: twice the largest document. The process is killed if there are more. */
const MAX_WAITING_BYTES = 1_000_000_000;

/** Environment variables with which the runtime finds its cache and Windows starts a program. */
const ENVIRONMENT = ["HOME", "USERPROFILE", "DENO_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA", "SYSTEMROOT"];

/**
 * Prepares to start this program again with `argument` and an empty environment. From source, the new process may only read
 * its own modules. An executable starts with the permissions that it was compiled with and must give them up itself. The
 * returned function needs the permission `run` and no other.
 */
export function ownProcess(
  argument: string,
  env: Readonly<Record<string, string | undefined>>,
): OpenConnection {
  const root = fileURLToPath(PROGRAM_ROOT);
  const args = Deno.build.standalone ? [argument] : [
    "run",
    "--quiet",
    "--no-prompt",
    "--cached-only",
    `--config=${root}deno.json`,
    `--allow-read=${PROGRAM_FILES}`,
    `${root}main.ts`,
    argument,
  ];
  const kept = ENVIRONMENT.flatMap((name) => {
    const value = env[name];
    return value === undefined || Deno.build.standalone && name !== "SYSTEMROOT" ? [] : [[name, value]];
  });
  // From source, the runtime would otherwise ask on the network for a newer version.
  return processOf(Deno.execPath(), args, { ...Object.fromEntries(kept), DENO_NO_UPDATE_CHECK: "1" });
}

/** Starts a program with these arguments and only this environment. */
export function processOf(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): OpenConnection {
  const options: Deno.CommandOptions = {
    args: [...args],
    clearEnv: true,
    env: { ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  };
  return (events) => start(new Deno.Command(program, options), events);
}

function start(command: Deno.Command, { onData, onEnd }: ConnectionEvents): ReturnType<OpenConnection> {
  let child: Deno.ChildProcess;
  try {
    child = command.spawn();
  } catch (error) {
    queueMicrotask(() => onEnd(error instanceof Error ? error.message : String(error)));
    return { send: () => {}, close: () => {} };
  }
  const input = child.stdin.getWriter();
  // Writing to a process that has ended fails. Its end is reported below.
  const ignore = () => {};
  void (async () => {
    for await (const bytes of child.stdout) onData(bytes as Uint8Array<ArrayBuffer>);
    const { code, signal } = await child.status;
    onEnd(signal === null ? `its process ended with code ${code}` : `its process was ended by ${signal}`);
  })().catch((error) => onEnd(String(error)));
  let waiting = 0;
  return {
    send: (bytes) => {
      const { length } = bytes;
      waiting += length;
      if (waiting > MAX_WAITING_BYTES) return end(child);
      void input.write(bytes).catch(ignore).then(() => waiting -= length);
    },
    close: () => void input.close().catch(ignore),
  };
}

function end(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has already ended.
  }
}
