import { join } from "node:path";
import type { TestCollection } from "#library/evaluate/mod.ts";

/** Writes a collection in BEIR layout. Creates the folder if it does not exist. */
export async function writeBeir(
  folder: string,
  { documents, queries }: Pick<TestCollection, "documents" | "queries">,
): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  const write = (name: string, lines: readonly string[]) =>
    Deno.writeTextFile(join(folder, name), lines.map((line) => `${line}\n`).join(""));
  await write(
    "corpus.jsonl",
    documents.map(({ id, title, text }) => JSON.stringify({ _id: id, title, text })),
  );
  await write("queries.jsonl", queries.map(({ id, text }) => JSON.stringify({ _id: id, text })));
  await write("qrels.tsv", [
    "query-id\tcorpus-id\tscore",
    ...queries.flatMap(({ id, targets }) =>
      targets.map(({ document, gain }) => `${id}\t${document}\t${gain}`)
    ),
  ]);
}
