import { homedir, tmpdir } from "node:os";
import { homeVariable } from "../config/mod.ts";
import { UserError } from "../errors.ts";
import { EXTRACT_ARGUMENT } from "../extract/mod.ts";
import { isDiskFull, type OpenConnection, ownProcess, temporaryPath } from "../sandbox/mod.ts";
import { readHidden } from "./read_hidden.ts";

/** The standard streams, as far as they are a terminal. */
export interface Terminal {
  /** Whether each stream is a terminal. */
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  /** Width of the terminal in columns. Absent where it is unknown. */
  readonly columns?: number;
}

/** The parts of the system that the command line uses. Tests replace them. */
export interface Io {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  /**
   * Writes to stdout. Throws `Deno.errors.BrokenPipe` when the reader has gone, `UserError` `cli_output_full` on a full
   * disk.
   */
  readonly out: (text: string) => Promise<void>;
  /** Writes to stderr. Never throws, since the error could not be reported. */
  readonly err: (text: string) => void;
  /**
   * One line from stdin without its line end; `undefined` when stdin ends or `signal` aborts. With `hidden` a terminal does
   * not show the typed characters.
   */
  readonly readLine: (signal: AbortSignal, hidden?: "hidden") => Promise<string | undefined>;
  /** The bytes of stdin. A command that uses it must not call `readLine`. */
  readonly input: () => ReadableStream<Uint8Array>;
  /** Calls `callback` at every Ctrl-C and request to terminate, until disposed of. */
  readonly onInterrupt: (callback: () => void) => Disposable;
  /** Starts a process that reads documents. */
  readonly openExtractor: OpenConnection;
  /** Ends the process at once. */
  readonly exit: (code: number) => never;
  /** Path of a folder for temporary files. It does not exist yet. */
  readonly tempDir: string;
}

/** The part of {@linkcode Io} that is plain data. Only a thread with the program's full permissions can find it out. */
export type SystemFacts = Pick<Io, "cwd" | "env" | "terminal" | "tempDir">;

/** The facts about the system that the process runs on. */
export function systemFacts(): SystemFacts {
  return {
    cwd: Deno.cwd(),
    env: withHome(Deno.env.toObject()),
    terminal: {
      stdin: Deno.stdin.isTerminal(),
      stdout: Deno.stdout.isTerminal(),
      stderr: Deno.stderr.isTerminal(),
      ...columns(),
    },
    tempDir: temporaryPath(tmpdir()),
  };
}

/** Some terminals give 0 columns. Without a terminal the runtime throws. */
function columns(): { columns?: number } {
  try {
    const { columns } = Deno.consoleSize();
    return columns > 0 ? { columns } : {};
  } catch {
    return {};
  }
}

/** The process's own streams and signals. */
export function systemIo(facts: SystemFacts): Io {
  const encoder = new TextEncoder();
  return {
    ...facts,
    out: async (text) => {
      let rest = encoder.encode(text);
      try {
        while (rest.length > 0) rest = rest.subarray(await Deno.stdout.write(rest));
      } catch (error) {
        throw isDiskFull(error) ? new UserError("cli_output_full", {}, { cause: error }) : error;
      }
    },
    err: (text) => {
      let rest = encoder.encode(text);
      try {
        while (rest.length > 0) rest = rest.subarray(Deno.stderr.writeSync(rest));
      } catch {
        // A closed stderr must not end a run that can still finish.
      }
    },
    readLine: (signal, hidden) => hidden ? readHidden(signal) : readLine(signal),
    input: () => Deno.stdin.readable,
    onInterrupt,
    openExtractor: (events) => ownProcess(EXTRACT_ARGUMENT, facts.env)(events),
    exit: (code) => Deno.exit(code),
  };
}

/** MCP clients may start servers with hardly any environment. The system still knows the home folder of the user. */
function withHome(env: Record<string, string>): Record<string, string> {
  const name = homeVariable(Deno.build.os);
  if (env[name]) return env;
  try {
    return { ...env, [name]: homedir() };
  } catch {
    return env;
  }
}

async function readLine(signal: AbortSignal): Promise<string | undefined> {
  const reader = Deno.stdin.readable.getReader();
  const decoder = new TextDecoder();
  const aborted = new Promise<{ done: true; value?: undefined }>((resolve) =>
    signal.addEventListener("abort", () => resolve({ done: true }), { once: true })
  );
  let line = "";
  try {
    while (!line.includes("\n")) {
      const { done, value } = await Promise.race([reader.read(), aborted]);
      if (done) return line === "" || signal.aborted ? undefined : line;
      line += decoder.decode(value, { stream: true });
    }
  } finally {
    // Another line may be read later.
    reader.releaseLock();
  }
  return line.slice(0, line.indexOf("\n")).replace(/\r$/, "");
}

function onInterrupt(callback: () => void): Disposable {
  // Windows has no SIGTERM and no SIGHUP in the sense of Unix. SIGBREAK is its Ctrl-Break.
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT", "SIGBREAK"] : ["SIGINT", "SIGTERM"];
  for (const signal of signals) Deno.addSignalListener(signal, callback);
  return {
    [Symbol.dispose]: () => {
      for (const signal of signals) Deno.removeSignalListener(signal, callback);
    },
  };
}
