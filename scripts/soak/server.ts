import { join } from "node:path";
import { startFlags } from "../compile/start_flags.ts";

/** Answer of a tool, as far as the soak looks at it. */
export interface ToolAnswer {
  readonly code: number;
  readonly message: string;
  readonly data?: {
    readonly "match_content"?: readonly {
      readonly content: string;
      readonly file_path: string;
      readonly outdated?: true;
    }[];
    readonly notices?: readonly string[];
  };
}

/** How servers are started. */
export interface ServerOptions {
  /** Path of an executable of the program; without it the sources run. */
  readonly executable?: string | undefined;
  readonly folders: readonly string[];
  readonly stateDir: string;
}

/** A server process and its client, which speaks JSON-RPC over pipes, one request at a time. */
export class Server {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<string>;
  readonly #stderr: Promise<string>;
  #rest = "";
  #id = 0;

  private constructor(child: Deno.ChildProcess) {
    this.#child = child;
    this.#writer = child.stdin.getWriter();
    this.#reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    this.#stderr = new Response(child.stderr).text();
  }

  /** Starts a server and initializes it. */
  static async start({ executable, folders, stateDir }: ServerOptions): Promise<Server> {
    const main = join(import.meta.dirname!, "../../main.ts");
    const program = executable === undefined ? [Deno.execPath(), "run", ...startFlags(), main] : [executable];
    const [command, ...args] = [
      ...program,
      "serve",
      "--language",
      "en",
      ...folders.flatMap((dir) => ["--dir", dir]),
    ];
    const inherited = Object.entries(Deno.env.toObject()).filter(([name]) => !name.startsWith("MUXUE_RAG_"));
    const child = new Deno.Command(command!, {
      args,
      env: {
        ...Object.fromEntries(inherited),
        DENO_NO_UPDATE_CHECK: "1",
        MUXUE_RAG_STATE_DIR: stateDir,
        MUXUE_RAG_CONFIG_DIR: join(stateDir, "settings"),
      },
      clearEnv: true,
      cwd: stateDir,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const server = new Server(child);
    const clientInfo = { name: "soak", version: "0" };
    await server.#request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    await server.#send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return server;
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Calls a tool. Throws if the answer is no answer of a tool, or if the server has ended. */
  async call(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolAnswer> {
    const { result, error } = await this.#request("tools/call", { name, arguments: args });
    if (error !== undefined || result?.structuredContent === undefined) {
      throw new Error(`${name}: ${JSON.stringify(error ?? result)}`);
    }
    return result.structuredContent;
  }

  /** Ends the server by closing its input. Returns what it wrote to stderr. Throws if its exit code is not 0. */
  async end(): Promise<string> {
    await this.#writer.close();
    while (!(await this.#reader.read()).done);
    const { code, signal } = await this.#child.status;
    const stderr = await this.#stderr;
    if (code !== 0) throw new Error(`a server ended with ${signal ?? code}: ${stderr}`);
    return stderr;
  }

  /** Kills the server, as the system does when memory runs out. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#writer.abort().catch(() => {});
    await this.#reader.cancel().catch(() => {});
    await this.#child.status;
    await this.#stderr;
  }

  // deno-lint-ignore no-explicit-any -- a message of JSON-RPC
  async #request(method: string, params: unknown): Promise<any> {
    const id = ++this.#id;
    await this.#send({ jsonrpc: "2.0", id, method, params });
    for (;;) {
      const answer = JSON.parse(await this.#line());
      if (answer.id === id) return answer;
    }
  }

  async #send(message: unknown): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf("\n");
      if (end >= 0) {
        const line = this.#rest.slice(0, end);
        this.#rest = this.#rest.slice(end + 1);
        return line;
      }
      const { done, value } = await this.#reader.read();
      if (done) throw new Error(`the server ended: ${await this.#stderr}`);
      this.#rest += value;
    }
  }
}
