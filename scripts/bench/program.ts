import { fileURLToPath } from "node:url";
import { dirname } from "node:path";
import { startFlags } from "../compile/start_flags.ts";

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));
const POLL_MS = 50;

/** The costs of a run that has ended. CPU time and memory are NaN on systems without /proc. */
export interface Run {
  readonly seconds: number;
  /** User and system time, including that of its child processes. */
  readonly cpuSeconds: number;
  /** The greatest memory, without that of its child processes. */
  readonly megabytes: number;
}

/**
 * The program as a user runs it: an executable, or the sources. `state`: folder of its key and list of folders; `settings`: variables of
 * its environment.
 */
export class Program {
  readonly #command: readonly string[];
  readonly #env: Readonly<Record<string, string>>;
  /** A folder without `config.yaml`: an executable of another commit may not know all settings of this one's. */
  readonly #cwd: string;

  constructor(state: string, executable?: string, settings: Readonly<Record<string, string>> = {}) {
    this.#command = executable === undefined ? [Deno.execPath(), "run", ...startFlags(), MAIN] : [executable];
    const kept = Object.entries(Deno.env.toObject()).filter(([name]) => !name.startsWith("MUXUE_RAG_"));
    this.#env = {
      ...Object.fromEntries(kept),
      MUXUE_RAG_STATE_DIR: state,
      MUXUE_RAG_CONFIG_DIR: state,
      ...settings,
    };
    this.#cwd = dirname(state);
  }

  /** Indexes a folder. */
  index(folder: string): Promise<Run> {
    return this.run("--dir", folder, "--quiet");
  }

  /** Runs a command. No other process of the caller may end meanwhile, or its CPU time counts as well. */
  async run(...args: string[]): Promise<Run> {
    const cpuBefore = endedChildrenCpuMs();
    const began = performance.now();
    const child = this.#start(args, "null", "piped");
    let megabytes = NaN;
    const timer = setInterval(() => megabytes = memoryOf(child.pid, "VmHWM") || megabytes, POLL_MS);
    const problem = new Response(child.stderr).text();
    const { code } = await child.status;
    const seconds = (performance.now() - began) / 1000;
    clearInterval(timer);
    if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${(await problem).trim()}`);
    return { seconds, cpuSeconds: (endedChildrenCpuMs() - cpuBefore) / 1000, megabytes };
  }

  /** Starts a server on a folder and initializes it. */
  serve(folder: string, ...flags: string[]): Promise<Served> {
    return Program.connected(() => this.#start(["serve", "--dir", folder, ...flags], "piped"));
  }

  /** Initializes the server that `start` starts. */
  static async connected(start: () => Deno.ChildProcess): Promise<Served> {
    const began = performance.now();
    const served = new Served(start());
    await served.ask("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "bench", version: "1" },
    });
    served.initializeMs = performance.now() - began;
    return served;
  }

  /** Starts a server over HTTP on a free port. `end` asks it to end, as Ctrl-C does, and returns the milliseconds it takes. */
  async serveHttp(
    folder: string,
  ): Promise<{ readonly url: string; cpuMs(): number; end(): Promise<number> }> {
    const child = this.#start(["serve", "--http", "--port", "0", "--dir", folder], "piped", "piped");
    await child.stdin.close();
    await child.stdout.cancel();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const reading = (async () => {
      let text = "";
      for await (const part of child.stderr.pipeThrough(new TextDecoderStream())) {
        text += part;
        const [url] = /http:\S+\/mcp/.exec(text) ?? [];
        if (url !== undefined) resolve(url);
      }
      reject(new Error(`the server has ended: ${text}`));
    })();
    return {
      url: await promise,
      cpuMs: () => cpuMsOf(child.pid),
      async end() {
        const began = performance.now();
        child.kill("SIGTERM");
        await child.status;
        const ms = performance.now() - began;
        await reading;
        return ms;
      },
    };
  }

  #start(
    args: readonly string[],
    pipes: "piped" | "null",
    stderr: "piped" | "null" = "null",
  ): Deno.ChildProcess {
    const [file, ...before] = this.#command;
    return new Deno.Command(file!, {
      args: [...before, ...args],
      cwd: this.#cwd,
      env: this.#env,
      clearEnv: true,
      stdin: pipes,
      stdout: pipes,
      stderr,
    }).spawn();
  }
}

/** A server that runs. */
export class Served implements AsyncDisposable {
  /** From the start of the process to the answer. */
  initializeMs = NaN;
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<string>;
  #id = 0;
  /** What was read after the last whole line. */
  #text = "";

  constructor(child: Deno.ChildProcess) {
    this.#child = child;
    this.#writer = child.stdin.getWriter();
    this.#reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** Number of the process. */
  get pid(): number {
    return this.#child.pid;
  }

  /** Memory of the process in megabytes. */
  get megabytes(): number {
    return memoryOf(this.#child.pid, "VmRSS");
  }

  /** CPU time of the process until now in milliseconds, in steps of ten. */
  get cpuMs(): number {
    return cpuMsOf(this.#child.pid);
  }

  /** Returns the answer to a request as JSON text. */
  async ask(method: string, params: Record<string, unknown>): Promise<string> {
    const id = ++this.#id;
    const request = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    await this.#writer.write(new TextEncoder().encode(`${request}\n`));
    for (;;) {
      const line = await this.#line();
      // A server also tells of documents that were added and removed.
      if (JSON.parse(line).id === id) return line;
    }
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = this.#text.indexOf("\n") + 1;
      if (end > 0) {
        const line = this.#text.slice(0, end);
        this.#text = this.#text.slice(end);
        return line;
      }
      const { value } = await this.#reader.read();
      if (value === undefined) throw new Error("the server has ended");
      this.#text += value;
    }
  }

  /** Searches, and returns the answer as JSON text. Without `hits`, as many as the program gives by itself. */
  search(keyword: string, mode: string, hits?: number): Promise<string> {
    return this.call("search_rag", { keyword, mode, "top_k": hits });
  }

  /** Calls a tool, and returns the answer as JSON text. */
  async call(name: string, args: Record<string, unknown>): Promise<string> {
    const answer = await this.ask("tools/call", { name, arguments: args });
    if (answer.includes('"isError":true')) throw new Error(`${name}: ${answer.slice(0, 500)}`);
    return answer;
  }

  /** Asks questions, closes the input without waiting for answers, and returns the milliseconds until the process has ended. */
  async endUnderLoad(keywords: readonly string[]): Promise<number> {
    for (const keyword of keywords) {
      const params = { name: "search_rag", arguments: { keyword } };
      const request = JSON.stringify({ jsonrpc: "2.0", id: ++this.#id, method: "tools/call", params });
      await this.#writer.write(new TextEncoder().encode(`${request}\n`));
    }
    const began = performance.now();
    await this.#writer.close();
    while (!(await this.#reader.read()).done);
    await this.#child.status;
    return performance.now() - began;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writer.close();
    await this.#reader.cancel();
    await this.#child.status;
  }
}

/** Steps of the times in `/proc/PID/stat` on Linux. */
const TICK_MS = 10;

/** Returns the sum of the named fields of `/proc/PID/stat`, which are times, in milliseconds; NaN on systems without it. */
function timesOf(pid: number | "self", fields: readonly number[]): number {
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    // The second field is the name of the program in brackets, which may contain spaces.
    const values = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return TICK_MS * fields.reduce((sum, field) => sum + Number(values[field - 3]), 0);
  } catch {
    return NaN;
  }
}

/** CPU time of a process, and of its child processes that have ended. */
const cpuMsOf = (pid: number) => timesOf(pid, [14, 15, 16, 17]);

/** CPU time of all processes that this one has started and that have ended. */
const endedChildrenCpuMs = () => timesOf("self", [16, 17]);

/** Returns a figure of `/proc/PID/status` in megabytes; NaN on systems without it. */
function memoryOf(pid: number, name: string): number {
  try {
    const status = Deno.readTextFileSync(`/proc/${pid}/status`);
    return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) * 1024 / 1e6;
  } catch {
    return NaN;
  }
}
