import { type AnyOrama, create, search } from "@orama/orama";
import type { Collection, CollectionHit, Filter, QueryLists } from "./collection.ts";
import type { Tokenizer } from "./text/mod.ts";

/** What the search under way asks for; Orama's own parameters have no place for it. */
type Request =
  | { readonly lists: QueryLists; readonly limit: number; readonly filter: Filter | undefined }
  | {
    readonly vector: Float32Array;
    readonly model: string | undefined;
    readonly limit: number;
    readonly filter: Filter | undefined;
  };

/** Orama asks for a property of text and one of vectors. */
const TEXT = "content", VECTOR = "embedding";

/** A collection as an Orama database: Orama is the query shell, the index and the documents are ours. */
export class OramaDatabase {
  readonly #database: AnyOrama;
  #request: Request | undefined;
  #hits: readonly CollectionHit[] = [];

  constructor(readonly collection: Collection, readonly tokenizer: Tokenizer) {
    this.#database = create({
      schema: { [TEXT]: "string" },
      sort: { enabled: false },
      components: {
        tokenizer: {
          language: "multilingual",
          normalizationCache: new Map(),
          tokenize: (raw: string) => tokenizer.tokenize(raw),
        },
        index: this.#index(),
        documentsStore: documentsOf(collection),
      } as unknown as NonNullable<Parameters<typeof create>[0]["components"]>,
    });
    // Orama names hits by this table; ours are found by number, so it only needs the right length
    this.#database.internalDocumentIDStore.internalIdToId.length = collection.size;
  }

  /** The `limit` best chunks for `query` by keywords, best first, equals in the order of the collection. */
  search(query: string, limit: number, filter?: Filter): readonly CollectionHit[] {
    return this.searchLists(this.collection.lookUp(this.tokenizer.queryTerms(query)), limit, filter);
  }

  /** As {@linkcode search}, with terms that the collection has looked up. */
  searchLists(lists: QueryLists, limit: number, filter?: Filter): readonly CollectionHit[] {
    // Orama wants a term, without one it gives every document; ours are in the lists
    return this.#search({ lists, limit, filter }, { term: TEXT, limit });
  }

  /** The `limit` chunks nearest to a vector (length 1) of a model, best first; `score` is the cosine, `coverage` 0. */
  searchVectors(
    vector: Float32Array,
    model: string | undefined,
    limit: number,
    filter?: Filter,
  ): readonly CollectionHit[] {
    const parameters = { mode: "vector", similarity: 0, limit, vector: { value: vector, property: VECTOR } };
    return this.#search({ vector, model, limit, filter }, parameters);
  }

  #search(request: Request, parameters: object): readonly CollectionHit[] {
    this.#request = request;
    this.#hits = [];
    const result = search(this.#database, parameters as Parameters<typeof search>[1]);
    if (result instanceof Promise) throw new TypeError("an Orama without hooks answers at once");
    const byId = new Map(this.#hits.map((hit) => [hit.id, hit]));
    return result.hits.map(({ document }) => byId.get((document as { chunk: number }).chunk)!);
  }

  /** The terms of a query that say something: what an excerpt should show. */
  wordsOf(query: string): string[] {
    return this.tokenizer.queryTerms(query).filter(({ weight }) => weight === 1).map(({ term }) => term);
  }

  /** Carries out the search under way. Orama counts documents from 1. */
  #run(): [number, number][] {
    const request = this.#request!;
    const { limit, filter } = request;
    this.#hits = "lists" in request
      ? this.collection.searchLists(request.lists, limit, filter)
      : this.collection.searchVectors(request.vector, request.model, limit, filter);
    return this.#hits.map(({ id, score }) => [id + 1, score]);
  }

  #index(): object {
    const unsupported = () => {
      throw new TypeError("the index is written by IndexWriter, not through Orama");
    };
    // indexes of several models can be in one collection: whatever is asked for fits
    const size = () =>
      this.#request !== undefined && "vector" in this.#request ? this.#request.vector.length : 0;
    const node = {
      find: () => this.#run(),
      get size() {
        return size();
      },
    };
    return {
      create: () => ({ indexes: {}, vectorIndexes: { [VECTOR]: { node } }, searchableProperties: [TEXT] }),
      getSearchableProperties: () => [TEXT],
      getSearchablePropertiesWithTypes: () => ({ [TEXT]: "string" }),
      search: () => this.#run(),
      searchByWhereClause: unsupported,
      insert: unsupported,
      remove: unsupported,
      insertDocumentScoreParameters: unsupported,
      insertTokenScoreParameters: unsupported,
      removeDocumentScoreParameters: unsupported,
      removeTokenScoreParameters: unsupported,
      calculateResultScores: unsupported,
      load: unsupported,
      save: unsupported,
    };
  }
}

/** Documents are references to chunks: their texts are read only where they are shown. */
function documentsOf(collection: Collection): object {
  const get = (_store: unknown, id: number | string) => ({ chunk: Number(id) - 1 });
  const unsupported = () => {
    throw new TypeError("documents are stored by IndexWriter, not through Orama");
  };
  return {
    // the search by vectors looks into the store itself
    create: () => ({ docs: new Proxy({}, { get: (store, id) => get(store, String(id)) }) }),
    get,
    getMultiple: (store: unknown, ids: (number | string)[]) => ids.map((id) => get(store, id)),
    getAll: unsupported,
    store: unsupported,
    remove: unsupported,
    count: () => collection.size,
    load: unsupported,
    save: unsupported,
  };
}
