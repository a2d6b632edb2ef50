/**
 * Explanations of a ranking: as data, as a text, and briefly.
 */
import * as z from "zod";
import { type Language, message, printable } from "#foundation/messages/mod.ts";
import type { ExplainedChunk, Explanation, SearchAnswer, SearchMode, WordPair } from "#library/search/mod.ts";
import { type Answer, type AnswerLimit, sentTokens, type TextAnswer } from "./shape.ts";
import { quotedAnswer, UNTRUSTED, untrusted } from "./quoted.ts";
import { quotedNotice } from "./search_answer.ts";

type QueryTerm = Explanation["terms"][number];

/** Chunks in each list of an explanation; lower ranks explain nothing. */
const MAX_LISTED = 20;

/** One chunk in an explanation. */
interface ExplainedData {
  readonly rank: number;
  readonly "file_path": string;
  readonly "chunk_id": string;
  readonly "start_line": number;
  readonly "end_line": number;
  /** Absent for chunks that are not in the answer. */
  readonly "total_lines"?: number;
  readonly section?: readonly string[];
  readonly page?: number;
  readonly score: number;
  /** Absent unless a reranker has judged the best candidates. Without `rank_before`, it did not judge this one. */
  readonly rerank?: { readonly "rank_before"?: number; readonly "score_before": number };
  readonly "found_by": ExplainedChunk["foundBy"];
  readonly outcome: ExplainedChunk["outcome"];
  readonly reason: string;
  /** Value, share of the score, and rank in its list, by the name of the leg. */
  readonly legs: Readonly<Record<string, LegData>>;
  /** Absent in keyword mode. */
  readonly evidence?: Evidence;
  readonly "word_pairs"?: readonly WordPair[];
}

interface LegData {
  readonly value: number;
  readonly share: number;
  readonly rank?: number;
}

/** `data` of an explanation. */
interface ExplanationData {
  readonly query: {
    readonly terms: readonly QueryTerm[];
    readonly phrases: readonly string[];
    readonly excluded: readonly string[];
  };
  readonly mode: SearchMode;
  readonly fusion?: string;
  readonly model?: string;
  readonly reranker?: Explanation["reranker"];
  readonly weights: Readonly<Record<string, number>>;
  readonly "final_results": readonly ExplainedData[];
  readonly "fts_only_hits": readonly ExplainedData[];
  readonly "vec_only_hits": readonly ExplainedData[];
  readonly "intersection_hits": readonly ExplainedData[];
  readonly stats: {
    readonly "fts_candidates": number;
    readonly "vec_candidates": number;
    readonly "intersection_count": number;
    readonly "cost_time": number;
  };
  readonly notices?: readonly string[];
}

/**
 * The explanation of a search, as `search --explain --json` prints it. The search must have been asked to explain its
 * answer.
 */
export function explanationResult(answer: SearchAnswer, language: Language): Answer<ExplanationData> {
  return {
    code: 200,
    message: message(language, answer.hits.length === 0 ? "no_match" : "search_ok"),
    data: explanationData(answer, language),
  };
}

function explanationData(answer: SearchAnswer, language: Language): ExplanationData {
  const { mode, fusion, model, reranker, terms, phrases, excluded, weights, chunks } = answer.explanation!;
  const lines = new Map(answer.hits.map(({ chunkId, totalLines }) => [chunkId, totalLines]));
  const listed = (list: readonly ExplainedChunk[]) =>
    list.slice(0, MAX_LISTED).map((chunk) => toData(chunk, lines.get(chunk.chunkId), language));
  const by = (found: ExplainedChunk["foundBy"]) => chunks.filter(({ foundBy }) => foundBy === found);
  const [keyword, vector, both] = [by("keyword"), by("vector"), by("both")];
  return {
    query: { terms, phrases, excluded },
    mode,
    ...(mode === "hybrid" && { fusion }),
    ...(model !== undefined && { model }),
    ...(reranker !== undefined && { reranker }),
    weights: weights as Record<string, number>,
    final_results: listed(chunks.filter(({ outcome }) => outcome === "shown")),
    fts_only_hits: listed(keyword),
    vec_only_hits: listed(vector),
    intersection_hits: listed(both),
    stats: {
      fts_candidates: keyword.length + both.length,
      vec_candidates: vector.length + both.length,
      intersection_count: both.length,
      cost_time: answer.seconds,
    },
    ...(answer.notices.length > 0 && { notices: answer.notices }),
  };
}

function toData(chunk: ExplainedChunk, totalLines: number | undefined, language: Language): ExplainedData {
  const legs = Object.entries(chunk.legs).map(([leg, { raw, share, rank }]) =>
    [leg, { value: raw, share, ...(rank !== undefined && { rank }) }] as const
  );
  return {
    rank: chunk.rank,
    file_path: chunk.filePath,
    chunk_id: chunk.chunkId,
    start_line: chunk.startLine,
    end_line: chunk.endLine,
    ...(totalLines !== undefined && { total_lines: totalLines }),
    ...(chunk.section.length > 0 && { section: chunk.section }),
    ...(chunk.page !== undefined && { page: chunk.page }),
    score: chunk.score,
    ...(chunk.rerank !== undefined && { rerank: rerankData(chunk.rerank) }),
    found_by: chunk.foundBy,
    outcome: chunk.outcome,
    reason: message(language, `outcome_${chunk.outcome}`),
    legs: Object.fromEntries(legs),
    ...(chunk.evidence !== undefined && { evidence: chunk.evidence }),
    ...(chunk.pairs !== undefined && { word_pairs: chunk.pairs }),
  };
}

function rerankData(
  { rankBefore, scoreBefore }: NonNullable<ExplainedChunk["rerank"]>,
): NonNullable<ExplainedData["rerank"]> {
  return { ...(rankBefore !== undefined && { rank_before: rankBefore }), score_before: scoreBefore };
}

/** Chunks listed that are not in the answer. */
const MAX_DROPPED = 10;

/** The explanation of a search as text, for a terminal. The search must have been asked to explain its answer. */
export function explanationText({ explanation, notices }: SearchAnswer, language: Language): string {
  const { terms, phrases, excluded, chunks, ...facts } = explanation!;
  const counts = Object.groupBy(chunks, ({ foundBy }) => foundBy);
  const head = headLines(
    {
      ...facts,
      query: { terms, phrases, excluded },
      weights: facts.weights as Record<string, number>,
      counts: {
        keyword: counts.keyword?.length ?? 0,
        vector: counts.vector?.length ?? 0,
        both: counts.both?.length ?? 0,
      },
      notices,
    },
    language,
    printable,
  );
  const shown = chunks.filter(({ outcome }) => outcome === "shown");
  const dropped = chunks.filter(({ outcome }) => outcome !== "shown");
  const parts = [head.join("\n"), ...shown.map((chunk) => chunkText(chunk, language))];
  if (dropped.length > 0) {
    const lines = dropped.slice(0, MAX_DROPPED).map((chunk) =>
      `  ${placeText(chunk)}: ${message(language, `outcome_${chunk.outcome}`)}`
    );
    const more = dropped.length - lines.length;
    parts.push(
      [
        message(language, "explain_dropped", { count: dropped.length }),
        ...lines,
        ...(more > 0 ? ["  …"] : []),
      ]
        .join("\n"),
    );
  }
  return parts.join("\n\n");
}

function chunkText(chunk: ExplainedChunk, language: Language): string {
  const legs = Object.entries(chunk.legs).filter(([, { raw }]) => raw !== 0).map((
    [leg, { raw, share, rank }],
  ) =>
    `  ${leg.padEnd(12)} ${String(rounded(raw)).padStart(8)}  +${rounded(share)}${
      rank === undefined ? "" : `  #${rank}`
    }`
  );
  const pairs = chunk.pairs?.map((pair) => pairText(pair, language)) ?? [];
  return [
    placeText(chunk),
    ...legs,
    ...(chunk.rerank === undefined ? [] : [
      `  ${
        rerankText({ rank_before: chunk.rerank.rankBefore, score_before: chunk.rerank.scoreBefore }, language)
      }`,
    ]),
    ...(chunk.evidence === undefined ? [] : [`  ${evidenceText(chunk.evidence, language)}`]),
    ...(pairs.length > 0
      ? [`  ${message(language, "explain_pairs", { pairs: printable(pairs.join(", ")) })}`]
      : []),
  ].join("\n");
}

function placeText({ rank, filePath, startLine, endLine, score }: ExplainedChunk): string {
  return `#${rank}  ${printable(`${filePath}:${startLine}-${endLine}`)}  ${rounded(score)}`;
}

/**
 * Shape of `data` in an answer of `explain_search`. Only its main parts are declared: a schema of the whole explanation took
 * a third of the tokens of the list of tools.
 */
const BRIEF_EXPLANATION_DATA = z.looseObject({
  ...UNTRUSTED,
  final_results: z.array(z.looseObject({ rank: z.int(), file_path: z.string(), score: z.number() })),
});

/** The first that fits is used. */
const EXTENTS: readonly Extent[] = [
  { results: 10, detailed: 10, listed: 5, words: 5 },
  { results: 10, detailed: 5, listed: 3, words: 5 },
  { results: 10, detailed: 4, listed: 3, words: 4 },
  { results: 10, detailed: 3, listed: 3, words: 4 },
  { results: 10, detailed: 3, listed: 2, words: 3 },
  { results: 10, detailed: 2, listed: 2, words: 3 },
  { results: 5, detailed: 3, listed: 2, words: 3 },
  { results: 5, detailed: 2, listed: 1, words: 2 },
  { results: 5, detailed: 1, listed: 1, words: 2 },
  { results: 3, detailed: 1, listed: 1, words: 1 },
  { results: 1, detailed: 0, listed: 0, words: 1 },
];

/** The explanation of a search for a model, within a limit. The search must have been asked to explain its answer. */
export function briefExplanation(
  answer: SearchAnswer,
  language: Language,
  limit: AnswerLimit,
): TextAnswer<z.output<typeof BRIEF_EXPLANATION_DATA>> {
  const { data: full, ...result } = explanationResult(answer, language);
  for (const extent of EXTENTS) {
    const data = untrusted(shortened(full, extent), language);
    const text = quotedAnswer(({ tag, name }) =>
      `${message(language, "quoted_content", { tag })}\n${
        briefText(data, answer.hits.length, language, name)
      }`
    );
    const isLast = extent === EXTENTS.at(-1);
    const brief = { ...result, data, text };
    if (isLast || sentTokens(brief, limit.shape) <= limit.maxTokens) return brief;
  }
  throw new Error("unreachable");
}

type Chunk = BriefExplanation["final_results"][number];

/**
 * A brief explanation as text. `shown`: number of passages in the answer. `quote`: marks texts of files and of the query.
 */
function briefText(
  data: BriefExplanation,
  shown: number,
  language: Language,
  quote: (text: string) => string,
): string {
  const { final_results: results, stats } = data;
  const counts = {
    keyword: stats.fts_candidates - stats.intersection_count,
    vector: stats.vec_candidates - stats.intersection_count,
    both: stats.intersection_count,
  };
  const others = [data.intersection_hits, data.fts_only_hits, data.vec_only_hits].flat()
    .sort((a, b) => a.rank - b.rank);
  const left = counts.keyword + counts.vector + counts.both - shown;
  return [
    ...headLines({ ...data, counts }, language, quote),
    "",
    ...results.flatMap((chunk) => resultLines(chunk, language, quote)),
    ...(shown > results.length ? ["…"] : []),
    ...(left > 0 ? ["", message(language, "explain_dropped", { count: left })] : []),
    ...others.map((chunk) =>
      `${briefPlace(chunk, language, quote)}: ${message(language, `outcome_${chunk.outcome}`)}`
    ),
    ...(left > others.length ? ["…"] : []),
  ].join("\n");
}

function resultLines(chunk: Chunk, language: Language, quote: (text: string) => string): string[] {
  const legs = Object.entries(chunk.legs ?? {}).map(([leg, { value, share, rank }]) =>
    `${leg} ${value} (+${share}${rank === undefined ? "" : `, #${rank}`})`
  );
  const pairs = (chunk.word_pairs ?? []).map((pair) => pairText(pair, language));
  return [
    briefPlace(chunk, language, quote),
    ...(legs.length > 0 ? [`  ${legs.join(", ")}`] : []),
    ...(chunk.rerank === undefined ? [] : [`  ${rerankText(chunk.rerank, language)}`]),
    ...(chunk.evidence === undefined ? [] : [`  ${evidenceText(chunk.evidence, language)}`]),
    ...(pairs.length > 0
      ? [`  ${message(language, "explain_pairs", { pairs: quote(pairs.join(", ")) })}`]
      : []),
  ];
}

function briefPlace(chunk: Chunk, language: Language, quote: (text: string) => string): string {
  const { rank, file_path: path, start_line: start, end_line: end, total_lines: total, page, section } =
    chunk;
  const place = [
    ...(total !== undefined ? [message(language, "lines_of_file", { total })] : []),
    ...(section !== undefined ? [section.join(" > ")] : []),
    ...(page !== undefined ? [message(language, "page_number", { page })] : []),
  ];
  const inside = place.length > 0 ? ` (${place.join(", ")})` : "";
  return `#${rank}  ${quote(`${path}:${start}-${end}${inside}`)}  ${chunk.score}`;
}

/** {@linkcode ExplanationData} with few chunks, rounded numbers and without fields that follow from others. */
type BriefExplanation = ReturnType<typeof shortened>;

/** How much of an explanation is given. */
interface Extent {
  /** Chunks of the answer, and how many of them with the values of the legs. */
  readonly results: number;
  readonly detailed: number;
  /** Chunks of each list of those that are not in the answer. */
  readonly listed: number;
  readonly words: number;
}

/** UTF-16 units of a path, and of another text from files or the query. The end of a path is kept. */
const MAX_PATH_CHARS = 160;
const MAX_TEXT_CHARS = 60;

/** Returns the part of an explanation that an extent allows. */
function shortened(full: ExplanationData, { results, detailed, listed, words }: Extent) {
  const { query, weights, final_results: shown, stats, notices, ...head } = full;
  const others = (list: readonly ExplainedData[]) =>
    list.filter(({ outcome }) => outcome !== "shown").slice(0, listed).map(toPlace);
  const texts = (list: readonly string[]) => list.slice(0, words).map((text) => cut(text, MAX_TEXT_CHARS));
  return {
    query: {
      terms: query.terms.slice(0, 2 * words).map(({ term, weight }) => ({
        term: cut(term, MAX_TEXT_CHARS),
        weight: rounded(weight),
      })),
      phrases: texts(query.phrases),
      excluded: texts(query.excluded),
    },
    mode: head.mode,
    ...(head.fusion !== undefined && { fusion: head.fusion }),
    ...(head.model !== undefined && { model: cut(head.model, MAX_TEXT_CHARS) }),
    ...(head.reranker !== undefined &&
      { reranker: { ...head.reranker, id: cut(head.reranker.id, MAX_TEXT_CHARS) } }),
    weights: Object.fromEntries(
      Object.entries(weights).filter(([, weight]) => weight !== 0).map((
        [leg, weight],
      ) => [leg, rounded(weight)]),
    ),
    final_results: shown.slice(0, results).map((chunk, i) => ({
      ...toPlace(chunk),
      ...(i < detailed && toDetails(chunk, words)),
    })),
    fts_only_hits: others(full.fts_only_hits),
    vec_only_hits: others(full.vec_only_hits),
    intersection_hits: others(full.intersection_hits),
    stats: { ...stats, cost_time: rounded(stats.cost_time) },
    ...(notices !== undefined &&
      { notices: notices.slice(0, words).map((text) => cut(text, MAX_PATH_CHARS)) }),
  };
}

/** The place, rank and outcome of a chunk. */
function toPlace(chunk: ExplainedData) {
  const { rank, file_path: path, start_line: start, end_line: end, total_lines: total } = chunk;
  const { section = [], page, score, outcome } = chunk;
  return {
    rank,
    file_path: path.length > MAX_PATH_CHARS ? `…${path.slice(-MAX_PATH_CHARS)}` : path,
    start_line: start,
    end_line: end,
    ...(total !== undefined && { total_lines: total }),
    ...(section.length > 0 && { section: section.slice(-2).map((title) => cut(title, MAX_TEXT_CHARS)) }),
    ...(page !== undefined && { page }),
    score: rounded(score),
    outcome,
  };
}

/** The evidence, legs and words of a chunk. Legs without a value are left out. */
function toDetails({ legs, evidence, rerank, word_pairs: pairs }: ExplainedData, words: number) {
  return {
    ...(rerank !== undefined && { rerank: { ...rerank, score_before: rounded(rerank.score_before) } }),
    ...(evidence !== undefined && { evidence: roundedEvidence(evidence) }),
    legs: Object.fromEntries(
      Object.entries(legs).filter(([, { value }]) => value !== 0)
        .map(([leg, { value, share, rank }]) => [leg, {
          value: rounded(value),
          share: rounded(share),
          ...(rank !== undefined && { rank }),
        }]),
    ),
    ...(pairs !== undefined && pairs.length > 0 && {
      word_pairs: pairs.slice(0, words).map(({ query, chunk, cosine, sureness }) => ({
        query: cut(query, MAX_TEXT_CHARS),
        chunk: cut(chunk, MAX_TEXT_CHARS),
        cosine: rounded(cosine),
        ...(sureness !== undefined && { sureness: rounded(sureness) }),
      })),
    }),
  };
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).replace(/[\ud800-\udbff]$/, "")}…` : text;
}

/** Facts of the first lines of an explanation. */
interface ExplanationHead
  extends Pick<ExplanationData, "query" | "mode" | "fusion" | "model" | "reranker" | "weights" | "notices"> {
  /** Numbers of candidates by the list that proposed them. */
  readonly counts: { readonly keyword: number; readonly vector: number; readonly both: number };
}

/** The lines about the query, the mode and the candidates. `quote` is applied to words of the query and to notices. */
function headLines(
  { query: { terms, phrases, excluded }, mode, fusion, model, reranker, weights, counts, notices = [] }:
    ExplanationHead,
  language: Language,
  quote: (text: string) => string,
): string[] {
  const words = terms.map(({ term, weight }) => weight === 1 ? term : `${term}×${rounded(weight)}`).join(" ");
  const legs = Object.entries(weights).filter(([, weight]) => weight > 0)
    .map(([leg, weight]) => `${leg} ${rounded(weight)}`).join(", ");
  return [
    message(language, "explain_terms", { terms: quote(words) }),
    ...(phrases.length > 0
      ? [message(language, "explain_phrases", { phrases: quote(phrases.join(" | ")) })]
      : []),
    ...(excluded.length > 0
      ? [message(language, "explain_excluded", { words: quote(excluded.join(" | ")) })]
      : []),
    message(language, "explain_mode", {
      mode: mode === "hybrid" ? `${mode} (${fusion})` : mode,
      model: printable(model ?? "–"),
    }),
    ...(mode === "hybrid" ? [message(language, "explain_weights", { weights: legs })] : []),
    message(language, "explain_counts", counts),
    ...(reranker === undefined
      ? []
      : [message(language, "explain_reranker", { id: printable(reranker.id), count: reranker.count })]),
    ...notices.map((notice) =>
      message(language, "notice_line", { notice: quotedNotice(notice, language, { name: quote }) })
    ),
  ];
}

/** How much of the question a chunk holds, as shares from 0 to 1, and the factor of its score. */
type Evidence = NonNullable<ExplainedChunk["evidence"]>;

/** Returns the evidence with three digits. */
function roundedEvidence({ verbatim, alike, translated, factor }: Evidence): Evidence {
  return {
    verbatim: rounded(verbatim),
    ...(alike !== undefined && { alike: rounded(alike) }),
    ...(translated !== undefined && { translated: rounded(translated) }),
    ...(factor !== undefined && { factor: rounded(factor) }),
  };
}

/** Returns a line about the evidence. */
function evidenceText(evidence: Evidence, language: Language): string {
  const { verbatim, alike, translated, factor } = roundedEvidence(evidence);
  return [
    message(language, "explain_verbatim", { share: verbatim }),
    ...(alike === undefined ? [] : [message(language, "explain_alike", { share: alike })]),
    ...(translated === undefined ? [] : [message(language, "explain_translated", { share: translated })]),
    ...(factor === undefined ? [] : [message(language, "explain_factor", { factor })]),
  ].join(message(language, "list_comma"));
}

/** Returns a pair of words. A translation has its sureness, other words their cosine. */
function pairText(
  { query, chunk, cosine, sureness }: NonNullable<ExplainedChunk["pairs"]>[number],
  language: Language,
): string {
  if (sureness === undefined) return `${query}→${chunk} ${rounded(cosine)}`;
  return `${query}→${chunk} ${message(language, "explain_sureness", { sureness: rounded(sureness) })}`;
}

/** Says what a reranker did with a chunk. */
function rerankText(
  { rank_before: rank, score_before: score }: {
    readonly "rank_before"?: number | undefined;
    readonly "score_before": number;
  },
  language: Language,
): string {
  return rank === undefined
    ? message(language, "explain_not_judged", { score: rounded(score) })
    : message(language, "explain_reranked", { rank, score: rounded(score) });
}

/** Returns a number with three decimal places, as explanations show it. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
