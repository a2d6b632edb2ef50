/**
 * Candidates of the program's own search, fetched through Orama's interface.
 */
import { type AnyOrama, components, create, search, type TokenScore } from "@orama/orama";
import type { VectorQuery } from "#engine/index/mod.ts";
import type { FoundChunk, Segments, SegmentsOptions, SegmentsTerms } from "#engine/segments.ts";

/** The documents that one search may find, by internal number, with their scores in each leg. */
export class FoundDocuments extends Set<number> {
  byTerm: TokenScore[] = [];
  byVector: TokenScore[] = [];
}

/** The searches of an Orama database, see {@linkcode indexComponent}. */
interface Searches<Params> {
  /** Dimensions of the vectors by the name of their property. */
  readonly vectors: Readonly<Record<string, number>>;
  /** Fetches the candidates of a search. The object that is passed as `where` identifies them. */
  prepare(db: AnyOrama, params: Params): Promise<void>;
  /** Returns the candidates that were fetched for a `where`. */
  candidatesOf(where: object): FoundDocuments;
  /** Ends a search. */
  release?(params: Params): void;
}

/**
 * Returns the component `index` of an Orama database whose index lies in a store. Orama's core is synchronous
 * and awaits only the hooks of a search, but a store is asynchronous. So a hook fetches the candidates before the core
 * begins:
 *
 * ```text
 * search(db, params)
 *   beforeSearch           prepare(): term, vector, where, limit -> candidates of both legs
 *   searchByWhereClause    the candidates of this search, which Orama hands on to the legs
 *   search, node.find      their scores by term, by vector
 *   Orama                  fusion, sorting, pins, offset and limit, facets, groups, documents
 *   afterSearch            release()
 * ```
 *
 * The object in `where` identifies a search, so every search needs a new one.
 */
export function indexComponent<Params>(searches: Searches<Params>): object {
  const vectorIndexes = Object.fromEntries(
    Object.entries(searches.vectors).map(([property, size]) => [property, vectorIndex(size)]),
  );
  return {
    create(db: AnyOrama) {
      // This hook must run last, because the hooks of plugins may change the search.
      db.afterCreate.push(() => {
        db.beforeSearch.push(async (_, params) => await searches.prepare(db, params as Params));
        db.afterSearch.push((_, params) => searches.release?.(params as Params));
      });
      return { indexes: {}, vectorIndexes };
    },
    searchByWhereClause: (_index: unknown, _tokenizer: unknown, where: object) =>
      searches.candidatesOf(where),
    search: (...parameters: readonly unknown[]) => (parameters[WHERE_PARAMETER] as FoundDocuments).byTerm,
    getSearchableProperties: () => ["content"],
    getSearchablePropertiesWithTypes: (): Record<string, string> => ({ content: "string" }),
    ...unsupported(
      "insert",
      "remove",
      "insertDocumentScoreParameters",
      "insertTokenScoreParameters",
      "removeDocumentScoreParameters",
      "removeTokenScoreParameters",
      "calculateResultScores",
      "load",
      "save",
    ),
  };
}

/** Returns the entry that Orama keeps for each vector property with `size` dimensions. */
function vectorIndex(size: number): AnyOrama["data"]["index"]["vectorIndexes"][string] {
  const find = (_: unknown, similarity: number, { byVector }: FoundDocuments) =>
    byVector.filter(([, score]) => score >= similarity);
  return { type: "Vector", isArray: false, node: { size, find } } as never;
}

/** Position of the result of `searchByWhereClause` among the parameters of the index's `search`. */
const WHERE_PARAMETER = 10;

/** Returns Orama's internal number of a document. Orama assigns it when the document is first used. */
export function internalId(db: AnyOrama, id: string): number {
  return components.internalDocumentIDStore.getInternalDocumentId(db.internalDocumentIDStore, id);
}

/** Returns the functions of a component that would change or copy the database. Orama requires them to exist; they throw. */
export function unsupported(...names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, () => {
    throw new TypeError(`${name}: the database is read-only; it changes when the folder is indexed`);
  }]));
}

/** A search of {@linkcode Segments} in Orama's parameters. The values are those that they take. */
interface SegmentsSearch {
  readonly mode: "fulltext" | "vector";
  readonly term?: SegmentsTerms;
  readonly vector?: { readonly value: Float32Array; readonly property: string; readonly query: VectorQuery };
  readonly where: { readonly segments: Segments; readonly wanted: SegmentsOptions };
  readonly limit: number;
}

/** The candidates of a search, with their chunks. */
class FoundCandidates extends FoundDocuments {
  found: readonly FoundChunk[] = [];
}

/**
 * Fetches the candidates of the product's own search through Orama: `mode`, `term`, `vector`, `where` and `limit` of Orama's
 * `search` carry the request.
 *
 * Orama adds 10 to 25 µs to a leg of 50 candidates. The leg then takes 1.2 to 1.5 times as long over 1,957 chunks and 1.2
 * times as long over 39,742 chunks; a hybrid search over 1,957 chunks takes 1.01 times as long (one run, 2 cores in use by
 * others).
 */
export class OramaLegs {
  readonly #database: AnyOrama;
  readonly #candidates = new WeakMap<object, FoundCandidates>();
  /** Empty documents, one per position in a list. The texts of chunks are read only when they are shown. */
  readonly #documents: Record<number, object> = {};

  constructor() {
    const index = indexComponent<SegmentsSearch>({
      vectors: {},
      prepare: (db, params) => this.#prepare(db, params),
      candidatesOf: (where) => this.#candidates.get(where)!,
    });
    const documentsStore = {
      create: () => ({ docs: this.#documents }),
      get: (_: unknown, place: number) => this.#documents[place],
      ...unsupported("getMultiple", "getAll", "store", "remove", "load", "save"),
      count: () => 0,
    };
    this.#database = create({
      schema: {},
      sort: { enabled: false },
      // deno-lint-ignore no-explicit-any -- Orama's types know only its own index
      components: { index, documentsStore } as any,
    });
  }

  /**
   * Returns the legs of a ranking over some indexes: their {@linkcode Segments.byTerms} and {@linkcode Segments.byVector}.
   */
  of(segments: Segments): Pick<Segments, "byTerms" | "byVector"> {
    const common = (wanted: SegmentsOptions) => ({ where: { segments, wanted }, limit: wanted.limit });
    return {
      byTerms: (term, wanted) => this.#search({ mode: "fulltext", term, ...common(wanted) }),
      byVector: (query, wanted) => {
        const value = query.vector;
        const property = `vector${value.length}`;
        this.#database.data.index.vectorIndexes[property] ??= vectorIndex(value.length);
        return this.#search({ mode: "vector", vector: { value, property, query }, ...common(wanted) });
      },
    };
  }

  async #search(params: SegmentsSearch): Promise<FoundChunk[]> {
    const { hits } = await search(
      this.#database,
      { ...params, similarity: -1, includeVectors: true } as never,
    );
    const { found } = this.#candidates.get(params.where)!;
    return hits.map(({ id }) => found[Number(id)]!);
  }

  async #prepare(db: AnyOrama, { term, vector, where }: SegmentsSearch): Promise<void> {
    const { segments, wanted } = where;
    const candidates = new FoundCandidates();
    this.#candidates.set(where, candidates);
    const found = term === undefined
      ? await segments.byVector(vector!.query, wanted)
      : await segments.byTerms(term, wanted);
    // Orama identifies a chunk by its position in the list, which keeps chunks with equal scores in order.
    for (let place = db.internalDocumentIDStore.internalIdToId.length; place < found.length; place++) {
      this.#documents[internalId(db, String(place))] = {};
    }
    candidates.found = found;
    candidates[term === undefined ? "byVector" : "byTerm"] = found.map(({ score }, i) => [i + 1, score]);
  }
}
