import { basename } from "node:path";
import * as z from "zod";
import { type Language, message } from "../messages.ts";
import type { Hit } from "../search/mod.ts";
import type { TextAnswer } from "./answer.ts";
import { freshnessData, pageData } from "./search_result.ts";
import { type ShownHits, shownHitsText } from "./search_text.ts";
import { untrusted } from "./untrusted.ts";

const CITATION = z.looseObject({
  id: z.int(),
  source: z.string(),
  lines: z.string(),
  text: z.string(),
  score: z.number(),
  chunk_id: z.string(),
});

/** Shape of `data` in the answers with citations, as far as it is declared: a client may give the schema to a model. */
export const CITATIONS_DATA = z.looseObject({
  answer: z.string(),
  citations: z.array(z.looseObject({ id: z.int(), source: z.string(), text: z.string(), score: z.number() })),
});

type CitationsData = z.output<typeof CITATIONS_DATA> & {
  readonly citations: readonly z.output<typeof CITATION>[];
};

/**
 * A search's answer as numbered citations, `[1]` for the best, with `answer`, the passages in this order under their numbers. The text is
 * that of `search_rag`.
 */
export function citationsAnswer(
  shown: ShownHits,
  language: Language,
): TextAnswer<CitationsData> {
  const { found, cursor } = shown;
  const data = {
    answer: found.hits.map(({ content }, i) => `[${i + 1}] ${content}`).join("\n\n"),
    citations: found.hits.map(citation),
    ...(found.freshness !== undefined && { freshness: freshnessData(found.freshness) }),
    ...(found.leftOut !== undefined && {
      left_out: found.leftOut.map(({ filePath, passages }) => ({ source: filePath, passages })),
    }),
    ...(found.suggestions !== undefined && { suggestions: [...found.suggestions] }),
    ...(cursor !== undefined && { next_cursor: cursor }),
    ...(found.notices.length > 0 && { notices: [...found.notices] }),
  };
  return {
    code: 200,
    message: message(language, found.hits.length === 0 ? "no_match" : "search_ok"),
    data: found.hits.length === 0 && found.notices.length === 0 ? data : untrusted(data, language),
    text: shownHitsText(shown, language),
  };
}

function citation(hit: Hit, i: number): z.output<typeof CITATION> {
  return {
    id: i + 1,
    source: hit.filePath,
    title: hit.section[0] ?? basename(hit.filePath),
    ...pageData(hit),
    lines: `${hit.startLine}-${hit.endLine}`,
    ...(hit.section.length > 0 && { section: hit.section.join(" > ") }),
    text: hit.content,
    degree: hit.degree,
    score: unitScore(hit.score),
    chunk_id: hit.chunkId,
    ...(hit.recognised && { recognised: true }),
    ...(hit.also !== undefined && {
      also_in: hit.also.map(({ filePath, startLine, endLine, page }) => ({
        source: filePath,
        lines: `${startLine}-${endLine}`,
        ...(page !== undefined && { page }),
      })),
    }),
    ...(hit.outdated && { outdated: true }),
    ...(hit.truncated && { truncated: true }),
  };
}

/**
 * A score of the ranking, which has no upper bound, as a number from 0 to 1 in the same order: 1 − e^(−score). It depends on the hit alone,
 * so that further answers of a search continue the list.
 */
function unitScore(score: number): number {
  return Math.round((1 - Math.exp(-Math.max(0, score))) * 10_000) / 10_000;
}
