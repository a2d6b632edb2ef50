import { type AnyOrama, components, type TokenScore } from "@orama/orama";

/** The documents that one search may find, by internal number, with their scores in each leg. */
export class Candidates extends Set<number> {
  byTerm: TokenScore[] = [];
  byVector: TokenScore[] = [];
}

/** A chunk with its score in a leg. `id`: its number. */
interface Scored {
  readonly id: number;
  readonly score: number;
}

/** The searches of an Orama database, see {@linkcode indexComponent}. */
export interface Searches<Params> {
  /** Dimensions of the vectors by the name of their property. */
  readonly vectors: Readonly<Record<string, number>>;
  /** Fetches the candidates of a search. The object that is passed as `where` identifies them. */
  prepare(db: AnyOrama, params: Params): Promise<void>;
  /** Returns the candidates that were fetched for a `where`. */
  candidatesOf(where: object): Candidates;
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
    search: (...parameters: readonly unknown[]) => (parameters[WHERE_PARAMETER] as Candidates).byTerm,
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
export function vectorIndex(size: number): AnyOrama["data"]["index"]["vectorIndexes"][string] {
  const find = (_: unknown, similarity: number, { byVector }: Candidates) =>
    byVector.filter(([, score]) => score >= similarity);
  return { type: "Vector", isArray: false, node: { size, find } } as never;
}

/** Position of the result of `searchByWhereClause` among the parameters of the index's `search`. */
const WHERE_PARAMETER = 10;

/** Adds chunks to the candidates. Returns their scores in Orama's form. */
export function addCandidates(db: AnyOrama, candidates: Candidates, found: readonly Scored[]): TokenScore[] {
  return found.map(({ id, score }) => {
    const internal = internalId(db, String(id));
    candidates.add(internal);
    return [internal, score];
  });
}

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
