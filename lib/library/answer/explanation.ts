/** The explanation of a search: as data, as a text for a terminal, and briefly for a model. */
import { type Language, message, printable } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import type { ExplainedChunk, Explanation, SearchAnswer } from "#library/search/mod.ts";
import { type Answer, type AnswerLimit, isWithin, type TextAnswer } from "./shape.ts";
import { quotedAnswer, untrusted } from "./quoted.ts";
import { quotedNotice } from "./search_answer.ts";

/** Chunks in each list of an explanation; lower ranks explain nothing. */
const MAX_LISTED = 20;

/**
 * The explanation of a search, as `search --explain --json` prints it. The search must have been asked to explain its answer.
 */
export function explanationResult(answer: SearchAnswer, language: Language): Answer<ExplanationData> {
  return {
    code: 200,
    message: message(language, answer.hits.length === 0 ? "no_match" : "search_ok"),
    data: explanationData(answer, language),
  };
}

type ExplanationData = ReturnType<typeof explanationData>;

function explanationData(answer: SearchAnswer, language: Language) {
  const { mode, fusion, model, reranker, terms, added, phrases, excluded, understood, weights, chunks } =
    answer.explanation!;
  const lines = new Map(answer.hits.map(({ chunkId, totalLines }) => [chunkId, totalLines]));
  const listed = (list: readonly ExplainedChunk[]) =>
    list.slice(0, MAX_LISTED).map((chunk) => chunkData(chunk, lines.get(chunk.chunkId), language));
  const by = (found: ExplainedChunk["foundBy"]) => chunks.filter(({ foundBy }) => foundBy === found);
  const [keyword, vector, both] = [by("keyword"), by("vector"), by("both")];
  return {
    query: { terms, added: added && addedData(added), phrases, excluded, understood },
    mode,
    fusion: mode === "hybrid" ? fusion : undefined,
    model,
    reranker,
    weights,
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
    notices: answer.notices.length > 0 ? answer.notices : undefined,
  };
}

function addedData({ words, model, hasFailed }: NonNullable<Explanation["added"]>) {
  return present({ words, model, failed: hasFailed });
}

type ChunkData = ReturnType<typeof chunkData>;

/** `totalLines`: only for chunks that are in the answer. */
function chunkData(chunk: ExplainedChunk, totalLines: number | undefined, language: Language) {
  const { section, rerank, recency } = chunk;
  return {
    rank: chunk.rank,
    file_path: chunk.filePath,
    chunk_id: chunk.chunkId,
    start_line: chunk.startLine,
    end_line: chunk.endLine,
    total_lines: totalLines,
    section: section.length > 0 ? section : undefined,
    page: chunk.page,
    score: chunk.score,
    rerank: rerank && { rank_before: rerank.rankBefore, score_before: rerank.scoreBefore },
    recency: recency && { date: new Date(recency.date).toISOString().slice(0, 10), factor: recency.factor },
    found_by: chunk.foundBy,
    outcome: chunk.outcome,
    reason: message(language, `outcome_${chunk.outcome}`),
    legs: Object.fromEntries(
      Object.entries(chunk.legs).map(([leg, { raw, share, rank }]) => [leg, { value: raw, share, rank }]),
    ),
    evidence: chunk.evidence,
    generated: chunk.generated,
    word_pairs: chunk.pairs,
  };
}

/** Chunks listed that are not in the answer. */
const MAX_DROPPED = 10;

/** The explanation of a search as text, for a terminal. The search must have been asked to explain its answer. */
export function explanationText(answer: SearchAnswer, language: Language): string {
  const { chunks } = answer.explanation!;
  const place = ({ rank, filePath, startLine, endLine, score }: ExplainedChunk) =>
    `#${rank}  ${printable(`${filePath}:${startLine}-${endLine}`)}  ${rounded(score)}`;
  const shown = chunks.filter(({ outcome }) => outcome === "shown").map((chunk) => {
    const data = chunkData(chunk, undefined, language);
    const legs = Object.entries(data.legs).filter(([, { value }]) => value !== 0).map((
      [leg, { value, share, rank }],
    ) =>
      `${leg.padEnd(12)} ${String(rounded(value)).padStart(8)}  +${rounded(share)}${
        rank === undefined ? "" : `  #${rank}`
      }`
    );
    return [place(chunk), ...detailLines(data, legs, language, printable)].join("\n");
  });
  const dropped = chunks.filter(({ outcome }) => outcome !== "shown");
  const lines = dropped.slice(0, MAX_DROPPED)
    .map((chunk) => `  ${place(chunk)}: ${message(language, `outcome_${chunk.outcome}`)}`);
  const rest = [
    message(language, "explain_dropped", { count: dropped.length }),
    ...lines,
    ...(dropped.length > lines.length ? ["  …"] : []),
  ];
  return [
    headLines(explanationData(answer, language), language, printable).join("\n"),
    ...shown,
    ...(dropped.length > 0 ? [rest.join("\n")] : []),
  ].join("\n\n");
}

/** How much of an explanation is given. */
interface Extent {
  /** Chunks of the answer, and how many of them with the values of the legs. */
  readonly results: number;
  readonly detailed: number;
  /** Chunks of each list of those that are not in the answer. */
  readonly listed: number;
  readonly words: number;
}

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

/** The part of it that `explain_search` declares: a schema of the whole took a third of the tokens of the list of tools. */
interface DeclaredExplanation {
  readonly [name: string]: unknown;
  "final_results": { readonly [name: string]: unknown; rank: number }[];
}

/** The explanation of a search for a model, within a limit. The search must have been asked to explain its answer. */
export function briefExplanation(
  answer: SearchAnswer,
  language: Language,
  limit: AnswerLimit,
): TextAnswer<DeclaredExplanation> {
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
    if (isLast || isWithin(brief, limit)) {
      return brief as unknown as TextAnswer<DeclaredExplanation>;
    }
  }
  throw new Error("unreachable");
}

/** The part of an explanation that an extent allows, with rounded numbers and without fields that follow from others. */
function shortened(full: ExplanationData, extent: Extent) {
  const { results, detailed, listed, words } = extent;
  const { query, weights, final_results: shown, stats, notices } = full;
  const others = (list: readonly ChunkData[]) =>
    list.filter(({ outcome }) => outcome !== "shown").slice(0, listed).map(placeOf);
  return brief({
    query: {
      terms: query.terms.slice(0, 2 * words),
      phrases: query.phrases.slice(0, words),
      excluded: query.excluded.slice(0, words),
      understood: query.understood,
      added: query.added && {
        ...query.added,
        words: query.added.words.slice(0, words).map(({ text, by }) => ({
          text: text.slice(0, ADDED_CHARS),
          by,
        })),
      },
    },
    mode: full.mode,
    fusion: full.fusion,
    model: full.model,
    reranker: full.reranker,
    weights: Object.fromEntries(Object.entries(weights).filter(([, weight]) => weight !== 0)),
    final_results: shown.slice(0, results).map((chunk, i): BriefChunk => ({
      ...placeOf(chunk),
      ...(i < detailed && detailsOf(chunk, words)),
    })),
    fts_only_hits: others(full.fts_only_hits),
    vec_only_hits: others(full.vec_only_hits),
    intersection_hits: others(full.intersection_hits),
    stats,
    notices: notices?.slice(0, words),
  });
}

type Details = {
  readonly [Name in "rerank" | "recency" | "evidence" | "generated" | "legs" | "word_pairs"]?:
    | ChunkData[Name]
    | undefined;
};
type BriefChunk = ReturnType<typeof placeOf> & Details;

function placeOf(chunk: ChunkData) {
  const { rank, file_path, start_line, end_line, total_lines, section, page, score, outcome } = chunk;
  const headings = section?.slice(-2);
  return { rank, file_path, start_line, end_line, total_lines, section: headings, page, score, outcome };
}

/** Legs without a value are left out. */
function detailsOf(
  { legs, evidence, generated, rerank, recency, word_pairs: pairs }: ChunkData,
  words: number,
): Details {
  return {
    rerank,
    recency,
    evidence,
    generated,
    legs: Object.fromEntries(Object.entries(legs).filter(([, { value }]) => value !== 0)),
    word_pairs: pairs?.slice(0, words),
  };
}

/** UTF-16 units of a path, of which the end is kept, and of a notice. */
const MAX_PATH_CHARS = 160;
/** UTF-16 units of another text from files or the query. */
const MAX_TEXT_CHARS = 60;

/** Returns a value with all its texts cut and all its numbers rounded. `name`: that of its property. */
function brief<T>(value: T, name = ""): T {
  const parts: unknown = typeof value === "number"
    ? rounded(value)
    : typeof value === "string"
    ? name === "file_path"
      ? value.length > MAX_PATH_CHARS ? `…${value.slice(-MAX_PATH_CHARS)}` : value
      : cut(value, name === "notices" ? MAX_PATH_CHARS : MAX_TEXT_CHARS)
    : Array.isArray(value)
    ? value.map((item) => brief(item, name))
    : typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, brief(part, name)]))
    : value;
  return parts as T;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).replace(/[\ud800-\udbff]$/, "")}…` : text;
}

/** A brief explanation as text. `shown`: number of passages in the answer. `quote`: marks texts of files and of the query. */
function briefText(
  data: ReturnType<typeof shortened>,
  shown: number,
  language: Language,
  quote: (text: string) => string,
): string {
  const { final_results: results, stats } = data;
  const place = (chunk: BriefChunk) => {
    const { rank, file_path: path, total_lines: total, section, page } = chunk;
    const lines = `${chunk.start_line}-${chunk.end_line}`;
    const inside = [
      total === undefined ? [] : message(language, "lines_of_file", { total }),
      section === undefined ? [] : section.join(" > "),
      page === undefined ? [] : message(language, "page_number", { page }),
    ].flat().join(", ");
    const quoted = quote(`${path}:${lines}${inside === "" ? "" : ` (${inside})`}`);
    return `#${rank}  ${quoted}  ${chunk.score}`;
  };
  const others = [data.intersection_hits, data.fts_only_hits, data.vec_only_hits].flat()
    .sort((a, b) => a.rank - b.rank);
  const left = stats.fts_candidates + stats.vec_candidates - stats.intersection_count - shown;
  return [
    ...headLines(data, language, quote),
    "",
    ...results.flatMap((chunk) => {
      const legs = Object.entries(chunk.legs ?? {}).map(([leg, { value, share, rank }]) =>
        `${leg} ${value} (+${share}${rank === undefined ? "" : `, #${rank}`})`
      );
      const line = legs.length > 0 ? [legs.join(", ")] : [];
      return [place(chunk), ...detailLines(chunk, line, language, quote)];
    }),
    ...(shown > results.length ? ["…"] : []),
    ...(left > 0 ? ["", message(language, "explain_dropped", { count: left })] : []),
    ...others.map((chunk) => `${place(chunk)}: ${message(language, `outcome_${chunk.outcome}`)}`),
    ...(left > others.length ? ["…"] : []),
  ].join("\n");
}

/** UTF-16 units of added words in a brief explanation. */
const ADDED_CHARS = 200;

/** Lines about the words that were added to the question, and the model that was asked for some. */
function addedLines(
  added: ReturnType<typeof addedData> | undefined,
  quote: (text: string) => string,
  language: Language,
): string[] {
  if (added === undefined) return [];
  const { words, model, failed } = added;
  const textBy = (by: string) => words.filter((one) => one.by === by).map(({ text }) => text).join(" ");
  const [earlier, terms] = [textBy("history"), textBy("model")];
  const id = printable(model ?? "");
  return [
    ...(earlier === "" ? [] : [message(language, "explain_earlier", { words: quote(earlier) })]),
    ...(terms === "" ? [] : [message(language, "explain_added", { words: quote(terms), model: id })]),
    ...(failed ? [message(language, "explain_not_rewritten", { model: id })] : []),
  ];
}

/** The lines about the query, the mode and the candidates. `quote` is applied to words of the query and to notices. */
function headLines(
  data: Omit<ExplanationData, `${string}_${"results" | "hits"}`>,
  language: Language,
  quote: (text: string) => string,
): string[] {
  const {
    query: { terms, added, phrases, excluded, understood },
    mode,
    fusion,
    model,
    reranker,
    weights,
    stats,
  } = data;
  const words = terms.map(({ term, weight }) => weight === 1 ? term : `${term}×${rounded(weight)}`).join(" ");
  const legs = Object.entries(weights).filter(([, weight]) => weight > 0)
    .map(([leg, weight]) => `${leg} ${rounded(weight)}`).join(", ");
  const both = stats.intersection_count;
  const lines = [
    message(language, "explain_terms", { terms: quote(words) }),
    ...addedLines(added, quote, language),
    understood !== undefined && message(language, "explain_understood", { query: quote(understood) }),
    phrases.length > 0 && message(language, "explain_phrases", { phrases: quote(phrases.join(" | ")) }),
    excluded.length > 0 && message(language, "explain_excluded", { words: quote(excluded.join(" | ")) }),
    message(language, "explain_mode", {
      mode: mode === "hybrid" ? `${mode} (${fusion})` : mode,
      model: printable(model ?? "–"),
    }),
    mode === "hybrid" && message(language, "explain_weights", { weights: legs }),
    message(language, "explain_counts", {
      keyword: stats.fts_candidates - both,
      vector: stats.vec_candidates - both,
      both,
    }),
    reranker !== undefined &&
    message(language, "explain_reranker", { id: printable(reranker.id), count: reranker.count }),
    ...(data.notices ?? []).map((notice) =>
      message(language, "notice_line", { notice: quotedNotice(notice, language, { name: quote }) })
    ),
  ];
  return lines.filter((line) => line !== false);
}

/** The lines about a chunk below its place. `legs`: lines about the legs. */
function detailLines(
  { rerank, recency, evidence, generated, word_pairs: pairs = [] }: Details,
  legs: readonly string[],
  language: Language,
  quote: (text: string) => string,
): string[] {
  const say = (key: Parameters<typeof message>[1], params: Readonly<Record<string, string | number>>) =>
    message(language, key, params);
  const before = rerank && { rank: rerank.rank_before ?? 0, score: rounded(rerank.score_before) };
  const { verbatim, alike, translated, factor } = brief(evidence) ?? {};
  const shares = [
    verbatim === undefined ? [] : say("explain_verbatim", { share: verbatim }),
    alike === undefined ? [] : say("explain_alike", { share: alike }),
    translated === undefined ? [] : say("explain_translated", { share: translated }),
    generated === undefined ? [] : say("explain_generated", { share: rounded(generated) }),
    factor === undefined ? [] : say("explain_factor", { factor }),
  ].flat();
  // a translation has its sureness, other words their cosine
  const words = pairs.map(({ query, chunk, cosine, sureness }) =>
    `${query}→${chunk} ${
      sureness === undefined ? rounded(cosine) : say("explain_sureness", { sureness: rounded(sureness) })
    }`
  );
  return [
    legs,
    before === undefined ? [] : say(before.rank === 0 ? "explain_not_judged" : "explain_reranked", before),
    recency === undefined
      ? []
      : say("explain_recency", { date: recency.date, factor: rounded(recency.factor) }),
    shares.length > 0 ? shares.join(message(language, "list_comma")) : [],
    words.length > 0 ? say("explain_pairs", { pairs: quote(words.join(", ")) }) : [],
  ].flat().map((line) => `  ${line}`);
}

/** Returns a number with three decimal places, as explanations show it. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
