import { join } from "node:path";

/** A test collection in BEIR's layout. */
export interface Collection {
  readonly documents: readonly { readonly id: string; readonly title: string; readonly text: string }[];
  /** Queries that have judgements, with them: document id -> gain. */
  readonly queries: readonly { readonly text: string; readonly judgements: ReadonlyMap<string, number> }[];
}

/** Reads `corpus.jsonl`, `queries.jsonl` and `qrels.tsv` of a folder. */
export async function readCollection(folder: string): Promise<Collection> {
  const lines = async (name: string) =>
    (await Deno.readTextFile(join(folder, name))).split("\n").filter((line) => line.trim() !== "");
  const judgements = new Map<string, Map<string, number>>();
  for (const line of await lines("qrels.tsv")) {
    const [query, document, gain] = line.split("\t");
    if (query === undefined || document === undefined || Number.isNaN(Number(gain))) continue;
    let ofQuery = judgements.get(query);
    if (ofQuery === undefined) judgements.set(query, ofQuery = new Map());
    ofQuery.set(document, Number(gain));
  }
  return {
    documents: (await lines("corpus.jsonl")).map((line) => {
      const { _id, title, text } = JSON.parse(line);
      return { id: _id, title: title ?? "", text };
    }),
    queries: (await lines("queries.jsonl")).map((line) => JSON.parse(line)).flatMap(({ _id, text }) => {
      const ofQuery = judgements.get(_id);
      return ofQuery === undefined ? [] : [{ text, judgements: ofQuery }];
    }),
  };
}
