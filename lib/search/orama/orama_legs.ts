import { type AnyOrama, create, search } from "@orama/orama";
import type { VectorQuery } from "../../store/mod.ts";
import type { CollectionTerms, CollectionWanted, FoundChunk } from "../collection_types.ts";
import type { Collection } from "../collection.ts";
import { Candidates, indexComponent, internalId, unsupported, vectorIndex } from "./candidates.ts";

/** A search of a collection in Orama's parameters. The values are those that a {@linkcode Collection} takes. */
interface CollectionSearch {
  readonly mode: "fulltext" | "vector";
  readonly term?: CollectionTerms;
  readonly vector?: { readonly value: Float32Array; readonly property: string; readonly query: VectorQuery };
  readonly where: { readonly collection: Collection; readonly wanted: CollectionWanted };
  readonly limit: number;
}

/** The candidates of a search, with their chunks. */
class FoundCandidates extends Candidates {
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
    const index = indexComponent<CollectionSearch>({
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
   * Returns the legs of a ranking over a collection: its {@linkcode Collection.byTerms} and {@linkcode Collection.byVector}.
   */
  of(collection: Collection): Pick<Collection, "byTerms" | "byVector"> {
    const common = (wanted: CollectionWanted) => ({ where: { collection, wanted }, limit: wanted.limit });
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

  async #search(params: CollectionSearch): Promise<FoundChunk[]> {
    const { hits } = await search(
      this.#database,
      { ...params, similarity: -1, includeVectors: true } as never,
    );
    const { found } = this.#candidates.get(params.where)!;
    return hits.map(({ id }) => found[Number(id)]!);
  }

  async #prepare(db: AnyOrama, { term, vector, where }: CollectionSearch): Promise<void> {
    const { collection, wanted } = where;
    const candidates = new FoundCandidates();
    this.#candidates.set(where, candidates);
    const found = term === undefined
      ? await collection.byVector(vector!.query, wanted)
      : await collection.byTerms(term, wanted);
    // Orama identifies a chunk by its position in the list, which keeps chunks with equal scores in order.
    for (let place = db.internalDocumentIDStore.internalIdToId.length; place < found.length; place++) {
      this.#documents[internalId(db, String(place))] = {};
    }
    candidates.found = found;
    candidates[term === undefined ? "byVector" : "byTerm"] = found.map(({ score }, i) => [i + 1, score]);
  }
}
