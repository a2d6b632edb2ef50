/** The calls of the page Search. */
import { Hono } from "hono/tiny";
import * as z from "zod";
import { MAX_QUERY_CHARS } from "#foundation/constants.ts";
import { UserError } from "#foundation/errors.ts";
import { logSearch } from "#foundation/log.ts";
import { present } from "#foundation/present.ts";
import { type Language, languageOfText } from "#foundation/messages/mod.ts";
import { hitCitation } from "#library/answer/mod.ts";
import type { Hit, Library, OtherLocation, SearchAnswer, SearchRequest } from "#library/search/mod.ts";
import { bodyOf, languageOf, linesOf, placeIn } from "../answers.ts";
import { HIT_OFFSET, HITS, SEARCH_SETTINGS, TEXT } from "../forms.ts";
import type { PagesParts } from "../parts.ts";
import type { AskLine, SearchCall, SearchResult, WireHit, WirePlace } from "../wire/search.ts";

/** The form of a call. */
export const SEARCH_CALL = z.object({
  query: z.string().max(MAX_QUERY_CHARS),
  ...SEARCH_SETTINGS,
  offset: HIT_OFFSET,
  firstTopK: HITS,
  collections: TEXT.optional(),
  filters: z.object({
    path: TEXT.optional(),
    type: TEXT.optional(),
    lang: TEXT.optional(),
    after: TEXT.optional(),
    before: TEXT.optional(),
    tags: z.array(TEXT).max(100).optional(),
  }).optional(),
});

export function searchRoutes({ library, log, answering }: PagesParts): Hono {
  return new Hono().post("/query", async (c) => {
    const call = await bodyOf(c, SEARCH_CALL);
    const answer = await library.search(requestOf(present(call) as SearchCall), c.req.raw.signal);
    logSearch(log, call.query, answer);
    return c.json(searchResult(answer, library, { language: languageOf(c), before: call.offset ?? 0 }));
  }).post("/ask", async (c) => {
    const call = requestOf(present(await bodyOf(c, SEARCH_CALL)) as SearchCall);
    if (answering === undefined) throw new UserError("ask_no_model");
    const { ask, askRemarks, askSummary, behindText } = await import("#library/ask/mod.ts");
    const spoken = languageOf(c);
    return linesOf<AskLine>(c, log, async (send, signal) => {
      const question = languageOfText(call.query);
      const { offset: _, firstTopK: _first, history: _history, ...request } = call;
      const asked = await ask(request, {
        ...answering,
        library,
        signal,
        onAsking: (model, passages) => void send({ kind: "asking", model, passages }).catch(() => {}),
        onSentence: (sentence) => {
          const { before, text, verdict, citations } = sentence;
          const { mark, after } = behindText(sentence, question);
          return send(present({ kind: "sentence" as const, before, text, after, verdict, mark, citations }));
        },
      });
      const { status, hits, model, seconds } = asked;
      log.info("ask", { status, passages: hits.length, ...asked.usage });
      await send(present({
        kind: "end" as const,
        status,
        summary: askSummary(asked, spoken),
        remarks: askRemarks(asked),
        hits: hits.map((hit, i) => wireHit(hit, library, hitCitation(hit, i + 1, spoken))),
        model,
        seconds: seconds.total,
      }));
    });
  });
}

/** The library's request for a call. Throws `UserError` `empty_query`. */
export function requestOf({ filters = {}, ...call }: SearchCall): SearchRequest {
  if (call.query.trim() === "") throw new UserError("empty_query");
  const { tags = [], ...others } = filters;
  return {
    ...call,
    filters: { ...others, ...(tags.length > 0 && { json: { tags: { all: tags } } }) },
    marks: true,
  };
}

/** An answer as the pages show it. */
export function searchResult(
  answer: SearchAnswer,
  library: Pick<Library, "collections">,
  /** The language of the citations, and the number of hits before these. */
  { language, before = 0 }: { readonly language: Language; readonly before?: number },
): SearchResult {
  const { hits, seconds, notices, freshness, leftOut = [], lowerDegree = 0 } = answer;
  return {
    hits: hits.map((hit, i) => wireHit(hit, library, hitCitation(hit, before + i + 1, language))),
    seconds,
    notices,
    ...(freshness &&
      { freshness: { ...freshness, indexedAt: freshness.indexedAt.toISOString() } }),
    leftOut: leftOut.map(({ filePath: path, passages }) => ({ path, passages })),
    lowerDegree,
    suggestions: answer.suggestions ?? [],
    filterCounts: answer.filterCounts ?? [],
    more: answer.more ?? false,
  };
}

/** A hit as the pages show it. */
function wireHit(
  hit: Hit,
  { collections }: Pick<Library, "collections">,
  citation: string,
): WireHit {
  const { filePath, generated, pageStart, pageEnd = pageStart } = hit;
  return {
    ...wirePlace(hit),
    chunkId: hit.chunkId,
    ...placeIn(collections, filePath),
    score: hit.score,
    degree: hit.degree,
    content: hit.content,
    citation,
    marks: spans(hit.marks),
    section: hit.section,
    sectionMarks: hit.sectionMarks?.map(spans) ?? [],
    ...(pageStart !== undefined && { pages: [pageStart, pageEnd!] as const }),
    ...present({ rows: hit.rows, recognised: hit.recognised, outdated: hit.outdated, images: hit.images }),
    ...(generated &&
      { generated: present({ title: generated.title, summary: generated.summary }) }),
    also: hit.also?.map(wirePlace) ?? [],
  };
}

function wirePlace(place: OtherLocation): WirePlace {
  const { filePath: path, startLine, endLine, page, pageUnit, pageLabel } = place;
  return { path, startLine, endLine, ...present({ page, pageUnit, pageLabel }) };
}

function spans(marks: Hit["marks"] = []) {
  return marks.map(({ start, end }) => ({ start, end }));
}
