import type { AnyOrama, create, TokenScore } from "@orama/orama";
import { Tokenizer } from "../../index/mod.ts";
import type { ChunkFilter, OpenIndex } from "../../store/mod.ts";
import type { FoundChunk } from "../collection_types.ts";
import { Collection } from "../collection.ts";
import { addCandidates, Candidates, indexComponent, internalId, unsupported } from "./candidates.ts";
import { IndexDocuments, type OramaDocument } from "./documents.ts";
import { filterOf, type Where } from "./where.ts";

/** Name of the property that holds the vector of a chunk. */
const EMBEDDING = "embedding";

/** Properties of a document, without its vector. */
const PROPERTIES = {
  content: "string",
  path: "enum",
  type: "enum",
  lang: "enum",
  modified: "number",
} as const;

/** The schema of an index as an Orama database. */
export type OramaSchema = typeof PROPERTIES & { readonly [EMBEDDING]: `vector[${number}]` };

/** Returns the schema to use with {@linkcode oramaComponents}. */
export function oramaSchema({ vectors }: OpenIndex): OramaSchema {
  return { ...PROPERTIES, [EMBEDDING]: `vector[${vectors?.dimensions ?? 0}]` };
}

/** Options of {@linkcode oramaComponents}. */
export interface OramaOptions {
  /**
   * Returns the vector of a term. It is called in the modes `vector` and `hybrid` if the search gives no vector. Without it
   * each of these searches must give one.
   */
  readonly embed?: (term: string) => Float32Array | Promise<Float32Array>;
  /**
   * Minimum number of chunks that each leg fetches if Orama processes them further: in hybrid searches, and for facets,
   * groups, `distinctOn`, `sortBy` and `exact`. Default: 100.
   */
  readonly candidates?: number;
}

/** The components of an Orama database. */
export type OramaComponents = NonNullable<Parameters<typeof create<OramaSchema>>[0]["components"]>;

/**
 * Returns the components with which Orama's `create` opens an index of any store as its own database, for reading. Every
 * chunk is a document, see {@linkcode OramaDocument}. `search`, `count` and `getByID` then work as with any Orama database,
 * but `search` and `getByID` must be awaited. The index must stay open.
 *
 * Terms, BM25 and cosines are those of the index. `similarity` is 0 by default. The `count` of an answer is the number of
 * candidates fetched, not of all matching documents. `where` supports `path`, `type`, `lang` and `modified`.
 */
export function oramaComponents(index: OpenIndex, options: OramaOptions = {}): OramaComponents {
  const searches = new IndexSearches(index, options);
  return {
    tokenizer: {
      language: "multilingual",
      normalizationCache: new Map(),
      tokenize: (raw: string) => searches.tokenizer.tokenize(raw),
    },
    index: { ...indexComponent(searches), getSearchablePropertiesWithTypes: () => oramaSchema(index) },
    documentsStore: documentsComponent(searches, index),
    sorter: sorterComponent(searches),
  } as unknown as OramaComponents;
}

/** The parameters of Orama's `search` that are read here. Orama's own type differs by mode. */
interface SearchParams {
  readonly mode?: "fulltext" | "vector" | "hybrid";
  readonly term?: string;
  readonly limit?: number;
  readonly offset?: number;
  readonly facets?: unknown;
  readonly groupBy?: unknown;
  readonly distinctOn?: unknown;
  readonly sortBy?: unknown;
  readonly exact?: boolean;
  similarity?: number | undefined;
  where?: Where | undefined;
  vector?: { readonly value: Float32Array | readonly number[]; readonly property: string } | undefined;
}

/** Parameters that Orama's own index understands and this one does not. */
const UNSUPPORTED = ["boost", "tolerance", "relevance", "threshold"] as const;

/** Parameters that a search changes until it has ended. */
type Changed = Pick<SearchParams, "similarity" | "where" | "vector">;

const DEFAULT_CANDIDATES = 100;
/** Searches whose documents are kept, at most. A search that fails inside Orama does not release its documents. */
const MAX_SEARCHES = 1000;

/** The searches of an index that is open as an Orama database. */
class IndexSearches {
  readonly tokenizer = new Tokenizer();
  readonly vectors: Readonly<Record<string, number>>;
  /** Documents of the searches under way by internal number. */
  readonly documents: Record<number, OramaDocument> = {};
  readonly reader: IndexDocuments;
  readonly #index: OpenIndex;
  readonly #collection: Collection;
  readonly #options: OramaOptions;
  readonly #candidates = new WeakMap<object, Candidates>();
  readonly #underWay = new Map<SearchParams, { readonly given: Changed; readonly documents: number[] }>();
  /** Number of searches under way that need a document, by internal number. */
  readonly #users = new Map<number, number>();

  constructor(index: OpenIndex, options: OramaOptions) {
    this.vectors = { [EMBEDDING]: index.vectors?.dimensions ?? 0 };
    this.reader = new IndexDocuments(index);
    this.#index = index;
    this.#collection = new Collection([index]);
    this.#options = options;
  }

  candidatesOf(where: object): Candidates {
    return this.#candidates.get(where)!;
  }

  async prepare(db: AnyOrama, params: SearchParams): Promise<void> {
    this.release(params);
    const { mode = "fulltext", term, similarity, where, vector } = params;
    for (const name of UNSUPPORTED) {
      if ((params as Record<string, unknown>)[name] === undefined) continue;
      throw new TypeError(`${name} is not supported: terms and scores are those of the index`);
    }
    const filter = where && filterOf(where, this.#index.files);
    const limit = this.#limitOf(params);
    const candidates = new Candidates();
    if (mode !== "vector") {
      const found = term ? await this.#byTerm(term, limit, filter) : await this.#list(limit, filter);
      candidates.byTerm = addCandidates(db, candidates, found);
    }
    let value: Float32Array | undefined;
    if (mode !== "fulltext") {
      value = await this.#vectorOf(params);
      const wanted = { limit, filter: () => filter };
      const found = await this.#collection.byVector({ vector: unit(value), model: undefined }, wanted);
      candidates.byVector = addCandidates(db, candidates, found);
    }
    const documents = await this.#keepDocuments(db, candidates, params);
    this.#underWay.set(params, { given: { similarity, where, vector }, documents });
    if (this.#underWay.size > MAX_SEARCHES) this.release(this.#underWay.keys().next().value!);
    // The object belongs to this search alone. It has a property, because Orama ignores an empty `where`.
    params.where = { and: [] };
    this.#candidates.set(params.where, candidates);
    params.similarity = similarity ?? 0;
    if (value !== undefined) params.vector = { value, property: vector?.property ?? EMBEDDING };
  }

  /** Forgets the documents of a search and restores its parameters. */
  release(params: SearchParams): void {
    const search = this.#underWay.get(params);
    if (search === undefined) return;
    this.#underWay.delete(params);
    Object.assign(params, search.given);
    for (const internal of search.documents) {
      const users = this.#users.get(internal)! - 1;
      this.#users.set(internal, users);
      if (users > 0) continue;
      this.#users.delete(internal);
      delete this.documents[internal];
    }
  }

  /** Number of chunks that each leg fetches. */
  #limitOf(params: SearchParams): number {
    const { limit = 10, offset = 0, mode, exact, facets, groupBy, distinctOn, sortBy } = params;
    const shown = offset + limit;
    const computesOn = mode === "hybrid" || exact === true ||
      [facets, groupBy, distinctOn, sortBy].some((given) => given !== undefined);
    return computesOn ? Math.max(shown, this.#options.candidates ?? DEFAULT_CANDIDATES) : shown;
  }

  async #byTerm(term: string, limit: number, filter: ChunkFilter | undefined): Promise<FoundChunk[]> {
    const terms = await this.#collection.lookUp(this.tokenizer.queryTerms(term));
    return await this.#collection.byTerms(terms, { limit, filter: () => filter });
  }

  /** Returns the first chunks, for a search without a term. */
  async #list(limit: number, filter: ChunkFilter | undefined): Promise<{ id: number; score: number }[]> {
    return (await this.reader.first(limit, filter)).map((id) => ({ id, score: 0 }));
  }

  async #vectorOf({ term, vector }: SearchParams): Promise<Float32Array> {
    const value = vector?.value ?? (term === undefined ? undefined : await this.#options.embed?.(term));
    if (value === undefined) {
      throw new TypeError("the search has no vector, and the database has no function `embed`");
    }
    return Float32Array.from(value);
  }

  /** Reads the documents of the candidates and of pinned ones. Returns their internal numbers. */
  async #keepDocuments(db: AnyOrama, candidates: Candidates, { term }: SearchParams): Promise<number[]> {
    const pinned = db.pinning.getMatchingRules(db.data.pinning, term).flatMap(({ consequence }) =>
      consequence.promote.map((pin: Readonly<Record<"doc_id", string>>) => internalId(db, pin["doc_id"]))
    );
    const internals = [...new Set([...candidates, ...pinned])];
    const chunks = internals.map((internal) =>
      Number(db.internalDocumentIDStore.internalIdToId[internal - 1])
    );
    const documents = await this.reader.read(Int32Array.from(chunks).sort());
    const byId = new Map(documents.map((document) => [Number(document.id), document]));
    for (const [i, internal] of internals.entries()) {
      this.documents[internal] = byId.get(chunks[i]!)!;
      this.#users.set(internal, (this.#users.get(internal) ?? 0) + 1);
    }
    return internals;
  }
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Reads documents by internal number if a search under way needs them, by id from the index. */
function documentsComponent({ documents, reader }: IndexSearches, index: OpenIndex): object {
  let internalOf: (id: string) => number;
  return {
    create(db: AnyOrama) {
      internalOf = (id) => internalId(db, id);
      return { docs: documents };
    },
    get: (_: unknown, id: string | number) => typeof id === "number" ? documents[id] : reader.get(id),
    getMultiple: (_: unknown, ids: readonly (string | number)[]) =>
      ids.map((id) => documents[typeof id === "number" ? id : internalOf(id)]),
    count: () => index.statistics.chunks,
    ...unsupported("getAll", "store", "remove", "load", "save"),
  };
}

/** Sorts the candidates of a search by a property of their documents. */
function sorterComponent({ documents }: IndexSearches): object {
  return {
    create: () => ({}),
    sortBy(
      _: unknown,
      candidates: readonly TokenScore[],
      { property, order }: { readonly property: keyof OramaDocument; readonly order?: string },
    ) {
      const sign = order === "DESC" ? -1 : 1;
      const valueOf = ([internal]: TokenScore) => documents[internal]![property]!;
      return candidates.toSorted((a, b) =>
        valueOf(a) < valueOf(b) ? -sign : valueOf(a) > valueOf(b) ? sign : 0
      );
    },
    getSortableProperties: () => Object.keys(PROPERTIES),
    getSortablePropertiesWithTypes: () => PROPERTIES,
    ...unsupported("insert", "remove", "load", "save"),
  };
}
