/**
 * Starting a server as an MCP client would, by the entry in the client's file, and asking for its tools.
 */
import { UserError } from "#foundation/errors.ts";
import { type Environment, homeFolder } from "#foundation/configuration/mod.ts";
import type { Connection, OpenConnection, ServerProcess } from "#foundation/boundary/mod.ts";
import type { OperatingSystem } from "#foundation/runtime.ts";
import { isTable } from "./server_entry.ts";

/** The answer of a server. */
export interface Handshake {
  /** From the start of the process to the list of tools. */
  readonly milliseconds: number;
  readonly tools: number;
}

/** Time that a client waits for an answer: that of the official SDKs. */
const LIMIT_MS = 60_000;

/** Time for the server to end by itself when its stdin is closed, and then for its end to be seen. */
const END_MS = 3_000;

/**
 * Variables that every client hands to a server: those of the official SDK, `getDefaultEnvironment()` in
 * github.com/modelcontextprotocol/typescript-sdk. Some clients hand over all of theirs.
 */
const INHERITED: Readonly<Record<"windows" | "other", readonly string[]>> = {
  windows: [
    ...["APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PROCESSOR_ARCHITECTURE", "SYSTEMDRIVE"],
    ...["SYSTEMROOT", "TEMP", "USERNAME", "USERPROFILE", "PROGRAMFILES"],
  ],
  other: ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"],
};

/**
 * The process that a client starts for an entry of its file. `undefined` for one that starts no program. The working folder is the
 * user's home, since clients start servers elsewhere than the terminal of this program.
 */
export function processOfEntry(
  entry: unknown,
  env: Environment,
  os: OperatingSystem,
): ServerProcess | undefined {
  if (!isTable(entry) || typeof entry["command"] !== "string") return undefined;
  const { command, args, env: own } = entry;
  const known = INHERITED[os === "windows" ? "windows" : "other"];
  const inherited = Object.entries(env).filter(([name, value]) =>
    value !== undefined && known.includes(os === "windows" ? name.toUpperCase() : name)
  );
  return {
    command,
    args: Array.isArray(args) ? args.map(String) : [],
    env: Object.fromEntries([...inherited, ...Object.entries(isTable(own) ? own : {})]) as Record<
      string,
      string
    >,
    cwd: homeFolder(env, os),
  };
}

/**
 * Starts a server, asks for its tools, and ends it. Throws `UserError` `cli_setup_no_start`, `cli_setup_ended`, `cli_setup_no_answer` or
 * `cli_setup_bad_answer`, and the reason of `signal`.
 */
export async function shakeHands(
  open: OpenConnection,
  command: string,
  { version, signal }: { readonly version: string; readonly signal: AbortSignal },
): Promise<Handshake> {
  const server = new Server(open, command);
  const onAbort = () => server.end();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const start = performance.now();
    const clientInfo = { name: "muxue_rag setup", version };
    await server.ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    server.send({ method: "notifications/initialized" });
    const { tools } = await server.ask("tools/list", {});
    if (!Array.isArray(tools)) throw new UserError("cli_setup_bad_answer", { command, text: "tools/list" });
    return { milliseconds: Math.round(performance.now() - start), tools: tools.length };
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
    await server.close();
  }
}

/** A server that speaks JSON-RPC, a message a line. */
class Server {
  readonly #command: string;
  readonly #connection: Connection;
  readonly #ended = Promise.withResolvers<void>();
  readonly #out = new TextDecoder();
  readonly #err = new TextDecoder();
  #buffer = "";
  #stderr = "";
  #asked: { readonly id: number; readonly answer: PromiseWithResolvers<Record<string, unknown>> } | undefined;
  #error: UserError | undefined;
  #count = 0;

  constructor(open: OpenConnection, command: string) {
    this.#command = command;
    let isStarted = false;
    this.#connection = open({
      onData: (bytes) => {
        isStarted = true;
        this.#buffer += this.#out.decode(bytes, { stream: true });
        const lines = this.#buffer.split("\n");
        this.#buffer = lines.pop()!;
        for (const line of lines) if (line.trim() !== "") this.#take(line);
      },
      onErrorData: (bytes) => {
        isStarted = true;
        // The end says why it ended.
        this.#stderr = (this.#stderr + this.#err.decode(bytes, { stream: true })).slice(-2_000);
      },
      onEnd: (reason, code) => {
        const isMissing = code === undefined && !isStarted && !reason.startsWith("its process");
        const text = this.#lastLines();
        this.#fail(
          isMissing
            ? new UserError("cli_setup_no_start", { command, reason })
            : new UserError("cli_setup_ended", { command, reason: code ?? reason, text }),
        );
        this.#ended.resolve();
      },
    });
  }

  send(message: object): void {
    const line = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.#connection.send(new TextEncoder().encode(`${line}\n`));
  }

  /** The result of a request. */
  async ask(method: string, params: object): Promise<Record<string, unknown>> {
    if (this.#error !== undefined) throw this.#error;
    const id = ++this.#count;
    const answer = Promise.withResolvers<Record<string, unknown>>();
    this.#asked = { id, answer };
    this.send({ id, method, params });
    const timer = setTimeout(() => {
      const seconds = LIMIT_MS / 1000;
      this.#fail(
        new UserError("cli_setup_no_answer", { command: this.#command, seconds, text: this.#lastLines() }),
      );
    }, LIMIT_MS);
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  #take(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      // A client would also stop here: a word on stdout that is no message.
    }
    if (!isTable(message)) {
      return this.#fail(
        new UserError("cli_setup_bad_answer", { command: this.#command, text: line.slice(0, 200) }),
      );
    }
    // A server counts its own requests, so one of them may have the same id.
    if (this.#asked === undefined || "method" in message || message["id"] !== this.#asked.id) return;
    const { result } = message;
    if (isTable(result)) this.#asked.answer.resolve(result);
    else {
      this.#fail(
        new UserError("cli_setup_bad_answer", { command: this.#command, text: line.slice(0, 200) }),
      );
    }
  }

  #fail(error: UserError): void {
    this.#error ??= error;
    this.#asked?.answer.reject(this.#error);
  }

  #lastLines(): string {
    return this.#stderr.trim().split("\n").slice(-3).join(" ");
  }

  end(): void {
    this.#connection.end();
  }

  /** Closes stdin and waits until the process has ended. A process that it started may hold its stdout for longer. */
  async close(): Promise<void> {
    this.#connection.close();
    const timers = [setTimeout(() => this.end(), END_MS), setTimeout(this.#ended.resolve, 2 * END_MS)];
    await this.#ended.promise;
    timers.forEach(clearTimeout);
  }
}
