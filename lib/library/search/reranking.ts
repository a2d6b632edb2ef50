/** Reorders the best passages by a reranker in a limited time, or leaves them as they are and says why. */
import { UserError } from "#foundation/errors.ts";
import type { LanguageModel, ModelTask } from "#models/language/mod.ts";
import { createReranker, type Reranker, RerankFailure, taskReranker } from "#models/rerank/mod.ts";
import type { Segments } from "#engine/segments.ts";
import type { RankedChunk, Ranking, RankTrace, RankWanted } from "#engine/rank/mod.ts";
import type { Config } from "#foundation/configuration/mod.ts";

/** Only this many bytes of a passage are read; rerankers cut it to their window. */
const MAX_PASSAGE_BYTES = 16_384;

/**
 * The time that one search waits for a server, however often it asks. It runs from the first request: a search that has to rank
 * anew, because a file was left out meanwhile, would otherwise wait once more.
 */
export class Patience {
  readonly seconds: number;
  /** Aborts the search. */
  readonly signal: AbortSignal | undefined;
  readonly #left: number;
  #time: AbortSignal | undefined;

  /** `spent`: seconds of the time that the search has already waited for the same server. */
  constructor(seconds: number, signal: AbortSignal | undefined, spent = 0) {
    this.seconds = seconds;
    this.signal = signal;
    if (spent >= seconds) this.#time = AbortSignal.abort();
    this.#left = seconds - spent;
  }

  /** Whether the time is over. */
  get isOver(): boolean {
    return this.#time?.aborted ?? false;
  }

  /** Returns the signal for a request, which ends with the time and with the search. */
  begin(): AbortSignal {
    this.#time ??= AbortSignal.timeout(this.#left * 1000);
    return this.signal === undefined ? this.#time : AbortSignal.any([this.signal, this.#time]);
  }
}

/** A reranker and its limits. */
export interface RerankOptions {
  readonly reranker: Reranker;
  /** Number of candidates that it orders. */
  readonly topM: number;
  /** The time that the search waits for it. */
  readonly patience: Patience;
  /** Returns the failure after that time. Default: that of a server that reranks. */
  readonly late?: (() => UserError) | undefined;
}

interface RerankRequest extends RerankOptions {
  readonly segments: Segments;
  readonly ranking: Pick<Ranking, "best">;
  /** The question as it was asked, without filters. */
  readonly question: string;
  /** Returns whether a chunk has anything in common with the question. Others are not judged. */
  readonly isLike: (chunk: RankedChunk) => boolean;
  readonly trace: RankTrace | undefined;
}

/**
 * A ranking whose best `topM` chunks a reranker has ordered once more; the others follow in their old order. The score of a
 * judged chunk is its judgement, from 0 to 1. The score of another chunk is multiplied by one factor for all, so that it is
 * not above the lowest judgement.
 *
 * If the reranker fails or is too slow, the order before stays and {@linkcode problem} says why. Only an aborted search
 * throws.
 */
export class Reranking implements Pick<Ranking, "best"> {
  readonly #request: RerankRequest;
  #judged: Judged | undefined;
  /** The reason why the order before stays. */
  problem: UserError | undefined;

  constructor(request: RerankRequest) {
    this.#request = request;
  }

  /** Number of chunks that were judged. */
  get count(): number {
    return this.#judged?.scores.size ?? 0;
  }

  /** See {@linkcode Ranking.best}. The reranker is asked once, about the chunks of the first call. */
  async best(wanted: RankWanted): Promise<RankedChunk[]> {
    const found = await this.#request.ranking.best(wanted);
    const judged = this.#judged ??= await this.#judge(found);
    if (judged.scores.size === 0) return found;
    return found.map((chunk): RankedChunk => {
      const of = judged.scores.get(chunk.id);
      const scoreBefore = chunk.score;
      if (of !== undefined) return { ...chunk, score: of.score, rerank: { ...of, scoreBefore } };
      const share = judged.last > 0 ? Math.min(1, Math.max(0, scoreBefore / judged.last)) : 0;
      return { ...chunk, score: judged.lowest * share, rerank: { scoreBefore } };
    });
  }

  async #judge(found: readonly RankedChunk[]): Promise<Judged> {
    const { topM, isLike } = this.#request;
    const candidates = found.map((chunk, i) => ({ chunk, rank: i + 1 }))
      .filter(({ chunk }) => isLike(chunk)).slice(0, topM);
    if (candidates.length < 2) return NOTHING;
    const { trace, reranker: { id } } = this.#request;
    const span = trace?.span.child("rerank", { method: id.split("/")[0], provider: id });
    const texts = await this.#texts(candidates.map(({ chunk }) => chunk));
    const scores = await this.#ask(texts);
    span?.add({
      counts: { judged: scores?.length ?? 0, candidates: candidates.length },
      ...(scores === undefined && { fallback: "order_before", reason: this.problem?.key }),
    });
    if (span !== undefined && scores !== undefined) {
      const judged = candidates.map(({ chunk }, i) => ({ ...chunk, score: scores[i]! }));
      trace!.list(span, judged.sort((a, b) => b.score - a.score));
    }
    span?.end();
    if (scores === undefined) return NOTHING;
    return {
      scores: new Map(
        candidates.map(({ chunk, rank }, i) => [chunk.id, { score: scores[i]!, rankBefore: rank }]),
      ),
      lowest: scores.reduce((least, score) => Math.min(least, score), 1),
      last: candidates.at(-1)!.chunk.score,
    };
  }

  /** Returns the passages of chunks: their headings and texts. Paths are not sent to a reranker. */
  async #texts(chunks: readonly RankedChunk[]): Promise<string[]> {
    const { segments } = this.#request;
    const ids = Int32Array.from(chunks, ({ id }) => id).sort();
    const [stored, texts] = await Promise.all([
      segments.chunks(ids),
      segments.texts(ids, MAX_PASSAGE_BYTES),
    ]);
    return chunks.map(({ id }) => {
      const at = ids.indexOf(id);
      const { section } = stored[at]!;
      return section.length === 0 ? texts[at]! : `${section.join(" > ")}\n${texts[at]!}`;
    });
  }

  async #ask(texts: readonly string[]): Promise<Float64Array | undefined> {
    const { reranker, question, patience } = this.#request;
    try {
      return await reranker.score(question, texts, patience.begin());
    } catch (error) {
      patience.signal?.throwIfAborted();
      if (patience.isOver) {
        this.problem = this.#request.late?.() ?? new RerankFailure("timeout", { seconds: patience.seconds });
      } else if (error instanceof UserError) this.problem = error;
      // The text of an error that nobody expected may hold secrets.
      else {this.problem = new RerankFailure("broken", {
          words: error instanceof Error ? error.name : typeof error,
        });}
      return undefined;
    }
  }
}

/** The judgements of a search. */
interface Judged {
  readonly scores: ReadonlyMap<number, { readonly score: number; readonly rankBefore: number }>;
  /** The lowest judgement, and the old score of the last chunk that was judged. */
  readonly lowest: number;
  readonly last: number;
}

const NOTHING: Judged = { scores: new Map(), lowest: 0, last: 0 };

/** Compares chunks of one answer: best first, judged ones before others, then in the order before the reranker. */
export function compareRanked(a: RankedChunk, b: RankedChunk): number {
  return b.score - a.score || Number(isJudged(b)) - Number(isJudged(a)) ||
    (b.rerank?.scoreBefore ?? 0) - (a.rerank?.scoreBefore ?? 0) || a.id - b.id;
}

function isJudged({ rerank }: RankedChunk): boolean {
  return rerank?.rankBefore !== undefined;
}

/** Opens the language model for a task on texts of folders; `undefined` where it may not be used for one of them. */
export type OpenLanguageModel = (
  task: ModelTask,
  roots: readonly string[],
) => Promise<LanguageModel | undefined>;

/** Returns why the configured reranker must not get texts of folders; `undefined` if it may. */
export type RerankRefusal = (roots: readonly string[]) => Promise<UserError | undefined>;

/** Most passages that a language model judges: more cost seconds, and the ones at the end are judged worse. */
const MOST_JUDGED = 20;

/** The reranker of a configuration, made at the first search and kept, because it remembers its server's dialect. */
export class RerankerChoice {
  readonly #rerank: Config["rerank"];
  readonly #llm: Config["llm"];
  /** Whether the language model may judge, by its task `rerank`. A reranker that the configuration names goes before it. */
  readonly #hasTask: boolean;
  readonly #languageModel: OpenLanguageModel | undefined;
  readonly #refusal: RerankRefusal | undefined;
  /** The section `search`, with `rerank` false if nothing is reranked. */
  readonly search: Config["search"];
  #reranker: Promise<Reranker | undefined> | undefined;

  constructor(
    { search, rerank, llm }: Config,
    { languageModel, rerankRefusal }: {
      readonly languageModel?: OpenLanguageModel | undefined;
      readonly rerankRefusal?: RerankRefusal | undefined;
    } = {},
  ) {
    this.#refusal = rerankRefusal;
    this.#llm = llm;
    this.#hasTask = search.rerank && llm.provider !== "none" && llm.tasks.includes("rerank") &&
      (rerank.provider === "none" || rerank.provider === "maxsim");
    this.#languageModel = languageModel;
    this.#rerank = search.rerank ? rerank : { ...rerank, provider: "none" };
    this.search = { ...search, rerank: this.#rerank.provider !== "none" };
  }

  /**
   * Returns the reranker of a search in these folders with its limits; `undefined` for `none` and `maxsim` without a language model.
   * `signal` aborts the search. `spent`: seconds that it has waited for the language model, which count for its reranking.
   */
  async options(
    roots: readonly string[],
    signal: AbortSignal | undefined,
    spent = 0,
  ): Promise<RerankOptions | undefined> {
    const { top_m: topM, timeout_seconds: seconds } = this.#rerank;
    const model = this.#hasTask ? await this.#languageModel?.("rerank", roots) : undefined;
    if (model !== undefined) {
      const least = Math.min(seconds, this.#llm.timeout_seconds);
      const params = { url: model.origin, seconds: least, section: "llm" };
      return {
        reranker: await taskReranker(model, this.#llm.prompts),
        topM: Math.min(topM, MOST_JUDGED),
        patience: new Patience(least, signal, spent),
        late: least < seconds ? () => new UserError("llm_timeout", params) : undefined,
      };
    }
    const patience = new Patience(seconds, signal);
    const refusal = await this.#refusal?.(roots);
    if (refusal !== undefined) {
      return { reranker: { id: "none", score: () => Promise.reject(refusal) }, topM, patience };
    }
    const reranker = await (this.#reranker ??= createReranker(this.#rerank, this.#llm.prompts));
    return reranker === undefined ? undefined : { reranker, topM, patience };
  }

  /** Frees what the reranker holds. */
  close(): void {
    this.#reranker?.then((reranker) => reranker?.close?.()).catch(() => {});
    this.#reranker = undefined;
  }
}
