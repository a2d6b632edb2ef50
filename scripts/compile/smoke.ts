import { basename, join } from "node:path";

/** Answers of the program in a smoke test. */
export interface Smoke {
  /** The version that `--version` prints. */
  readonly version: string;
  /** Name and version in its answer to `initialize`. */
  readonly server: { readonly name: string; readonly version: string };
  /** Names of the files that the search found, best first. */
  readonly found: readonly string[];
}

/** A question in one language about a text in another. Only the built-in vectors can answer it. */
const TEXTS = {
  "备份.md": "# 备份\n\n每天晚上把数据库复制到另一块硬盘。\n",
  "weather.md": "# Weather\n\nIt rains often in autumn.\n",
};
const QUESTION = "copy of the database";

/**
 * Runs a program as a user would: it indexes a folder and searches once, then an MCP client initializes it and searches for the same. Its state and
 * configuration are in temporary folders, which are removed. Throws if it fails, or takes longer than `patience`
 * milliseconds for an answer.
 */
export async function smoke(executable: string, patience = 30_000): Promise<Smoke> {
  const top = await Deno.realPath(await Deno.makeTempDir({ prefix: "muxue_rag_smoke_" }));
  try {
    const folder = join(top, "docs");
    await Deno.mkdir(folder);
    for (const [name, text] of Object.entries(TEXTS)) await Deno.writeTextFile(join(folder, name), text);
    const env = {
      ...Object.fromEntries(
        Object.entries(Deno.env.toObject()).filter(([name]) => !name.startsWith("MUXUE_RAG_")),
      ),
      MUXUE_RAG_STATE_DIR: join(top, "state"),
      MUXUE_RAG_CONFIG_DIR: join(top, "config"),
    };
    const options = {
      cwd: top,
      env,
      clearEnv: true,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    } as const;
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await new Deno.Command(executable, { ...options, args }).output();
      const text = new TextDecoder().decode(stdout);
      if (code !== 0) {
        throw new Error(`${args.join(" ")}: exit code ${code}\n${new TextDecoder().decode(stderr)}`);
      }
      return text;
    };
    const [, version = ""] = /^muxue_rag (\S+)/.exec(await run("--version")) ?? [];
    await run("--dir", folder);
    const printed = (await run("search", QUESTION, "--dir", folder, "--format", "paths")).split(/\r?\n/)[0]!;

    const server = new Deno.Command(executable, {
      ...options,
      args: ["serve", "--dir", folder],
      stdin: "piped",
    })
      .spawn();
    const stderr = new Response(server.stderr).text();
    const deadline = setTimeout(() => server.kill("SIGKILL"), patience);
    const lines = linesOf(server.stdout);
    const writer = server.stdin.getWriter();
    const send = (message: Record<string, unknown>) =>
      writer.write(new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`));
    const ask = async (id: number, method: string, params: Record<string, unknown>) => {
      await send({ id, method, params });
      const { value: line } = await lines.next();
      if (line === undefined) throw new Error(`No answer to ${method}\n${await stderr}`);
      const answer = JSON.parse(line);
      if (answer.id !== id || answer.result === undefined) {
        throw new Error(`${method} was answered by ${line}`);
      }
      return answer.result;
    };
    try {
      const { serverInfo } = await ask(1, "initialize", {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "smoke", version: "1" },
      });
      await send({ method: "notifications/initialized" });
      const { structuredContent } = await ask(2, "tools/call", {
        name: "search_rag",
        arguments: { keyword: QUESTION },
      });
      const found = structuredContent.data.file_info.map((file: { file_name: string }) => file.file_name);
      if (basename(printed) !== found[0]) {
        throw new Error(`search printed ${printed}, the server found ${found[0]}`);
      }
      return { version, server: { name: serverInfo.name, version: serverInfo.version }, found };
    } finally {
      await writer.close().catch(() => {});
      await server.status;
      clearTimeout(deadline);
      await stderr;
    }
  } finally {
    await Deno.remove(top, { recursive: true });
  }
}

/** Yields the whole lines of a stream of text. Leaving the loop early cancels the stream. */
async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
  return undefined;
}
