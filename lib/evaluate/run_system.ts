import type { Config } from "../config/mod.ts";
import { type Library, openLibrary, type OtherPlace } from "../search/mod.ts";
import { judge, type Judged, type Place } from "./judge.ts";
import type { Corpus, QuerySet, System } from "./types.ts";

/** Queries asked before the clock counts: the index is loaded and the code compiled by then. */
const WARM_UP = 50;

/** The greatest value of `search.max_chars`: no hit must be left out because its text is long. */
const MAX_CHARS = 1_000_000;

/** Different remarks that are kept: those on single queries, as a phrase not found, may be as many as the queries. */
const MAX_NOTICES = 5;

/** Results of one system for every query, in their order. */
export interface SystemRun {
  readonly rankings: readonly (readonly Place[])[];
  readonly judged: readonly Judged[];
  /** Wall-clock time of each query that could be asked. */
  readonly milliseconds: readonly number[];
  readonly notices: readonly string[];
}

/** Puts every query to a system, whose index is there. Throws what `Library.search` throws. */
export async function runSystem(
  { config, mode }: System,
  { unit, queries }: QuerySet,
  corpus: Corpus,
  { k, signal, onQuery }: { k: number; signal?: AbortSignal; onQuery: (done: number) => void },
): Promise<SystemRun> {
  const library = openLibrary([corpus.root], forRanking(config, unit), { key: corpus.key });
  const ask = async (library: Library, query: string) =>
    await library.search({ query, topK: k, ...(mode === undefined ? {} : { mode }) }, signal);
  const placeOf = ({ filePath, startLine, endLine, page }: OtherPlace): Place => {
    return { document: corpus.documentOf(filePath), first: startLine, last: endLine, page };
  };
  const rankings: Place[][] = [];
  const milliseconds: number[] = [];
  const notices = new Set<string>();
  try {
    // A blank query cannot be asked, and finds nothing.
    const askable = queries.filter(({ text }) => text.trim() !== "");
    for (const { text } of askable.slice(0, WARM_UP)) await ask(library, text);
    for (const [at, { text }] of queries.entries()) {
      signal?.throwIfAborted();
      const ranking: Place[] = [];
      if (text.trim() !== "") {
        const began = performance.now();
        const answer = await ask(library, text);
        milliseconds.push(performance.now() - began);
        for (const hit of answer.hits) {
          const { section, also = [] } = hit;
          // where the same stands, the same headings lead to it
          ranking.push({
            ...placeOf(hit),
            section,
            also: also.map((place) => ({ ...placeOf(place), section })),
          });
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
  return { rankings, judged, milliseconds, notices: [...notices] };
}

function forRanking(config: Config, unit: QuerySet["unit"]): Config {
  const search = { ...config.search, "max_chars": MAX_CHARS };
  return { ...config, search: unit === "file" ? { ...search, "per_doc_limit": 1 } : search };
}
