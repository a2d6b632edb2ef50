/**
 * Starting processes: those of this program that read documents, with an empty environment and no permissions, the one that the user
 * names on the command line of `eval`, and the server that a client's file names, as `setup` has written it.
 */
import { fileURLToPath } from "node:url";
import { IS_EXECUTABLE, PROGRAM_FILES, PROGRAM_ROOT } from "#foundation/runtime.ts";

/** Callbacks for a connection to a process. */
export interface ConnectionEvents {
  /** Bytes that the process wrote. */
  readonly onData: (bytes: Uint8Array<ArrayBuffer>) => void;
  /** The process has ended, with this exit code unless it was ended by a signal, or could not be started. It is the last call. */
  readonly onEnd: (reason: string, code?: number) => void;
  /** Bytes that the process wrote to stderr, where that is a pipe. */
  readonly onErrorData?: (bytes: Uint8Array) => void;
}

/** A connection to the stdin and stdout of a process. */
export interface Connection {
  /** Sends bytes to the process. The caller must not change them afterwards. */
  readonly send: (bytes: Uint8Array<ArrayBuffer>) => void;
  /** Closes stdin, so that the process ends after it has read everything. */
  readonly close: () => void;
  /** Ends the process at once. */
  readonly end: () => void;
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
  const args = IS_EXECUTABLE ? [argument] : [
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
    return value === undefined || IS_EXECUTABLE && name !== "SYSTEMROOT" ? [] : [[name, value]];
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

/**
 * Prepares to start a program that the user named, without a shell: with the user's environment, working folder and stderr. The returned
 * function needs the permission `run` and no other.
 */
export function userProcess([program = "", ...args]: readonly string[]): OpenConnection {
  const options = { args, stdin: "piped", stdout: "piped", stderr: "inherit" } as const;
  return (events) => start(new Deno.Command(program, options), events);
}

/** A program to start as an MCP client does: without a shell, with this environment only. */
export interface ServerProcess {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The working folder. */
  readonly cwd: string | undefined;
}

/** Prepares to start a server as a client does. The returned function needs the permission `run` and no other. */
export function serverProcess({ command, args, env, cwd }: ServerProcess): OpenConnection {
  const options: Deno.CommandOptions = {
    args: [...args],
    clearEnv: true,
    env: { ...env },
    ...(cwd !== undefined && { cwd }),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  };
  return (events) => start(new Deno.Command(command, options), events, true);
}

function start(
  command: Deno.Command,
  { onData, onEnd, onErrorData }: ConnectionEvents,
  hasErrors = false,
): ReturnType<OpenConnection> {
  let child: Deno.ChildProcess;
  try {
    child = command.spawn();
  } catch (error) {
    queueMicrotask(() => onEnd(error instanceof Error ? error.message : String(error)));
    return { send: () => {}, close: () => {}, end: () => {} };
  }
  const input = child.stdin.getWriter();
  // Writing to a process that has ended fails. Its end is reported below.
  const ignore = () => {};
  const errors = (async () => {
    if (hasErrors) { for await (const bytes of child.stderr) onErrorData?.(bytes); }
  })().catch(ignore);
  void (async () => {
    for await (const bytes of child.stdout) onData(bytes as Uint8Array<ArrayBuffer>);
    await errors;
    const { code, signal } = await child.status;
    if (signal === null) onEnd(`its process ended with code ${code}`, code);
    else onEnd(`its process was ended by ${signal}`);
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
    end: () => end(child),
  };
}

function end(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has already ended.
  }
}
