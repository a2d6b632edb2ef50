/** Reads questions: folders in BEIR layout, and JSON lines. */
import { basename, isAbsolute, join, posix, relative, resolve, sep } from "node:path";
import { reasonOf, UsageError } from "#foundation/errors.ts";
import { present } from "#foundation/present.ts";
import type {
  AnsweredQuestion,
  AnswerSet,
  JudgedQuery,
  QuerySet,
  Target,
  TestCollection,
  TestDocument,
} from "./types.ts";
import { openNamed, statNamed } from "#foundation/boundary/mod.ts";

const EXPECTED =
  '{"question": "…", "files": ["a.md", …] | {"a.md": 2, …}} | {"question": "…", "spans": [{"file": "a.md", "start_line": 3, "end_line": 9, "page": 2, "section": "…"}, …]} | {"question": "…", "answer": "…", "passages": ["…", …], "reference": "…"}';

/** The questions of a file: about the search, about answers, or both. */
export interface QuestionFile {
  readonly name: string;
  /** The questions with the places of their answers; absent if no line has any. */
  readonly search?: QuerySet;
  /** The questions with an answer or a reference; absent if no line has one. */
  readonly answers?: AnswerSet;
  /** Number of proposed questions that nobody has accepted. They are left out. */
  readonly unaccepted: number;
}

/**
 * Reads questions, one JSON object per line: `question` (or `query`) and an optional `id`.
 * - For the search: `files` (paths, or path to gain) or `spans`. A span has a `file` and optionally `start_line` and `end_line`, `page`
 *   and `end_page`, `section` (a part of a heading) and `gain`. Paths are relative to `root`; without a folder, they stay as they are.
 * - For answers: `answer`, `reference` (a right answer), and the texts that the answer was made of: `passages`, or `chunk_ids`.
 * - `accepted: false`, as `eval draft` writes it, leaves the line out.
 *
 * Throws `UsageError` `eval_unreadable`, `eval_not_json`, `eval_bad_line`, `eval_mixed`, `eval_none_accepted` or `eval_no_queries`.
 */
export async function readQuestions(path: string, root?: string): Promise<QuestionFile> {
  return await questionsOf(jsonLines(path), path, root);
}

/** Reads the questions of a text, as {@linkcode readQuestions} reads a file of this name. Throws as it does. */
export async function parseQuestions(text: string, name: string, root?: string): Promise<QuestionFile> {
  const lines = text.split("\n").map((text, at) => ({ line: at + 1, text }));
  return await questionsOf(objectsIn(lines.filter(({ text }) => text.trim() !== ""), name), name, root);
}

async function questionsOf(
  objects: AsyncIterable<JsonLine>,
  path: string,
  root: string | undefined,
): Promise<QuestionFile> {
  const queries: JudgedQuery[] = [];
  const answers: AnsweredQuestion[] = [];
  let unit: QuerySet["unit"] | undefined;
  let unaccepted = 0;
  for await (const { line, value } of objects) {
    const { query, question = query, files, spans, accepted = true, id = line } = value;
    const own: QuerySet["unit"] = spans === undefined ? "file" : "passage";
    const isJudged = files !== undefined || spans !== undefined;
    const targets = !isJudged ? [] : own === "file" ? fileTargets(files, root) : spanTargets(spans, root);
    const text = typeof question === "string" && question.trim() !== "" ? question : undefined;
    const answered = text === undefined ? undefined : answeredQuestion(String(id), text, value);
    const once = (files === undefined || spans === undefined) && (query === undefined || query === question);
    const isComplete = isJudged || answered?.answer !== undefined || answered?.reference !== undefined;
    const isRight = targets !== undefined && answered !== undefined && once && isComplete;
    if (!isRight || typeof accepted !== "boolean") {
      throw new UsageError("eval_bad_line", { path, line, expected: EXPECTED });
    }
    if (!accepted) {
      unaccepted++;
      continue;
    }
    if (answered.answer !== undefined || answered.reference !== undefined) answers.push(answered);
    if (!isJudged) continue;
    // A file counts once in a ranking, its passages may count several times, so one set cannot mix them.
    if (own !== (unit ??= own)) throw new UsageError("eval_mixed", { path, line });
    queries.push({ id: String(id), text: answered.question, targets });
  }
  if (unit === undefined && answers.length === 0) {
    throw new UsageError(unaccepted > 0 ? "eval_none_accepted" : "eval_no_queries", { path });
  }
  const name = basename(path);
  return {
    name,
    ...(unit === undefined ? {} : { search: { name, unit, queries } }),
    ...(answers.length === 0 ? {} : { answers: { name, questions: answers } }),
    unaccepted,
  };
}

/** Returns the question with its answer and what belongs to it, `undefined` if a value is not valid. */
function answeredQuestion(
  id: string,
  question: string,
  { answer, reference, passages, chunk_ids: chunkIds }: Readonly<Record<string, unknown>>,
): AnsweredQuestion | undefined {
  const isText = (value: unknown) => value === undefined || typeof value === "string" && value.trim() !== "";
  const areTexts = (value: unknown) =>
    value === undefined || Array.isArray(value) && value.every((each) => typeof each === "string");
  if (!isText(answer) || !isText(reference) || !areTexts(passages) || !areTexts(chunkIds)) return undefined;
  if (passages !== undefined && chunkIds !== undefined) return undefined;
  return present({ id, question, answer, reference, passages, chunkIds }) as AnsweredQuestion;
}

/** Returns the targets of `files`, or `undefined` if the value is not valid. */
function fileTargets(files: unknown, root: string | undefined): Target[] | undefined {
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
function spanTargets(spans: unknown, root: string | undefined): Target[] | undefined {
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
    targets.push(present({ document: documentName(file, root), gain, lines, pages, section }));
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
export function documentName(file: string, root: string | undefined): string {
  const path = (root !== undefined && isAbsolute(file) ? relative(root, file) : file).replaceAll(sep, "/");
  return posix.normalize(path).normalize("NFC");
}

const QRELS = ["qrels.tsv", join("qrels", "test.tsv")];

/**
 * Reads a folder in BEIR layout: `corpus.jsonl` (`_id`, `title`, `text`), `queries.jsonl` (`_id`, `text`) and `qrels.tsv` or
 * `qrels/test.tsv` (query, document, gain). Queries without judgements are left out. Throws `UsageError` `eval_not_beir`,
 * `eval_unreadable`, `eval_not_json`, `eval_bad_line`, `eval_twice`, `eval_no_queries`.
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

async function* records(path: string): AsyncGenerator<TestDocument> {
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
      const ofQuery = targets.get(query) ?? new Map<string, Target>();
      if (ofQuery.has(document)) {
        throw new UsageError("eval_twice", { path, line, id: `${query} ${document}` });
      }
      targets.set(query, ofQuery.set(document, { document, gain: Number(gain) }));
    } else if (!complete || !header) {
      throw new UsageError("eval_bad_line", { path, line, expected: "query-id <TAB> corpus-id <TAB> score" });
    }
    header = false;
  }
  return targets;
}

/**
 * Yields the objects of a JSONL file, with the numbers of their lines, counted from 1. Blank lines are skipped. Throws `UsageError` `eval_not_json` or `eval_bad_line` for a
 * line that is not a JSON object, and the errors of {@linkcode textLines}.
 */
export function jsonLines(path: string): AsyncGenerator<JsonLine> {
  return objectsIn(textLines(path), path);
}

/** An object with the number of its line. */
interface JsonLine {
  readonly line: number;
  readonly value: Readonly<Record<string, unknown>>;
}

async function* objectsIn(
  lines: AsyncIterable<TextLine> | Iterable<TextLine>,
  path: string,
): AsyncGenerator<JsonLine> {
  for await (const { line, text } of lines) {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      throw new UsageError("eval_not_json", { path, line, reason: reasonOf(error) }, { cause: error });
    }
    if (!isRecord(value)) throw new UsageError("eval_bad_line", { path, line, expected: "{…}" });
    yield { line, value };
  }
}

interface TextLine {
  readonly line: number;
  readonly text: string;
}

/** Whether a JSON value is an object. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Yields the lines of a UTF-8 file that are not blank, without their line ends. Only line feeds end a line, because a JSON
 * string may contain U+2028. Throws `UsageError` `eval_unreadable`.
 */
async function* textLines(path: string): AsyncGenerator<TextLine> {
  try {
    using file = await openNamed(path);
    const decoder = new TextDecoder("utf-8", { fatal: true });
    const buffer = new Uint8Array(1 << 16);
    let rest = "";
    let line = 0;
    for (let size = await file.read(buffer);; size = await file.read(buffer)) {
      const text = decoder.decode(buffer.subarray(0, size ?? 0), { stream: size !== null });
      const lines = (rest + text).split("\n");
      rest = size === null ? "" : lines.pop()!;
      for (const text of lines) {
        line++;
        if (text.trim() !== "") yield { line, text };
      }
      if (size === null) return;
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError("eval_unreadable", { path, reason: reasonOf(error) }, { cause: error });
  }
}
