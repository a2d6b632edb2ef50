import { type AnyOrama, create, search } from "@orama/orama";
import type { Collection, CollectionHit, Filter } from "./collection.ts";
import { Tokenizer } from "./text/mod.ts";

/** What one search of the database asks of the index component; Orama's own parameters have no place for it. */
interface Request {
  limit: number;
  filter: Filter | undefined;
}

/** A collection as an Orama database: Orama is the query shell, the index and the documents are ours. */
export class OramaDatabase {
  readonly #database: AnyOrama;
  readonly #request: Request = { limit: 0, filter: undefined };
  #hits: readonly CollectionHit[] = [];
  readonly #tokenizer: Tokenizer;

  constructor(readonly collection: Collection, tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
    this.#database = create({
      schema: { content: "string" },
      sort: { enabled: false },
      components: {
        tokenizer: {
          language: "multilingual",
          normalizationCache: new Map(),
          tokenize: (raw: string) => tokenizer.tokenize(raw),
        },
        index: this.#index(tokenizer),
        documentsStore: documentsOf(collection),
      } as unknown as NonNullable<Parameters<typeof create>[0]["components"]>,
    });
    // Orama names hits by this table; ours are found by number, so it only needs the right length
    this.#database.internalDocumentIDStore.internalIdToId.length = collection.size;
  }

  /** The `limit` best chunks for `query` by keywords, best first. */
  search(query: string, limit: number, filter?: Filter): readonly CollectionHit[] {
    // without a term Orama gives every document
    if (query === "") return [];
    this.#request.limit = limit;
    this.#request.filter = filter;
    this.#hits = [];
    const result = search(this.#database, { term: query, limit });
    if (result instanceof Promise) throw new TypeError("an Orama without hooks answers at once");
    const byId = new Map(this.#hits.map((hit) => [hit.id, hit]));
    return result.hits.map(({ document }) => byId.get(document.chunk as number)!);
  }

  /** The terms of a query that say something: what an excerpt should show. */
  wordsOf(query: string): string[] {
    return this.#tokenizer.queryTerms(query).filter(({ weight }) => weight === 1).map(({ term }) => term);
  }

  #index(tokenizer: Tokenizer): object {
    const unsupported = () => {
      throw new TypeError("the index is written by IndexWriter, not through Orama");
    };
    return {
      create: () => ({ indexes: {}, vectorIndexes: {}, searchableProperties: ["content"] }),
      getSearchableProperties: () => ["content"],
      getSearchablePropertiesWithTypes: () => ({ content: "string" }),
      search: (_index: unknown, term: string) => {
        const { limit, filter } = this.#request;
        this.#hits = this.collection.search(tokenizer.queryTerms(term), limit, filter);
        // Orama counts documents from 1
        return this.#hits.map(({ id, score }) => [id + 1, score]);
      },
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
    create: () => ({ docs: {} }),
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
