import { fileURLToPath } from "node:url";
import { PROGRAM_FILES, PROGRAM_ROOT } from "../program_root.ts";

/** Facts about the process at the other end of a connection. */
export interface ConnectionEvents {
  /** Bytes that the process wrote. */
  readonly onData: (bytes: Uint8Array<ArrayBuffer>) => void;
  /** The process has ended or could not be started; nothing comes after it. */
  readonly onEnd: (reason: string) => void;
}

/** The way to a process: its stdin and stdout. */
export interface Connection {
  /** Sends bytes to the process. They must not be changed afterwards. */
  readonly send: (bytes: Uint8Array<ArrayBuffer>) => void;
  /** Lets the process end once it has read what was sent. */
  readonly close: () => void;
}

/** Starts a process. */
export type OpenConnection = (events: ConnectionEvents) => Connection;

/** Bytes that may wait for a process to read them: twice the largest document. A process that is sent more is ended. */
const MAX_WAITING_BYTES = 1_000_000_000;

/** Variables of the environment that the runtime needs to find its cache, and that Windows needs to start a program. */
const ENVIRONMENT = ["HOME", "USERPROFILE", "DENO_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA", "SYSTEMROOT"];

/**
 * Prepares the start of this program once more, with `argument` and an empty environment. From source it starts without
 * permissions but for reading its own modules. An executable has the permissions that it was compiled with and must give
 * them up itself. The returned function needs the permission `run` and no other.
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
  // from source the runtime would ask the net whether there is a newer one
  return processOf(Deno.execPath(), args, { ...Object.fromEntries(kept), DENO_NO_UPDATE_CHECK: "1" });
}

/** Starts a program with these arguments and this environment alone. */
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
  // a process that has ended takes no more input: its end is told below
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
    // it has ended by itself
  }
}
