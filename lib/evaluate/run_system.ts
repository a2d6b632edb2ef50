import type { Config } from "../config/mod.ts";
import { type Library, openLibrary, type OtherPlace } from "../search/mod.ts";
import type { DegreeOfHit } from "./degrees.ts";
import { type HitSpan, isRight, judge, type Judged } from "./judge.ts";
import type { Corpus, QuerySet, System } from "./types.ts";

/** Queries that are run before the time is measured, so that the index is loaded and the code compiled. */
const WARM_UP = 50;

/** The maximum of `search.max_chars`, so that no hit is left out for the length of its text. */
const MAX_CHARS = 1_000_000;

/** Distinct notices that are kept. There can be one for each query, for example if its phrase is not found. */
const MAX_NOTICES = 5;

/** Results of one system, in the order of the queries. */
export interface SystemRun {
  readonly rankings: readonly (readonly HitSpan[])[];
  readonly judged: readonly Judged[];
  /** All hits with their degrees. */
  readonly degrees: readonly DegreeOfHit[];
  /** Wall-clock milliseconds of each query that is not blank. */
  readonly milliseconds: readonly number[];
  readonly notices: readonly string[];
}

/** Runs all queries on a system whose index exists. Throws the errors of {@linkcode Library.search}. */
export async function runSystem(
  { config, mode }: System,
  { unit, queries }: QuerySet,
  corpus: Corpus,
  { k, signal, onQuery }: { k: number; signal?: AbortSignal; onQuery: (done: number) => void },
): Promise<SystemRun> {
  const library = openLibrary([corpus.root], forRanking(corpus.rules(config), unit), {
    key: corpus.key,
    indexDirs: corpus.indexDirs,
    models: await corpus.models(config),
  });
  const ask = async (library: Library, query: string) =>
    await library.search({ query, topK: k, ...(mode === undefined ? {} : { mode }) }, signal);
  const spanOf = ({ filePath, startLine, endLine, page }: OtherPlace): HitSpan => {
    return { document: corpus.documentOf(filePath), first: startLine, last: endLine, page };
  };
  const rankings: HitSpan[][] = [];
  const degrees: DegreeOfHit[] = [];
  const milliseconds: number[] = [];
  const notices = new Set<string>();
  try {
    // The search refuses a blank query, so it finds nothing.
    const askable = queries.filter(({ text }) => text.trim() !== "");
    for (const { text } of askable.slice(0, WARM_UP)) await ask(library, text);
    for (const [at, { text, targets }] of queries.entries()) {
      signal?.throwIfAborted();
      const ranking: HitSpan[] = [];
      if (text.trim() !== "") {
        const began = performance.now();
        const answer = await ask(library, text);
        milliseconds.push(performance.now() - began);
        for (const hit of answer.hits) {
          const { section, also = [], content, degree } = hit;
          // Parts of other files with the same text have the same headings.
          const span = { ...spanOf(hit), section, also: also.map((part) => ({ ...spanOf(part), section })) };
          ranking.push(span);
          degrees.push({ query: text, text: content, degree, right: isRight(span, targets) });
        }
        for (const notice of answer.notices) if (notices.size < MAX_NOTICES) notices.add(notice);
      }
      rankings.push(ranking);
      onQuery(at + 1);
    }
  } finally {
    library.close();
  }
  const judged = queries.map(({ targets }, at) => judge(rankings[at]!, targets));
  return { rankings, judged, degrees, milliseconds, notices: [...notices] };
}

function forRanking(config: Config, unit: QuerySet["unit"]): Config {
  const search = { ...config.search, "max_chars": MAX_CHARS };
  return { ...config, search: unit === "file" ? { ...search, "per_doc_limit": 1 } : search };
}
