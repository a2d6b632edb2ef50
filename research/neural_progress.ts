// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Starts a server with a local model on a folder that was never indexed, asks it until every chunk has a vector, and prints the
 * time to the first answer and to the last vector, and how long searches took meanwhile and afterwards.
 *
 *     deno run -A --config deno.dev.json research/neural_progress.ts --model FOLDER [--chunks N]... [--text FOLDER]
 *         [--executable PATH] [--every MILLISECONDS]
 *
 * The chunks are paragraphs of about 900 characters, of sentences that are drawn at random from the Markdown files of `--text` (the
 * English guide). By default 1,000 chunks, a search every second, and the program from source.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { random } from "../scripts/bench/text.ts";
import { startFlags } from "../scripts/compile/start_flags.ts";

const CHUNKS_PER_FILE = 20;
const CHUNK_CHARS = 900;
/** Searches after the last vector. */
const AFTERWARDS = 60;

const { values } = parseArgs({
  options: {
    chunks: { type: "string", multiple: true, default: ["1000"] },
    text: { type: "string", default: join(import.meta.dirname!, "../examples/docs/en") },
    model: { type: "string" },
    every: { type: "string", default: "1000" },
    executable: { type: "string" },
  },
});
if (values.model === undefined) throw new Error("--model names the folder of an English model");

const sentences: string[] = [];
for await (const { name } of Deno.readDir(values.text)) {
  if (!name.endsWith(".md")) continue;
  const text = await Deno.readTextFile(join(values.text, name));
  for (const [sentence] of text.matchAll(/^[A-Z][^|\n]*?[.!?](?= |$)/gm)) sentences.push(sentence);
}
for (const chunks of values.chunks) await film(Number(chunks), values.model);

async function film(chunks: number, model: string): Promise<void> {
  const top = await Deno.realPath(await Deno.makeTempDir({ prefix: "muxue_rag_progress_" }));
  const folder = join(top, "docs");
  const config = join(top, "config.yaml");
  const next = random(1);
  const draw = () => sentences[Math.floor(next() * sentences.length)]!;
  await writeFolder(folder, chunks, draw);
  await Deno.writeTextFile(
    config,
    `embedding:\n  provider: local\n  local:\n    en:\n      path: ${
      JSON.stringify(await Deno.realPath(model))
    }\n`,
  );
  const [command, ...start] = values.executable === undefined
    ? [Deno.execPath(), "run", ...startFlags(), join(import.meta.dirname!, "../main.ts")]
    : [values.executable];
  const env = { ...Deno.env.toObject(), MUXUE_RAG_STATE_DIR: join(top, "state") };
  const client = new Client({ name: "film", version: "0" });
  try {
    const began = performance.now();
    const args = [...start, "serve", "--dir", folder, "--config", config, "--language", "en"];
    await client.connect(new StdioClientTransport({ command: command!, args, env, stderr: "ignore" }));
    const seconds = () => `${((performance.now() - began) / 1000).toFixed(1)} s`;
    let first: string | undefined;
    const meanwhile: number[] = [];
    for (;;) {
      const { ms, found, percent } = await search(client, draw());
      if (found) first ??= seconds();
      if (percent !== undefined) meanwhile.push(ms);
      else if (meanwhile.length > 0) break;
      await new Promise((resolve) => setTimeout(resolve, found ? Number(values.every) : 20));
    }
    const whole = seconds();
    const afterwards: number[] = [];
    for (let i = 0; i < AFTERWARDS; i++) afterwards.push((await search(client, draw())).ms);
    console.log(
      `${chunks} chunks: first answer after ${first}, all vectors after ${whole}; ` +
        `searches meanwhile ${shown(meanwhile)}; afterwards ${shown(afterwards)}`,
    );
  } finally {
    await client.close();
    await Deno.remove(top, { recursive: true });
  }
}

async function writeFolder(folder: string, chunks: number, draw: () => string): Promise<void> {
  for (let file = 0; file < chunks / CHUNKS_PER_FILE; file++) {
    const place = join(folder, `${Math.floor(file / 100)}`);
    await Deno.mkdir(place, { recursive: true });
    let text = "";
    for (let chunk = 0; chunk < CHUNKS_PER_FILE; chunk++) {
      let paragraph = "";
      while (paragraph.length < CHUNK_CHARS) paragraph += `${draw()} `;
      text += `## Part ${chunk + 1}\n\n${paragraph}\n\n`;
    }
    await Deno.writeTextFile(join(place, `${file % 100}.md`), text);
  }
}

/** Searches once. `percent`: the share of chunks with a vector, unless all have one. */
async function search(
  client: Client,
  keyword: string,
): Promise<{ ms: number; found: boolean; percent: number | undefined }> {
  const began = performance.now();
  const answer = await client.callTool({ name: "search_rag", arguments: { keyword } });
  const ms = performance.now() - began;
  const text = JSON.stringify(answer);
  const [, percent] = /Vectors of the local model: (\d+) %/.exec(text) ?? [];
  const found = /"match_content":\[\{/.test(text);
  return { ms, found, percent: percent === undefined ? undefined : Number(percent) };
}

function shown(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => `${Math.round(sorted[Math.ceil(share * sorted.length) - 1]!)} ms`;
  return `p50 ${at(0.5)}, p95 ${at(0.95)} (${sorted.length})`;
}
