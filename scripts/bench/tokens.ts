// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Counts the tokens (o200k) that a model reads of this server and of others, and prints them as JSON: of the list of tools, of ten
 * hits, and of a read of a file of 64,000 bytes. Arguments: an empty folder, and the folder of the installed packages of other
 * servers. Hits of the others are not counted: they need models that are not in the npm registry.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { startFlags } from "../compile/start_flags.ts";
import { copyFolder } from "../copy_folder.ts";
import { otherServers } from "./others.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const READ_BYTES = 64_000;
const QUESTION = "how do I keep the index current";

const [top, packages] = Deno.args as [string, string];
const figures: Record<string, number> = {};
const docs = join(top, "docs"), file = join(top, "docs", "long.txt");
await copyFolder(join(ROOT, "examples", "docs", "en"), docs);
let text = "";
for (const page of ["configuration", "maintenance", "indexing", "searching", "mcp-clients", "command-line"]) {
  text += await Deno.readTextFile(join(docs, `${page}.md`));
}
await Deno.writeFile(file, new TextEncoder().encode(text).subarray(0, READ_BYTES));

/** Environment of the servers: their homes and states are in the folder. */
const env = {
  ...Object.fromEntries(
    Object.entries(Deno.env.toObject()).filter(([name]) => !name.startsWith("MUXUE_RAG_")),
  ),
  MUXUE_RAG_STATE_DIR: join(top, "state"),
  MUXUE_RAG_CONFIG_DIR: join(top, "config"),
  MUXUE_RAG_LANGUAGE: "en",
};

const count = (value: unknown) => encode(typeof value === "string" ? value : JSON.stringify(value)).length;

async function connect(
  command: string,
  args: string[],
  name: string,
  own: Record<string, string> = {},
): Promise<Client> {
  const client = new Client({ name, version: "1" });
  await client.connect(
    new StdioClientTransport({ command, args, env: { ...env, ...own }, cwd: top, stderr: "ignore" }),
  );
  return client;
}

/** Tokens of an answer: of its texts, and of the structured content where it has some. */
async function answerTokens(client: Client, name: string, args: Record<string, unknown>): Promise<number> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  if (isError === true) throw new Error(`${name}: ${JSON.stringify(content)}`);
  const texts = content.reduce((sum, part) => sum + (part.type === "text" ? count(part.text) : 0), 0);
  return texts + (structuredContent === undefined ? 0 : count(structuredContent));
}

async function listTokens(server: string, client: Client): Promise<void> {
  const { tools } = await client.listTools();
  const seen = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  figures[`${server}/list`] = count(seen);
  figures[`${server}/whole list`] = count({ tools });
}

const run = ["run", ...startFlags(), join(ROOT, "main.ts")];
await new Deno.Command(Deno.execPath(), { args: [...run, "--dir", docs, "--quiet"], env, cwd: top }).output();
for (
  const [shape, name] of [["structured", "claude-code"], ["text", "claude-ai"], ["both", "unknown"]] as const
) {
  const server = `muxue_rag, ${shape}`;
  const client = await connect(Deno.execPath(), [...run, "serve", "--no-watch", "--dir", docs], name);
  await listTokens(server, client);
  figures[`${server}/ten hits`] = await answerTokens(client, "search_rag", {
    keyword: QUESTION,
    "top_k": 10,
  });
  // Without `max_tokens` an answer has at most 10,000 tokens and says where to continue.
  figures[`${server}/read`] = await answerTokens(client, "read_raw_file", { "file_path": file });
  figures[`${server}/whole read`] = await answerTokens(client, "read_raw_file", {
    "file_path": file,
    "max_tokens": 1_000_000,
  });
  await client.close();
}

for (const { name, command, args, own, read } of await otherServers(packages, docs, top)) {
  const client = await connect(command, args, "bench", own);
  await listTokens(name, client);
  if (read !== undefined) figures[`${name}/whole read`] = await answerTokens(client, read, { path: file });
  await client.close();
}
console.log(JSON.stringify(figures));
