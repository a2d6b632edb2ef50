import { basename, join, resolve } from "node:path";
import { UsageError } from "../errors.ts";
import { statNamed } from "../sandbox/mod.ts";
import { jsonLines, textLines } from "./lines.ts";
import type { JudgedQuery, Target, TestCollection, TestDocument } from "./types.ts";

const QRELS = ["qrels.tsv", join("qrels", "test.tsv")];

/**
 * Reads a folder in BEIR layout: `corpus.jsonl` (`_id`, `title`, `text`), `queries.jsonl` (`_id`, `text`) and
 * `qrels.tsv` or `qrels/test.tsv` (query, document, gain). Queries without judgements are left out. Throws
 * `UsageError` `eval_not_beir`, `eval_unreadable`, `eval_not_json`, `eval_bad_line`, `eval_twice`,
 * `eval_no_queries`.
 */
export async function readBeir(folder: string): Promise<TestCollection> {
  const qrels = await firstFile(folder, QRELS);
  const corpus = await firstFile(folder, ["corpus.jsonl"]);
  const asked = await firstFile(folder, ["queries.jsonl"]);
  const targets = await readQrels(qrels);
  const documents: TestDocument[] = [];
  for await (const { id, text, title } of records(corpus)) documents.push({ id, title, text });
  const queries: JudgedQuery[] = [];
  for await (const { id, text } of records(asked)) {
    const ofQuery = targets.get(id);
    if (ofQuery !== undefined) queries.push({ id, text, targets: [...ofQuery.values()] });
  }
  if (queries.length === 0) throw new UsageError("eval_no_queries", { path: folder });
  return { name: basename(resolve(folder)), unit: "file", documents, queries };
}

async function firstFile(folder: string, names: readonly string[]): Promise<string> {
  for (const name of names) {
    const path = join(folder, name);
    if ((await statNamed(path).catch(() => undefined))?.isFile) return path;
  }
  throw new UsageError("eval_not_beir", { path: folder, file: names[0]! });
}

async function* records(path: string): AsyncGenerator<{ id: string; title: string; text: string }> {
  const seen = new Set<string>();
  for await (const { line, value } of jsonLines(path)) {
    const { _id, text, title } = value;
    if ((typeof _id !== "string" && typeof _id !== "number") || typeof text !== "string") {
      throw new UsageError("eval_bad_line", { path, line, expected: '{"_id": "…", "text": "…"}' });
    }
    const id = String(_id);
    if (seen.has(id)) throw new UsageError("eval_twice", { path, line, id });
    seen.add(id);
    yield { id, text, title: typeof title === "string" ? title : "" };
  }
}

/** Reads the targets of each query: query id -> document id -> target. */
async function readQrels(path: string): Promise<Map<string, Map<string, Target>>> {
  const targets = new Map<string, Map<string, Target>>();
  let header = true;
  for await (const { line, text } of textLines(path)) {
    const [query = "", document = "", gain = "", ...more] = text.split("\t").map((field) => field.trim());
    const complete = query !== "" && document !== "" && gain !== "" && more.length === 0;
    if (complete && Number.isFinite(Number(gain))) {
      let ofQuery = targets.get(query);
      if (ofQuery === undefined) targets.set(query, ofQuery = new Map());
      if (ofQuery.has(document)) {
        throw new UsageError("eval_twice", { path, line, id: `${query} ${document}` });
      }
      ofQuery.set(document, { document, gain: Number(gain) });
    } else if (!complete || !header) {
      throw new UsageError("eval_bad_line", { path, line, expected: "query-id <TAB> corpus-id <TAB> score" });
    }
    header = false;
  }
  return targets;
}
