import { dirname, join } from "node:path";

/** Creates a temporary folder with these files (path to text). Disposing of it removes it. */
export async function folderWith(
  files: Readonly<Record<string, string>>,
): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: "muxue_rag_evaluate_" }));
  for (const [name, text] of Object.entries(files)) {
    await Deno.mkdir(dirname(join(path, name)), { recursive: true });
    await Deno.writeTextFile(join(path, name), text);
  }
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** Returns values as JSONL. */
export function jsonl(...values: unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

/** A small test collection in BEIR layout: file name to text. */
export const TINY: Readonly<Record<string, string>> = {
  "corpus.jsonl": jsonl(
    { _id: "soup", title: "Tomato soup", text: "Cook the tomatoes with onions and basil." },
    { _id: "backup", title: "Backup", text: "Copy all the data to a disk every week." },
    { _id: "灯塔", title: "灯塔", text: "灯塔每天夜里为船只指路。" },
  ),
  "queries.jsonl": jsonl(
    { _id: "q1", text: "tomato soup with basil" },
    { _id: "q2", text: "夜里谁为船只指路？" },
    { _id: "q3", text: "zeppelin" },
    { _id: "unjudged", text: "data" },
  ),
  "qrels.tsv": "query-id\tcorpus-id\tscore\nq1\tsoup\t2\nq2\t灯塔\t1\nq3\tbackup\t1\n",
};
