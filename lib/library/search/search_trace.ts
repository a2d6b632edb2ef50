/**
 * The stages of a search as they are traced. While it runs, stages only note their candidates; the candidates get their names when the
 * answer has left. A search that is not traced loads nothing of this.
 */
import { chunkId, type FoundChunk, type Segments } from "#engine/segments.ts";
import type { RankTrace } from "#engine/rank/mod.ts";
import { type Candidate, type Facts, LISTED, type Span, type Stage } from "#foundation/span.ts";
import type { Hit, SearchAnswer, SearchRequest } from "./types.ts";

/** Traces a search. Its phases follow each other without a gap; the legs of a ranking stand between two of them. */
export class SearchTrace {
  readonly span: Span;
  #stage: Stage | undefined;
  #phase: Span | undefined;

  /** `span`: the stage that those of the search are in. */
  constructor(span: Span) {
    this.span = span;
  }

  /** Begins a phase, unless it has begun, and ends the one before. */
  enter(stage: Stage, facts?: Facts, texts?: Facts): Span {
    if (this.#phase === undefined || this.#stage !== stage) {
      this.leave();
      this.#stage = stage;
      this.#phase = this.span.child(stage);
    }
    if (facts !== undefined) this.#phase.add(facts, texts);
    return this.#phase;
  }

  /** Ends the phase. */
  leave(): void {
    this.#phase?.end();
    this.#phase = undefined;
  }

  /** Lists hits, whose names are known. */
  listHits(hits: readonly Hit[]): void {
    const most = LISTED[this.span.detail];
    const passages = this.enter("passages", { counts: { hits: hits.length } });
    if (most > 0) {
      this.span.after(() => {
        const candidates = hits.slice(0, most).map(({ chunkId, filePath, score, degree }, i) => {
          return { chunk: chunkId, path: filePath, score, rank: i + 1, degree } satisfies Candidate & {
            degree: string;
          };
        });
        passages.add({ candidates });
      });
    }
  }

  /** Traces the rankings of some indexes. */
  over(segments: Segments): RankTrace {
    return new NamedCandidates(this.span, segments);
  }

  /** Keeps what the names of candidates are read from until they are known. */
  keeping(resource: Disposable): Disposable {
    return { [Symbol.dispose]: () => this.span.after(() => resource[Symbol.dispose]()) };
  }
}

/** Notes the candidates of stages, and names them when the trace has ended. */
class NamedCandidates implements RankTrace {
  readonly span: Span;
  readonly #segments: Segments;
  readonly #lists = new Map<Span, readonly FoundChunk[]>();

  constructor(span: Span, segments: Segments) {
    this.span = span;
    this.#segments = segments;
    span.after(() => this.#name());
  }

  list(stage: Span, candidates: readonly FoundChunk[]): void {
    const most = LISTED[stage.detail];
    if (most > 0) this.#lists.set(stage, candidates.slice(0, most));
  }

  async #name(): Promise<void> {
    const chunks = new Map(this.#lists.values().flatMap((list) => list.map((chunk) => [chunk.id, chunk])));
    const ids = Int32Array.from(chunks.keys()).sort();
    const [stored, identities] = await Promise.all([
      this.#segments.chunks(ids),
      this.#segments.identities(ids),
    ]);
    const names = new Map(Array.from(ids, (id, i) => {
      const chunk = chunks.get(id)!;
      return [id, { chunk: chunkId(chunk, stored[i]!, identities[i]!), path: chunk.filePath }] as const;
    }));
    for (const [stage, list] of this.#lists) {
      const candidates = list.map(({ id, score }, i): Candidate => ({
        ...names.get(id)!,
        score,
        rank: i + 1,
      }));
      stage.add({ candidates });
    }
  }
}

/** Returns the facts about a request for its trace but its mode, and as its texts the request itself. */
export function requestFacts(
  { span: _span, traceParent: _parent, marks: _marks, principal: _principal, ...request }: SearchRequest,
): { readonly facts: Facts; readonly texts: Facts } {
  const { query, topK, offset, filters, dirPath, history, minDegree, ranking, explain } = request;
  return {
    facts: {
      ...(topK !== undefined && { topK }),
      ...(offset !== undefined && { offset }),
      ...(minDegree !== undefined && { minDegree }),
      ...(ranking !== undefined && { ranking }),
      ...(filters !== undefined && { filtered: true }),
      ...(dirPath !== undefined && { inFolder: true }),
      ...(history !== undefined && history.length > 0 && { history: history.length }),
      ...(explain === true && { explained: true }),
    },
    texts: { question: query, request },
  };
}

/** Returns the facts about an answer for its trace. */
export function answerFacts({ hits, notices, more, freshness, leftOut, lowerDegree }: SearchAnswer): Facts {
  return {
    counts: {
      hits: hits.length,
      files: new Set(hits.map(({ filePath }) => filePath)).size,
      notices: notices.length,
      ...(leftOut !== undefined && { leftOut: leftOut.reduce((sum, { passages }) => sum + passages, 0) }),
      ...(lowerDegree !== undefined && { lowerDegree }),
    },
    ...(more && { more }),
    ...(freshness !== undefined && { freshness: freshness.state }),
  };
}
