import { fileURLToPath } from "node:url";
import { startFlags } from "../compile/start_flags.ts";

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));
const POLL_MS = 50;

/** The program as a user runs it: an executable, or the sources. `state`: folder of its key and list of folders. */
export class Program {
  readonly #command: readonly string[];
  readonly #env: Readonly<Record<string, string>>;

  constructor(state: string, executable?: string) {
    this.#command = executable === undefined ? [Deno.execPath(), "run", ...startFlags(), MAIN] : [executable];
    const kept = Object.entries(Deno.env.toObject()).filter(([name]) => !name.startsWith("MUXUE_RAG_"));
    this.#env = { ...Object.fromEntries(kept), MUXUE_RAG_STATE_DIR: state, MUXUE_RAG_CONFIG_DIR: state };
  }

  /** Indexes a folder. Returns the seconds and the greatest memory in megabytes, NaN on systems without /proc. */
  async index(folder: string): Promise<{ seconds: number; megabytes: number }> {
    const began = performance.now();
    const child = this.#start(["--dir", folder, "--quiet"], "null");
    let megabytes = NaN;
    const timer = setInterval(() => megabytes = memoryOf(child.pid, "VmHWM") || megabytes, POLL_MS);
    const { code } = await child.status;
    clearInterval(timer);
    if (code !== 0) throw new Error(`indexing ${folder} ended with ${code}`);
    return { seconds: (performance.now() - began) / 1000, megabytes };
  }

  /** Starts a server on a folder and initializes it. */
  async serve(folder: string, ...flags: string[]): Promise<Served> {
    const began = performance.now();
    const child = this.#start(["serve", "--dir", folder, ...flags], "piped");
    const served = new Served(child);
    await served.ask("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "bench", version: "1" },
    });
    served.initializeMs = performance.now() - began;
    return served;
  }

  /** Starts a server over HTTP on a free port. `end` asks it to end, as Ctrl-C does, and returns the milliseconds it takes. */
  async serveHttp(folder: string): Promise<{ readonly url: string; end(): Promise<number> }> {
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

  constructor(child: Deno.ChildProcess) {
    this.#child = child;
    this.#writer = child.stdin.getWriter();
    this.#reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** Memory of the process in megabytes. */
  get megabytes(): number {
    return memoryOf(this.#child.pid, "VmRSS");
  }

  /** Returns the answer to a request as JSON text. */
  async ask(method: string, params: Record<string, unknown>): Promise<string> {
    const request = JSON.stringify({ jsonrpc: "2.0", id: ++this.#id, method, params });
    await this.#writer.write(new TextEncoder().encode(`${request}\n`));
    let line = "";
    while (!line.endsWith("\n")) {
      const { value } = await this.#reader.read();
      if (value === undefined) throw new Error("the server has ended");
      line += value;
    }
    return line;
  }

  /** Searches, and returns the answer as JSON text. */
  search(keyword: string, mode: string): Promise<string> {
    return this.ask("tools/call", { name: "search_rag", arguments: { keyword, mode } });
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

/** Returns a figure of `/proc/PID/status` in megabytes; NaN on systems without it. */
function memoryOf(pid: number, name: string): number {
  try {
    const status = Deno.readTextFileSync(`/proc/${pid}/status`);
    return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1000;
  } catch {
    return NaN;
  }
}
