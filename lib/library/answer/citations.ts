/**
 * The answer of a search as numbered citations, for clients that show where a statement comes from.
 * Below: errors in words that say what to do, with what a client sent shortened.
 */
import { basename } from "node:path";
import * as z from "zod";
import { type Language, message } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import type { Hit } from "#library/search/mod.ts";
import type { TextAnswer } from "./shape.ts";
import {
  bestRowOf,
  freshnessData,
  pageData,
  quotesNothing,
  type ShownHits,
  shownHitsText,
} from "./search_answer.ts";
import { imageRefs } from "./pictures.ts";
import { untrusted } from "./quoted.ts";
import { UserError } from "#foundation/errors.ts";

/** Shape of `data` in the answers with citations, as far as it is declared: a client may give the schema to a model. */
export const CITATIONS_DATA = z.looseObject({
  answer: z.string(),
  citations: z.array(z.looseObject({ id: z.int(), source: z.string(), text: z.string(), score: z.number() })),
});

/**
 * A search's answer as numbered citations, `[1]` for the best, with `answer`, the passages in this order under their numbers. The text is
 * that of `search_rag`.
 */
export function citationsAnswer(
  shown: ShownHits,
  language: Language,
): TextAnswer<z.output<typeof CITATIONS_DATA>> {
  const { hits, freshness, leftOut, suggestions, notices } = shown.found;
  const data = present({
    answer: hits.map(({ content }, i) => `[${i + 1}] ${content}`).join("\n\n"),
    citations: hits.map(citationData),
    freshness: freshness && freshnessData(freshness),
    left_out: leftOut?.map(({ filePath, passages }) => ({ source: filePath, passages })),
    suggestions,
    next_cursor: shown.cursor,
    notices: notices.length > 0 ? notices : undefined,
  });
  return {
    code: 200,
    message: message(language, hits.length === 0 ? "no_match" : "search_ok"),
    data: quotesNothing(shown.found) ? data : untrusted(data, language),
    text: shownHitsText(shown, language),
  };
}

/** The data of a passage, the `i`-th from 0, as a numbered citation. */
export function citationData(hit: Hit, i: number) {
  return present({
    id: i + 1,
    source: hit.filePath,
    title: hit.section[0] ?? basename(hit.filePath),
    ...pageData(hit),
    lines: `${hit.startLine}-${hit.endLine}`,
    rows: hit.rows?.join("-"),
    best_row: bestRowOf(hit),
    section: hit.section.length > 0 ? hit.section.join(" > ") : undefined,
    text: hit.content,
    degree: hit.degree,
    score: unitScore(hit.score),
    chunk_id: hit.chunkId,
    recognised: hit.recognised,
    image_refs: imageRefs(hit.filePath, hit),
    also_in: hit.also?.map(({ filePath, startLine, endLine, page }) =>
      present({ source: filePath, lines: `${startLine}-${endLine}`, page })
    ),
    outdated: hit.outdated,
    truncated: hit.truncated,
  });
}

/**
 * A score of the ranking, which has no upper bound, as a number from 0 to 1 in the same order: 1 − e^(−score). It depends on the hit alone,
 * so that further answers of a search continue the list.
 */
function unitScore(score: number): number {
  return Math.round((1 - Math.exp(-Math.max(0, score))) * 10_000) / 10_000;
}

/**
 * Lines that follow the message of an error and say what to do. The contract fixes the words of some messages, so that they
 * cannot name the folder to process, the tool to use instead, or the need for a restart. `read`: name of the tool that reads documents, if the client has it.
 */
export async function hintsOf(error: unknown, language: Language, read?: string): Promise<string[]> {
  if (!(error instanceof UserError)) return [];
  const { added, elsewhere, gone, path, problem, updating } = error.params;
  const hints: string[] = [];
  if (error.key === "index_not_ready") {
    if (gone) hints.push(message(language, "folder_gone", { path: gone }));
    else if (updating) hints.push(String(updating));
    else if (path) {
      const missing = elsewhere ? "index_missing_elsewhere" : "cli_index_missing_hint";
      hints.push(message(language, problem ? "cli_index_damaged_hint" : missing, error.params));
    }
  }
  if (error.key === "not_text" && path && read !== undefined) {
    // Imported here so that a server does not start later because of it.
    const format = (await import("#documents/mod.ts")).formatByName(String(path));
    if (format !== undefined) hints.push(message(language, "read_document_instead", { format, read }));
  }
  if (added) hints.push(message(language, "folders_added", { path: added }));
  return hints;
}

/**
 * The message of an error. The contract's words about permissions are for files that the system refuses: for a path outside of the served
 * folders they would send the reader to look at settings that have nothing to do with it.
 */
export function errorMessage({ key, params }: UserError, language: Language): string {
  const { served, path, reason } = params;
  if (key === "no_permission" && served) return message(language, "file_not_served", { served });
  if (key === "no_permission" && reason) {
    return message(language, "file_left_out", { path: shortened(String(path)) });
  }
  const isOwn = (name: string, value: string | number) => OWN_TEXTS.has(name) || typeof value === "number";
  const shown = Object.entries(params)
    .map(([name, value]) => [name, isOwn(name, value) ? value : shortened(String(value))]);
  return message(language, key, Object.fromEntries(shown));
}

/** Parameters that the program has put together. The others may repeat what a client has sent. */
const OWN_TEXTS: ReadonlySet<string> = new Set(["known", "problems", "served", "updating"]);

/** UTF-16 units of a client's text in a message, which some answers hold twice. */
const MAX_SHOWN_CHARS = 500;

/** The beginning of a text that a client has sent, and the length of the whole; a short text as it is. */
export function shortened(text: string): string {
  if (text.length <= MAX_SHOWN_CHARS) return text;
  return `${text.slice(0, MAX_SHOWN_CHARS).toWellFormed()}… (${text.length})`;
}

/** The message of an error and its hints ({@linkcode hintsOf}) as one line, where an answer has no place for several. */
export async function errorLine(error: UserError, language: Language, read?: string): Promise<string> {
  const lines = [errorMessage(error, language), ...await hintsOf(error, language, read)];
  return lines.join(language === "zh" ? "。" : ". ");
}
