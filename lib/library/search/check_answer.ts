/**
 * Checks what an answer says against passages: texts, chunks by their ids with their neighbours, or the best hits of a search.
 */
import { basename, extname, join, sep } from "node:path";
import { UserError } from "#foundation/errors.ts";
import { present } from "#foundation/present.ts";
import type { Evidence } from "#engine/support/mod.ts";
import { MAX_QUERY_CHARS } from "#foundation/constants.ts";
import type { Hit, Library, ModelCheckedSentence } from "./types.ts";
import type { ChunkContext } from "./catalog/types.ts";

/** UTF-16 units of an answer, number of texts or ids, and UTF-16 units of all passages together. */
export const CHECK_LIMITS = { answer: 20_000, passages: 50, text: 200_000 } as const;

/** Passages of a search that an answer is checked against. */
const HITS = 10;

/** An answer, and what it is checked against. Without texts, chunks and hits, a search for the question gives the passages. */
export interface CheckRequest {
  readonly answer: string;
  readonly passages?: readonly GivenPassage[] | undefined;
  readonly chunkIds?: readonly string[] | undefined;
  /** Hits of a search that was made before. */
  readonly hits?: readonly Hit[] | undefined;
  /** Default: the answer itself. */
  readonly question?: string | undefined;
  /** As in a search. */
  readonly collections?: string | undefined;
}

/** A text that a caller gives. */
export interface GivenPassage {
  readonly text: string;
  /** The file that it is the text of. */
  readonly filePath?: string;
}

/** The place of a quoted sentence. */
export interface QuotedPlace {
  /** Number of the given passage, from 1. Absent for chunks and hits. */
  readonly passage?: number;
  readonly filePath?: string;
  readonly chunkId?: string;
  /** Lines of the file or of the given text, from 1. */
  readonly startLine: number;
  readonly endLine: number;
  readonly page?: number;
}

/** A sentence of an answer with its verdict, the sentence of a passage that has most of it, and the place of that sentence. */
export interface AnswerSentence extends Omit<ModelCheckedSentence, "evidence"> {
  readonly quote?: string;
  readonly source?: QuotedPlace;
}

/** The result of {@linkcode checkAnswer}. */
export interface CheckedAnswer {
  readonly sentences: readonly AnswerSentence[];
  /** Number of passages that it was checked against. */
  readonly passages: number;
  /** Id of the language model that was asked as well. */
  readonly model?: string;
  /** Ids that no served document has. */
  readonly unknownChunks: readonly string[];
  /** Remarks of the search, and why a model has not judged. */
  readonly notices: readonly string[];
}

/** A passage with a first line that names its file and its headings: "It was opened in 2008" is about what the heading names. */
interface Passage {
  readonly text: string;
  /** Where the text of the file begins, in UTF-16 units. */
  readonly start: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly place: (start: number) => Omit<QuotedPlace, "startLine" | "endLine">;
}

/**
 * Checks an answer sentence by sentence. Throws `UserError` `check_answer_empty`, `check_answer_too_long`, `check_too_many_passages`,
 * `check_passages_too_long`, `chunk_not_found` if no id is known, and what a search throws.
 */
export async function checkAnswer(
  library: Pick<Library, "search" | "catalog" | "checkSupport"> & Partial<Pick<Library, "roots">>,
  request: CheckRequest,
  signal?: AbortSignal,
): Promise<CheckedAnswer> {
  const { answer, passages: given = [], chunkIds = [], hits } = request;
  if (answer.trim() === "") throw new UserError("check_answer_empty");
  if (answer.length > CHECK_LIMITS.answer) {
    throw new UserError("check_answer_too_long", { length: answer.length, limit: CHECK_LIMITS.answer });
  }
  const ids = [...new Set(chunkIds.map((id) => id.trim()).filter((id) => id !== ""))];
  if (given.length + ids.length > CHECK_LIMITS.passages) {
    const count = given.length + ids.length;
    throw new UserError("check_too_many_passages", { count, limit: CHECK_LIMITS.passages });
  }
  const length = given.reduce((sum, { text }) => sum + text.length, 0);
  if (length > CHECK_LIMITS.text) {
    throw new UserError("check_passages_too_long", { length, limit: CHECK_LIMITS.text });
  }
  const isGiven = given.length + ids.length > 0 || hits !== undefined;
  const chunks = await chunksOf(library, ids, signal);
  const unknownChunks = ids.filter((_, i) => chunks[i] === undefined);
  if (given.length === 0 && ids.length > 0 && unknownChunks.length === ids.length) {
    throw new UserError("chunk_not_found", { chunk: unknownChunks.join(", ") });
  }
  const found = isGiven ? undefined : await library.search(
    present({
      query: request.question?.trim() || questionOf(answer),
      collections: request.collections,
      topK: HITS,
    }),
    signal,
  );
  const passages = [
    ...given.map(givenPassage),
    ...chunks.flatMap((chunk) => chunk === undefined ? [] : [chunkPassage(chunk)]),
    ...(hits ?? found?.hits ?? []).map(hitPassage),
  ];
  signal?.throwIfAborted();
  const paths = [...chunks, ...found?.hits ?? []].map((each) =>
    each === undefined ? "" : "path" in each ? each.path : each.filePath
  );
  // Each sentence of `ask` comes with hits: its model has written it, and does not judge it.
  const roots = hits === undefined ? rootsOf(library.roots ?? [], paths, given.length > 0) : undefined;
  const checked = await library.checkSupport(answer, passages.map(({ text }) => text), { signal, roots });
  return present({
    sentences: checked.sentences.map(({ evidence, ...sentence }) =>
      evidence === undefined ? sentence : { ...sentence, ...quoted(passages[evidence.passage]!, evidence) }
    ),
    passages: passages.length,
    model: checked.model,
    unknownChunks,
    notices: [...found?.notices ?? [], ...checked.notices],
  });
}

/** Returns the folders whose texts are sent to a model: those of the paths, all for texts that a caller gives. */
function rootsOf(roots: readonly string[], paths: readonly string[], isGiven: boolean): readonly string[] {
  const has = (root: string) => paths.some((path) => path === root || path.startsWith(join(root, sep)));
  return roots.filter((root) => isGiven || has(root));
}

/** An answer as a question: without marks that a search would take as operators. */
function questionOf(answer: string): string {
  const plain = answer.slice(0, MAX_QUERY_CHARS).replace(/[^\p{L}\p{M}\p{N}\s.,'%]+/gu, " ");
  return plain.replace(/\b(?:AND|OR|NOT|NEAR)\b/g, (word) => word.toLowerCase()).replace(/\s+/g, " ").trim();
}

/** The chunks of ids with their neighbours, since a hit may be of several chunks; `undefined` for an unknown id. */
async function chunksOf(
  library: Pick<Library, "catalog">,
  ids: readonly string[],
  signal: AbortSignal | undefined,
): Promise<(ChunkContext | undefined)[]> {
  if (ids.length === 0) return [];
  const catalog = await library.catalog();
  const chunks: (ChunkContext | undefined)[] = [];
  for (const id of ids) {
    chunks.push(
      await catalog.chunkContext(id, 1, 1, signal).catch((error) => {
        if (error instanceof UserError && error.key === "chunk_not_found") return undefined;
        throw error;
      }),
    );
  }
  return chunks;
}

function givenPassage({ text, filePath }: GivenPassage, i: number): Passage {
  const place = filePath === undefined ? { passage: i + 1 } : { filePath };
  return { text, start: 0, startLine: 1, endLine: Infinity, place: () => place };
}

function chunkPassage(
  { path, section, text, startLine, endLine, page, chunks }: ChunkContext,
): Passage {
  const head = headOf(path, section);
  const chunkAt = (start: number) => chunks.find(({ end }) => start < head.length + end) ?? chunks.at(-1)!;
  return {
    text: head + text,
    // The text may begin with the head of a table, which stands elsewhere.
    start: head.length + chunks[0]!.start,
    startLine,
    endLine,
    place: (start) => present({ filePath: path, chunkId: chunkAt(start).chunkId, page }),
  };
}

function hitPassage({ filePath, chunkId, section, content, startLine, endLine, page }: Hit): Passage {
  const head = headOf(filePath, section);
  const place = present({ filePath, chunkId, page });
  return { text: head + content, start: head.length, startLine, endLine, place: () => place };
}

function headOf(path: string, section: readonly string[]): string {
  return `${basename(path, extname(path)).replaceAll("_", " ")} ${section.join(" ")}`.replace(/\s+/g, " ") +
    "\n";
}

function quoted(
  { text, start, startLine, endLine, place }: Passage,
  evidence: Evidence,
): Pick<Required<AnswerSentence>, "quote" | "source"> {
  const linesIn = (from: number, to: number) => text.slice(from, to).split("\n").length - 1;
  const first = Math.min(endLine, startLine + (evidence.start > start ? linesIn(start, evidence.start) : 0));
  const last = Math.min(endLine, first + linesIn(evidence.start, evidence.end));
  return {
    quote: evidence.quote,
    source: { ...place(evidence.start), startLine: first, endLine: last },
  };
}
