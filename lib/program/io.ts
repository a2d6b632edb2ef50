/**
 * The parts of the system that the command line uses: streams, terminal, signals.
 * Hidden lines, and the stdin that the launcher hands to the worker.
 */
import { homedir, tmpdir } from "node:os";
import { homeVariable } from "#foundation/configuration/mod.ts";
import type { Shown } from "#foundation/boundary/show.ts";
import { UserError } from "#foundation/errors.ts";
import { EXTRACT_ARGUMENT } from "#library/extract/mod.ts";
import {
  isDiskFull,
  type OpenConnection,
  ownProcess,
  type ServerProcess,
  serverProcess,
  temporaryPath,
} from "#foundation/boundary/mod.ts";

/** Milliseconds after which a full pipe is tried again. */
const FULL_PIPE_MS = 2;

/** The standard streams, as far as they are a terminal. */
interface Terminal {
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
  /** Writes to stdout. Throws `Deno.errors.BrokenPipe` when the reader has gone, `cli_output_full` on a full disk. */
  readonly out: (text: string) => Promise<void>;
  /** Writes bytes to stdout and waits until the reader has taken them. Throws as {@linkcode Io.out} does. */
  readonly outBytes: (bytes: Uint8Array) => void;
  /** Writes to stderr. Never throws, since the error could not be reported. */
  readonly err: (text: string) => void;
  /**
   * One line from stdin without its line end; `undefined` when stdin ends or `signal` aborts. With `hidden` a terminal does
   * not show the typed characters.
   */
  readonly readLine: (signal: AbortSignal, hidden?: "hidden") => Promise<string | undefined>;
  /** All of stdin as text. Throws `cli_input_too_long` for more than `limit` UTF-16 units. */
  readonly readText: (limit: number, signal: AbortSignal) => Promise<string>;
  /** The bytes of stdin. A command that uses it must not call `readLine`. */
  readonly input: () => ReadableStream<Uint8Array>;
  /** Calls `callback` at every Ctrl-C and request to terminate, until disposed of. */
  readonly onInterrupt: (callback: () => void) => Disposable;
  /** Starts a process that reads documents. */
  readonly openExtractor: OpenConnection;
  /** Starts the evaluator that the command line names. Absent in a thread that must not start one. */
  readonly openEvaluator?: OpenConnection;
  /** Starts a server as an MCP client does. */
  readonly openServer: (server: ServerProcess) => OpenConnection;
  /** Shows an address in the browser or a file in the file manager. Absent where there is no desktop, or the command must not. */
  readonly show?: ((shown: Shown) => void) | undefined;
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
    env: withHome(variables()),
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
    outBytes: (bytes) => {
      for (let at = 0; at < bytes.length;) {
        try {
          at += Deno.stdout.writeSync(bytes.subarray(at));
        } catch (error) {
          if (isDiskFull(error)) throw new UserError("cli_output_full", {}, { cause: error });
          if (!(error instanceof Deno.errors.WouldBlock)) throw error;
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_MS);
        }
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
    readText,
    input: () => Deno.stdin.readable,
    onInterrupt,
    openExtractor: (events) => ownProcess(EXTRACT_ARGUMENT, facts.env)(events),
    openServer: serverProcess,
    exit: (code) => Deno.exit(code),
  };
}

/** The environment. Windows ignores the case of names, so each is there in upper case as well: `Path` is `PATH`. */
function variables(): Record<string, string> {
  const env = Deno.env.toObject();
  if (Deno.build.os !== "windows") return env;
  const upper = Object.entries(env).map(([name, value]) => [name.toUpperCase(), value]);
  return { ...env, ...Object.fromEntries(upper) };
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

async function readText(limit: number, signal: AbortSignal): Promise<string> {
  let text = "";
  const decoded = Deno.stdin.readable.pipeThrough(new TextDecoderStream(), { signal });
  for await (const piece of decoded) {
    text += piece;
    if (text.length > limit) throw new UserError("cli_input_too_long", { limit });
  }
  return text;
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

/** A line that is typed without being shown: its text so far, and how it ended. */
export interface HiddenLine {
  readonly text: string;
  readonly end?: "entered" | "given up";
}

/**
 * A hidden line after more characters were typed. The keys work as on a visible line: backspace deletes a character, Ctrl-U
 * deletes all, Ctrl-C gives up, and so does Ctrl-D on an empty line. Characters after the end of the line are dropped.
 */
export function typeInto(line: HiddenLine, typed: string): HiddenLine {
  let { text } = line;
  for (const character of typed) {
    switch (character) {
      case "\r":
      case "\n":
        return { text, end: "entered" };
      case "\u0003":
        return { text: "", end: "given up" };
      case "\u0004":
        if (text === "") return { text, end: "given up" };
        break;
      case "\u0008":
      case "\u007f":
        text = Array.from(text).slice(0, -1).join("");
        break;
      case "\u0015":
        text = "";
        break;
      default:
        text += character;
    }
  }
  return { text };
}

/** One hidden line from the terminal on stdin; `undefined` when it is given up or `signal` aborts. */
async function readHidden(signal: AbortSignal): Promise<string | undefined> {
  const raw = (on: boolean) => {
    // Windows has no mode that hides the input and still turns Ctrl-C into a signal.
    if (Deno.build.os === "windows") Deno.stdin.setRaw(on);
    else Deno.stdin.setRaw(on, { cbreak: on });
  };
  const { promise: aborted, resolve: abort } = Promise.withResolvers<{ done: true; value?: undefined }>();
  const onAbort = () => {
    // The terminal is restored at once, since a second Ctrl-C ends the process.
    raw(false);
    abort({ done: true });
  };
  signal.addEventListener("abort", onAbort, { once: true });
  const reader = Deno.stdin.readable.getReader();
  const decoder = new TextDecoder();
  raw(true);
  try {
    let line: HiddenLine = { text: "" };
    while (line.end === undefined) {
      const { done, value } = await Promise.race([reader.read(), aborted]);
      if (done) return undefined;
      line = typeInto(line, decoder.decode(value, { stream: true }));
    }
    return line.end === "entered" ? line.text : undefined;
  } finally {
    raw(false);
    signal.removeEventListener("abort", onAbort);
    reader.releaseLock();
  }
}

/** Bytes of stdin after which a thread reports that it has read them. A launcher reads 64 times as many ahead. */
const REPORTED = 1024 * 1024;

/** Stdin for a thread that gets it handed: the launcher notices its end even while this thread is stuck. */
export class HandedInput {
  /** The bytes of stdin. */
  readonly readable: ReadableStream<Uint8Array>;
  readonly #chunks: (Uint8Array | null)[] = [];
  readonly #onTaken: (bytes: number) => void;
  /** Bytes that have been read from the stream since the last report. */
  #taken = 0;
  #onChunk: (() => void) | undefined;

  /**
   * `onTaken` is called with the number of bytes that have been read from the stream since it was called last: after every
   * {@linkcode REPORTED}, because a message to the other thread for each request costs as much as reading it, and by {@linkcode report}.
   */
  constructor(onTaken: (bytes: number) => void) {
    this.#onTaken = onTaken;
    this.readable = new ReadableStream({
      pull: async (controller) => {
        const chunk = await this.#next();
        if (chunk === null) {
          // A read of stdin would also let pending tasks run before the end is seen.
          await new Promise((resolve) => setTimeout(resolve));
          return controller.close();
        }
        controller.enqueue(chunk);
        this.#taken += chunk.length;
        if (this.#taken >= REPORTED) this.report();
      },
    }, { highWaterMark: 0 });
  }

  /** Reports the bytes that have been read and not reported, if there are any. */
  report(): void {
    if (this.#taken === 0) return;
    this.#onTaken(this.#taken);
    this.#taken = 0;
  }

  /** Adds the next bytes to the stream; null closes it. */
  hand(chunk: Uint8Array | null): void {
    this.#chunks.push(chunk);
    this.#onChunk?.();
  }

  async #next(): Promise<Uint8Array | null> {
    if (this.#chunks.length === 0) await new Promise<void>((resolve) => this.#onChunk = resolve);
    return this.#chunks.shift()!;
  }
}
