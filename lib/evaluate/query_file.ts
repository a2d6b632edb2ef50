import { basename, isAbsolute, posix, relative, sep } from "node:path";
import { UsageError } from "../errors.ts";
import { isRecord, jsonLines } from "./lines.ts";
import type { JudgedQuery, QuerySet, Target } from "./types.ts";

const EXPECTED =
  '{"query": "…", "files": ["a.md", …] | {"a.md": 2, …}} | {"query": "…", "spans": [{"file": "a.md", "start_line": 3, "end_line": 9, "page": 2, "section": "…"}, …]}';

/**
 * Reads judged queries about a folder of the user, one JSON object per line: `query`, and `files` (paths, or path to gain)
 * or `spans`. A span has a `file` and optionally `start_line` and `end_line`, `page` and `end_page`, `section` (a part of a
 * heading) and `gain`. A line may have an `id`. Paths are relative to `root`. Throws `UsageError` `eval_unreadable`,
 * `eval_not_json`, `eval_bad_line`, `eval_mixed` or `eval_no_queries`.
 */
export async function readQueryFile(path: string, root: string): Promise<QuerySet> {
  const queries: JudgedQuery[] = [];
  let unit: QuerySet["unit"] | undefined;
  for await (const { line, value } of jsonLines(path)) {
    const { query, files, spans, id = line } = value;
    const own: QuerySet["unit"] = spans === undefined ? "file" : "passage";
    const targets = own === "file" ? fileTargets(files, root) : spanTargets(spans, root);
    const once = files === undefined || spans === undefined;
    if (typeof query !== "string" || query.trim() === "" || targets === undefined || !once) {
      throw new UsageError("eval_bad_line", { path, line, expected: EXPECTED });
    }
    // A file counts once in a ranking, its passages may count several times, so one set cannot mix them.
    if (own !== (unit ??= own)) throw new UsageError("eval_mixed", { path, line });
    queries.push({ id: String(id), text: query, targets });
  }
  if (unit === undefined) throw new UsageError("eval_no_queries", { path });
  return { name: basename(path), unit, queries };
}

/** Returns the targets of `files`, or `undefined` if the value is not valid. */
function fileTargets(files: unknown, root: string): Target[] | undefined {
  const entries = Array.isArray(files)
    ? files.map((file): [unknown, unknown] => [file, 1])
    : isRecord(files)
    ? Object.entries(files)
    : [];
  const targets = new Map<string, Target>();
  for (const [file, gain] of entries) {
    if (typeof file !== "string" || file === "" || typeof gain !== "number") return undefined;
    const document = documentName(file, root);
    targets.set(document, { document, gain });
  }
  return targets.size === 0 ? undefined : [...targets.values()];
}

/** Returns the targets of `spans`, or `undefined` if the value is not valid. */
function spanTargets(spans: unknown, root: string): Target[] | undefined {
  if (!Array.isArray(spans) || spans.length === 0) return undefined;
  const targets: Target[] = [];
  for (const span of spans) {
    if (!isRecord(span)) return undefined;
    const { file, gain = 1, section } = span;
    if (typeof file !== "string" || file === "" || typeof gain !== "number") return undefined;
    if (section !== undefined && (typeof section !== "string" || section === "")) return undefined;
    const lines = range(span["start_line"], span["end_line"]);
    const pages = range(span["page"], span["end_page"]);
    if (lines === "wrong" || pages === "wrong") return undefined;
    targets.push({
      document: documentName(file, root),
      gain,
      ...(lines === undefined ? {} : { lines }),
      ...(pages === undefined ? {} : { pages }),
      ...(section === undefined ? {} : { section }),
    });
  }
  return targets;
}

/** Returns a range of lines or pages, `undefined` without one, or `"wrong"`. `last` defaults to `first`. */
function range(first: unknown, last: unknown = first): Target["lines"] | "wrong" {
  if (first === undefined && last === undefined) return undefined;
  return isCount(first) && isCount(last) && last >= first ? { first, last } : "wrong";
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

/** Returns a path as in the index: relative to `root`, with `/` between its parts, in Unicode's NFC. */
export function documentName(file: string, root: string): string {
  const path = (isAbsolute(file) ? relative(root, file) : file).replaceAll(sep, "/");
  return posix.normalize(path).normalize("NFC");
}
