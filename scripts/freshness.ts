// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Saves a file as an editor does, asks a running server through a real MCP client, and prints the time between the save and the
 * first right answer.
 *
 *     deno run -A --config deno.dev.json scripts/freshness.ts [--chunks N]... [--saves N] [--executable PATH]
 *
 * By default 20 saves in folders of about 1,000 and 100,000 chunks, 20 chunks a file, and the program from source.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { random } from "./bench/text.ts";
import { startFlags } from "./compile/start_flags.ts";

/** Chunks of a file. A paragraph of 700 characters is one chunk. */
const CHUNKS_PER_FILE = 20;
const CHUNK_CHARS = 700;
/** Milliseconds between the start of two questions. */
const ASK_EVERY_MS = 10;

const { values } = parseArgs({
  options: {
    chunks: { type: "string", multiple: true, default: ["1000", "100000"] },
    saves: { type: "string", default: "20" },
    executable: { type: "string" },
  },
});

for (const chunks of values.chunks) await film(Number(chunks), Number(values.saves));

async function film(chunks: number, saves: number): Promise<void> {
  const top = await Deno.realPath(await Deno.makeTempDir({ prefix: "muxue_rag_film_" }));
  const folder = join(top, "docs");
  await writeFolder(folder, chunks);
  const env = { ...Deno.env.toObject(), MUXUE_RAG_STATE_DIR: join(top, "state") };
  const main = join(import.meta.dirname!, "../main.ts");
  const [command, ...start] = values.executable === undefined
    ? [Deno.execPath(), "run", ...startFlags(), main]
    : [values.executable];
  try {
    await new Deno.Command(command!, { args: [...start, "--dir", folder, "--quiet"], env }).output();
    const client = new Client({ name: "film", version: "0" });
    const args = [...start, "serve", "--dir", folder, "--language", "en"];
    await client.connect(new StdioClientTransport({ command: command!, args, env, stderr: "inherit" }));
    const times: number[] = [];
    await ask(client, "nothing like it", ({ stats }) => stats.freshness.state === "current");
    for (let i = 0; i < saves; i++) {
      const word = `zeppelin${i}x`;
      const path = join(folder, `0/${i}.md`);
      const began = await save(path, word);
      await ask(
        client,
        word,
        ({ match_content: [hit] }) => hit?.file_path === path && hit.content.includes(word) && !hit.outdated,
      );
      times.push(performance.now() - began);
      // The next save is one of a folder at rest.
      await ask(client, word, ({ stats }) => stats.freshness.state === "current");
    }
    await client.close();
    print(chunks, times);
  } finally {
    await Deno.remove(top, { recursive: true });
  }
}

/** Writes files of random words that differ from each other, 100 in a folder. */
async function writeFolder(folder: string, chunks: number): Promise<void> {
  const next = random(1);
  const words = Array.from({ length: 20_000 }, () => Math.floor(next() ** 2 * 36 ** 5).toString(36));
  for (let file = 0; file < chunks / CHUNKS_PER_FILE; file++) {
    const place = join(folder, `${Math.floor(file / 100)}`);
    await Deno.mkdir(place, { recursive: true });
    let text = "";
    for (let chunk = 0; chunk < CHUNKS_PER_FILE; chunk++) {
      let paragraph = "";
      while (paragraph.length < CHUNK_CHARS) paragraph += `${words[Math.floor(next() ** 3 * words.length)]} `;
      text += `## ${words[Math.floor(next() * words.length)]}\n\n${paragraph}\n\n`;
    }
    await Deno.writeTextFile(join(place, `${file % 100}.md`), text);
  }
}

/** Adds a line to a file, by a temporary file that is renamed. Returns the time of the renaming. */
async function save(path: string, word: string): Promise<number> {
  const text = await Deno.readTextFile(path);
  const temporary = path.replace(/([^/\\]+)$/, ".$1.swp");
  await Deno.writeTextFile(temporary, `The ${word} has landed.\n\n${text}`);
  const began = performance.now();
  await Deno.rename(temporary, path);
  return began;
}

// deno-lint-ignore no-explicit-any
type Data = any;

/** Asks until the answer is as wanted. */
async function ask(client: Client, keyword: string, wanted: (data: Data) => boolean): Promise<void> {
  for (;;) {
    const pause = new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
    const { structuredContent } = await client.callTool({ name: "search_rag", arguments: { keyword } });
    const { code, data } = structuredContent as Data;
    if (code === 200 && wanted(data)) return;
    await pause;
  }
}

function print(chunks: number, times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => `${Math.round(sorted[Math.ceil(share * sorted.length) - 1]!)} ms`;
  console.log(
    `${chunks} chunks: ${times.length} saves, p50 ${at(0.5)}, p95 ${at(0.95)}, ` +
      `from ${at(1 / sorted.length)} to ${at(1)}`,
  );
}
