// deno-lint-ignore-file no-console -- a script speaks to its terminal
/**
 * nDCG@10 of the program itself: each collection becomes a folder of files, the command line indexes it, and every query
 * goes through an MCP client to the running server.
 *
 * `deno task eval FOLDER…` — folders in BEIR layout (corpus.jsonl, queries.jsonl, qrels.tsv)
 */
import { basename, dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { readCollection } from "./eval/beir.ts";
import { ndcg } from "./eval/ndcg.ts";

const K = 10;

interface Answer {
  readonly code: number;
  readonly message: string;
  readonly data: { readonly match_content: readonly { readonly file_path: string }[] } | null;
}
const main = join(import.meta.dirname!, "..", "main.ts");
const program = ["run", "--quiet", "--no-prompt", "-R", "-W", "-E", "-S", main];

async function evaluate(folder: string, work: string): Promise<Record<string, string | number>> {
  const { documents, queries } = await readCollection(folder);
  const dir = join(work, basename(folder));
  await Deno.mkdir(dir);
  for (const [i, { title, text }] of documents.entries()) {
    // a file's name is searched as well, the folder it is in is not
    await Deno.mkdir(join(dir, String(i)));
    await Deno.writeTextFile(
      join(dir, String(i), "document.md"),
      title === "" ? text : `# ${title}\n\n${text}`,
    );
  }
  const env = {
    MUXUE_RAG_STATE_DIR: join(work, "state"),
    MUXUE_RAG_CONFIG_DIR: join(work, "config"),
    MUXUE_RAG_SEARCH_PER_DOC_LIMIT: "1",
    MUXUE_RAG_SEARCH_MAX_CHARS: "1000000",
  };
  const began = performance.now();
  const indexed = await new Deno.Command(Deno.execPath(), {
    args: [...program, "--dir", dir, "--quiet"],
    // no config.yaml of wherever this is called from
    cwd: work,
    env,
  }).output();
  if (!indexed.success) throw new Error(new TextDecoder().decode(indexed.stderr));
  const indexSeconds = (performance.now() - began) / 1000;

  const client = new Client({ name: "eval", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: Deno.execPath(),
      args: [...program, "serve", "--dir", dir],
      cwd: work,
      env: { ...Deno.env.toObject(), ...env },
    }),
  );
  let sum = 0;
  const times: number[] = [];
  for (const { text, judgements } of queries) {
    const start = performance.now();
    const result = await client.callTool({ name: "search_rag", arguments: { keyword: text, top_k: K } });
    times.push(performance.now() - start);
    const { code, message, data } = result.structuredContent as Answer;
    // an empty query cannot be asked; anything else that fails must not pass for a bad ranking
    if (code !== 200 && text.trim() !== "") throw new Error(`${message}: ${text}`);
    const ranking = (data?.match_content ?? []).map(({ file_path }) =>
      documents[Number(basename(dirname(file_path)))]!.id
    );
    sum += ndcg(ranking, judgements, K);
  }
  await client.close();
  times.sort((a, b) => a - b);
  return {
    set: basename(folder),
    documents: documents.length,
    queries: queries.length,
    [`nDCG@${K}`]: (sum / queries.length).toFixed(4),
    "index s": indexSeconds.toFixed(2),
    "call p50 ms": times[times.length >> 1]!.toFixed(2),
  };
}

if (Deno.args.length === 0) {
  console.error("usage: deno task eval FOLDER…   (corpus.jsonl, queries.jsonl, qrels.tsv in each)");
  Deno.exit(2);
}
const work = await Deno.realPath(await Deno.makeTempDir({ prefix: "muxue_rag-eval-" }));
try {
  for (const [i, folder] of Deno.args.entries()) {
    const row = await evaluate(folder, work);
    if (i === 0) {
      console.log(`| ${Object.keys(row).join(" | ")} |\n|${"---|".repeat(Object.keys(row).length)}`);
    }
    console.log(`| ${Object.values(row).join(" | ")} |`);
  }
} finally {
  await Deno.remove(work, { recursive: true });
}
