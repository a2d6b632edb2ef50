/** The gates of a chunk in a search, by the state of the search itself: words, conditions, legs, score, and what leaves hits out. */
import type { Config } from "#foundation/configuration/mod.ts";
import { type ChunkConditions, expressionText, filterFor } from "#engine/query/mod.ts";
import { type LegName, type RankedChunk, Ranking } from "#engine/rank/mod.ts";
import type { Filter, FoundChunk, Segments } from "#engine/segments.ts";
import { present } from "#foundation/present.ts";
import type { SearchState } from "../answer.ts";
import type { Outcome } from "../explain.ts";
import { conditionsIn } from "../filter_counts.ts";
import { degreeOf } from "../show.ts";
import type { MatchDegree } from "../types.ts";
import type { Stop } from "./file_gates.ts";
import { placeOfChunk } from "./target.ts";
import type { GateFacts, LegPlace, PassedGate, WordHeld } from "./types.ts";

/** Candidates of each leg among which a chunk's place is looked for: the most that a setting can ask for. */
const DEEP = 1000;
/** Chunks of a file that are ranked. */
const MOST_CHUNKS = 100;
/** Hits up to which the place of a chunk in longer answers is looked for: the most that a request can ask for. */
const MOST_HITS = 100;

/** The outcomes of the chunks of a search. */
export interface Searched {
  readonly state: SearchState;
  /** All chunks that were considered, best first, with their outcomes. */
  readonly considered: readonly RankedChunk[];
  readonly outcomes: readonly Outcome[];
  readonly minDegree: MatchDegree | undefined;
  readonly rerank: Config["rerank"];
}

/** The result for a chunk. */
export interface Judged {
  readonly stop: Stop;
  readonly passed: readonly PassedGate[];
  readonly chunk: FoundChunk;
}

/** Takes the chunks of a document through the gates of a search. Returns the one that comes furthest. `chunks`: by their number in an index. */
export async function searchGates(
  searched: Searched,
  isTarget: (chunk: Pick<FoundChunk, "index" | "chunk">) => boolean,
): Promise<Judged> {
  const { state, considered } = searched;
  const { segments, asked, limit, filter } = state;
  const ones = (index: FoundChunk["index"]) =>
    Float64Array.from({ length: index.statistics.chunks }, (_, chunk) => isTarget({ index, chunk }) ? 1 : 0);
  const all = await segments.byScores(ones, { limit: segments.size });
  const passing = new Set(
    (await segments.byScores(ones, { limit: segments.size, filter })).map(({ id }) => id),
  );
  const known = considered.flatMap((chunk, at) => isTarget(chunk) ? [at] : []);
  const shown = known.map((at) => ({ at, gate: standingOf(searched, at) }))
    .sort((a, b) => b.gate - a.gate || a.at - b.at)[0];
  const also = await likeliest(all, state);
  const ranking = await Ranking.of({ ...asked, ftsTopn: DEEP, vecTopn: DEEP });
  const deep = await ranking.best({ limit: 2 * DEEP, hits: limit, filter, also });
  const deepOf = new Map(deep.map((chunk) => [chunk.id, chunk]));
  const chosen = shown !== undefined
    ? considered[shown.at]!
    : deep.filter(isTarget).toSorted((a, b) =>
      Number(passing.has(b.id)) - Number(passing.has(a.id)) || b.score - a.score || a.id - b.id
    )[0]!;
  return await judged(
    { ...searched, deep, passes: passing.has(chosen.id) },
    chosen,
    deepOf.get(chosen.id) ?? chosen,
  );
}

/** The chunks that have most of the question, by its words and by the vectors, and the first one. */
async function likeliest(
  all: readonly FoundChunk[],
  { asked, segments }: SearchState,
): Promise<FoundChunk[]> {
  if (all.length <= MOST_CHUNKS) return [...all];
  const ids = Int32Array.from(all, ({ id }) => id).sort();
  const terms = await segments.lookUp(asked.terms, asked.noDemand);
  const { scores } = await segments.scoreTerms(terms, ids);
  const by = new Map(Array.from(ids, (id, i) => [id, scores[i]!]));
  return all.toSorted((a, b) => by.get(b.id)! - by.get(a.id)! || a.id - b.id).slice(0, MOST_CHUNKS);
}

/** The order in which outcomes come to an answer. */
const FURTHEST: readonly Outcome[] = [
  ...[
    "unlike",
    "below_top_k",
    "file_limit",
    "same_text",
    "older_text",
    "twice",
    "char_cap",
    "joined",
  ] as const,
  "shown",
];

function standingOf({ outcomes }: Searched, at: number): number {
  return FURTHEST.indexOf(outcomes[at]!);
}

interface Judging extends Searched {
  /** The longer lists, best first. */
  readonly deep: readonly RankedChunk[];
  /** Whether the chunk meets all conditions. */
  readonly passes: boolean;
}

/** Takes one chunk through the gates. `deep`: the same chunk as the longer lists rank it. */
async function judged(judging: Judging, chunk: RankedChunk, deep: RankedChunk): Promise<Judged> {
  const { state, considered, outcomes } = judging;
  const passed: PassedGate[] = [];
  const stopped = (stop: Stop): Judged => ({ stop, passed, chunk });
  const { mode, query } = state;
  const words = await wordsHeld(chunk, state);
  const needless = mode === "semantic" || query.expression !== undefined;
  const hasNone = mode === "keyword" ? (deep.legs.keyword?.raw ?? 0) === 0 : !state.isLike(deep);
  if (hasNone && !needless) {
    const needsVectors = mode === "keyword" && state.asked.model !== undefined;
    const setting = needsVectors
      ? {
        setting: { key: "search.mode", value: mode, needed: "hybrid", change: { mode: "hybrid" } } as const,
      }
      : {};
    return stopped({ gate: "terms", reason: "no_words", by: { words }, ...setting });
  }
  passed.push({ gate: "terms", by: needless ? { words, needless } : { words } });

  const conditions = conditionsOf(state);
  if (!judging.passes) {
    const unmet: string[] = [];
    for (const [text, filter] of conditions) {
      if (!await passes(chunk, filter, state.segments)) unmet.push(text);
    }
    return stopped({ gate: "filter", reason: "condition", by: { conditions: unmet } });
  }
  passed.push({ gate: "filter", by: { conditions: conditions.map(([text]) => text) } });

  const legs = legsOf(deep, judging);
  const at = considered.findIndex(({ id }) => id === chunk.id);
  const isProposed = at >= 0 || legs.some(({ rank, limit }) => rank !== undefined && rank <= limit);
  if (!isProposed) return stopped(candidateStop(legs, state));
  passed.push({ gate: "candidates", by: { legs } });

  const fused = await fusionGates(judging, chunk, deep, at);
  if (fused !== undefined && fused.gate === "fusion") return stopped(fused);
  const place = at < 0 ? {} : { rank: at + 1, score: chunk.score };
  passed.push({ gate: "fusion", by: place });
  if (fused !== undefined) return stopped(fused);
  const { rerank } = chunk;
  if (state.reranker !== undefined) {
    const before = rerank?.rankBefore;
    passed.push({ gate: "rerank", by: present({ reranker: state.reranker, rankBefore: before, ...place }) });
  }
  return { stop: await lastGates(judging, chunk, at, outcomes[at]!, passed), passed, chunk };
}

function candidateStop(legs: readonly LegPlace[], { config, mode }: SearchState): Stop {
  const by = { legs };
  const [best] = legs.filter(({ rank, leg }) => rank !== undefined && leg !== "neural")
    .toSorted((a, b) => a.rank! - b.rank!);
  if (best === undefined) return { gate: "candidates", reason: "below_lists", by };
  // In a search by one leg, `fts_topn` is the length of its list.
  const name = best.leg === "keyword" || mode === "semantic" ? "fts_topn" as const : "vec_topn" as const;
  const needed = best.rank!;
  const change = { ranking: { [name]: needed } };
  return {
    gate: "candidates",
    reason: "below_lists",
    by,
    setting: { key: `search.${name}`, value: config[name], needed, change },
  };
}

/** The gates of score, reranker and dates: whether the chunk stands behind the last one of the answer. */
async function fusionGates(
  { state, considered, deep, rerank }: Judging,
  chunk: RankedChunk,
  inDeep: RankedChunk,
  at: number,
): Promise<Stop | undefined> {
  const { selected, limit, gathering } = state;
  const ids = new Set(selected.map(({ id }) => id));
  const lastAt = considered.findLastIndex(({ id }) => ids.has(id));
  if (selected.length < limit && at >= 0 || lastAt >= 0 && at >= 0 && at <= lastAt) return undefined;
  const last = considered[lastAt];
  const isListed = at >= 0 && last !== undefined;
  const [mine, theirs] = isListed ? [chunk, last] : [inDeep, deep.find(({ id }) => id === last?.id)];
  const rank = isListed ? at + 1 : deep.findIndex(({ id }) => id === chunk.id) + 1;
  const by: GateFacts = present({
    rank,
    score: mine.score,
    last: theirs && { rank: lastAt + 1, score: theirs.score },
  });
  const before = isListed ? rankBefore(considered, at) : undefined;
  if (before !== undefined && before <= lastAt + 1) {
    const isReranked = state.reranker !== undefined;
    const moved = { ...by, rankBefore: before, ...(isReranked && { reranker: state.reranker! }) };
    return isReranked
      ? {
        gate: "rerank",
        reason: "moved_down",
        by: moved,
        setting: { key: "rerank.provider", value: rerank.provider, needed: "maxsim" },
      }
      : {
        gate: "fusion",
        reason: "recency",
        by: moved,
        setting: { key: "search.recency.weight", value: state.config.recency.weight, needed: 0 },
      };
  }
  // The next pages continue the list as it is.
  gathering.deepen(selected, MOST_HITS);
  const longer = (await gathering.select(MOST_HITS)).chunks;
  const needed =
    longer.findIndex(({ id, also }) => id === chunk.id || also.some((one) => one.id === chunk.id)) + 1;
  const setting = { key: "search.top_k", value: limit };
  return {
    gate: "fusion",
    reason: "below_last",
    by,
    setting: needed === 0 ? setting : { ...setting, needed, change: { topK: needed } },
  };
}

/** The rank that a chunk would have without reranker and dates; `undefined` without them. */
function rankBefore(considered: readonly RankedChunk[], at: number): number | undefined {
  const { rerank, recency } = considered[at]!;
  if (rerank === undefined && recency === undefined) return undefined;
  const before = (chunk: RankedChunk) => {
    const dated = chunk.rerank?.scoreBefore ?? chunk.score;
    return chunk.rerank === undefined ? dated / (chunk.recency?.factor || 1) : dated;
  };
  const mine = before(considered[at]!);
  return considered.filter((chunk) => before(chunk) > mine).length + 1;
}

/** The gates of a chunk whose score is enough, or `shown`. */
async function lastGates(
  { state, considered, minDegree }: Judging,
  chunk: RankedChunk,
  at: number,
  outcome: Outcome,
  passed: PassedGate[],
): Promise<Stop> {
  const { selected, passages, config, least } = state;
  const hitOf = (id: number) =>
    passages.findIndex(({ chunks, also }) => [...chunks, ...also].some((one) => one.id === id)) + 1 ||
    undefined;
  const earlier = considered.slice(0, at).filter((one) => state.isLike(one));
  // No hit is likelier than one before it.
  const chance = earlier.reduce((least, { chance }) => Math.min(least, chance), chunk.chance);
  const degree = degreeOf(chance);
  const isLow = chance < least;
  if (outcome === "file_limit") {
    const ofFile = earlier.filter(({ filePath }) => filePath === chunk.filePath).length;
    const most = config.per_doc_limit;
    const needed = ofFile + 1;
    return {
      gate: "file_limit",
      reason: "file_full",
      by: { ofFile, most },
      setting: {
        key: "search.per_doc_limit",
        value: most,
        needed,
        change: { ranking: { "per_doc_limit": needed } },
      },
    };
  }
  if (outcome !== "unlike") passed.push({ gate: "file_limit", by: {} });
  if (outcome === "same_text" || outcome === "older_text" || outcome === "twice") {
    const other = selected.find(({ also, filePath }) =>
      outcome === "twice" ? filePath === chunk.filePath : also.some(({ id }) => id === chunk.id)
    )!;
    const instead = present({ ...await placeOfChunk(other), hit: hitOf(other.id) });
    return { gate: "duplicate", reason: outcome, by: { instead } };
  }
  if (outcome !== "unlike") passed.push({ gate: "duplicate", by: {} });
  if (isLow) {
    return {
      gate: "degree",
      reason: "low",
      by: { degree, wanted: minDegree! },
      setting: { key: "min_degree", value: minDegree!, needed: degree, change: { minDegree: degree } },
    };
  }
  passed.push({ gate: "degree", by: { degree } });
  const hit = hitOf(chunk.id);
  if (outcome === "char_cap") {
    return {
      gate: "budget",
      reason: "full",
      by: present({ hit }),
      setting: { key: "search.max_chars", value: config.max_chars },
    };
  }
  passed.push({ gate: "budget", by: {} });
  return { gate: "shown", reason: outcome === "joined" ? "joined" : "shown", by: present({ hit, degree }) };
}

const LEGS = ["keyword", "vector", "neural"] as const satisfies readonly LegName[];

/** The places of a chunk in the lists of the legs that propose candidates. */
function legsOf({ legs }: RankedChunk, { state, deep }: Judging): LegPlace[] {
  const { asked, limit, mode, candidates } = state;
  const near = mode === "semantic" ? candidates : Math.max(asked.vecTopn, limit);
  const limits = {
    keyword: mode === "keyword" ? candidates : Math.max(asked.ftsTopn, limit * 2),
    vector: near,
    neural: near,
  };
  return LEGS.flatMap((leg): LegPlace[] => {
    const lengths = deep.reduce((most, { legs }) => Math.max(most, legs[leg]?.rank ?? 0), 0);
    if (lengths === 0) return [];
    return [present({ leg, rank: legs[leg]?.rank, within: lengths, limit: limits[leg] })];
  });
}

/** No condition. */
const NONE: ChunkConditions = { phrases: [], excluded: [], excludedPhrases: [], filters: [] };

/** The conditions of a search one by one, as people write them. */
function conditionsOf({ conditions }: SearchState): [text: string, filter: Filter][] {
  const { phrases, excluded, excludedPhrases, expression, filters } = conditions;
  const parts = expression === undefined ? [] : expression.kind === "and" ? expression.parts : [expression];
  const all: [string, ChunkConditions][] = [
    ...filters.flatMap(conditionsIn).map(([text, one]) => [text, { ...NONE, filters: [one] }] as const),
    ...phrases.map((phrase) => [`"${phrase}"`, { ...NONE, phrases: [phrase] }] as const),
    ...excluded.map((word) => [`-${word}`, { ...NONE, excluded: [word] }] as const),
    ...excludedPhrases.map((phrase) => [`-"${phrase}"`, { ...NONE, excludedPhrases: [phrase] }] as const),
    ...parts.map((part) => [expressionText(part), { ...NONE, expression: part }] as const),
  ].map(([text, one]) => [text, one]);
  return all.map(([text, one]) => [text, filterFor(one)!]);
}

async function passes(
  { id, index, chunk }: FoundChunk,
  filter: Filter,
  segments: Segments,
): Promise<boolean> {
  const scores = (of: FoundChunk["index"]) => {
    const one = new Float64Array(of.statistics.chunks);
    if (of === index) one[chunk] = 1;
    return one;
  };
  return (await segments.byScores(scores, { limit: 1, filter })).some((found) => found.id === id);
}

/** The words of the question, and how a chunk has each. */
async function wordsHeld(chunk: FoundChunk, state: SearchState): Promise<WordHeld[]> {
  const { ranking, segments, asked } = state;
  const { words } = ranking;
  if (words.length === 0) {
    const terms = asked.terms.filter(({ term, weight }) => weight >= 1 && !asked.noDemand?.has(term));
    const counted = await segments.documentFrequencies(terms.map(({ term }) => term));
    const held: WordHeld[] = [];
    for (const [i, one] of terms.entries()) {
      const { coverage } = await segments.scoreTerms(await segments.lookUp([one]), Int32Array.of(chunk.id));
      held.push({ word: one.term, has: coverage[0]! > 0 ? "same" : "absent", chunks: counted[i]! });
    }
    return held;
  }
  const [pairs = []] = await ranking.pairs([chunk]);
  const held: WordHeld[] = [];
  for (const { text: word } of words) {
    const pair = pairs.find(({ query }) => query === word);
    const own = state.tokenizer.queryTerms(word);
    const most = own.reduce((max, { weight }) => Math.max(max, weight), 0);
    const strong = own.filter(({ weight }) => weight === most).map(({ term }) => term);
    const counted = await segments.documentFrequencies(strong);
    const chunks = strong.length === 0 ? 0 : Math.min(...counted);
    held.push(present({
      word,
      has: pair === undefined
        ? "absent" as const
        : pair.cosine === 1
        ? "same" as const
        : pair.sureness !== undefined
        ? "translated" as const
        : "similar" as const,
      form: pair?.chunk,
      likeness: pair === undefined || pair.cosine === 1 ? undefined : pair.sureness ?? pair.cosine,
      chunks,
    }));
  }
  return held;
}
