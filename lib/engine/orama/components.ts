/**
 * An index as the database of an Orama program, for reading: documents, filters, facets and search.
 */
import type { AnyOrama, create, TokenScore } from "@orama/orama";
import {
  type ChunkFilter,
  LANGUAGE_CODES,
  type OpenIndex,
  type StoredFile,
  Tokenizer,
} from "#engine/index/mod.ts";
import { type FoundChunk, Segments } from "#engine/segments.ts";
import { addCandidates, FoundDocuments, indexComponent, internalId, unsupported } from "./legs.ts";

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
  readonly #collection: Segments;
  readonly #options: OramaOptions;
  readonly #candidates = new WeakMap<object, FoundDocuments>();
  readonly #underWay = new Map<SearchParams, { readonly given: Changed; readonly documents: number[] }>();
  /** Number of searches under way that need a document, by internal number. */
  readonly #users = new Map<number, number>();

  constructor(index: OpenIndex, options: OramaOptions) {
    this.vectors = { [EMBEDDING]: index.vectors?.dimensions ?? 0 };
    this.reader = new IndexDocuments(index);
    this.#index = index;
    this.#collection = new Segments([index]);
    this.#options = options;
  }

  candidatesOf(where: object): FoundDocuments {
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
    const candidates = new FoundDocuments();
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
  async #keepDocuments(db: AnyOrama, candidates: FoundDocuments, { term }: SearchParams): Promise<number[]> {
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

/** Conditions on one property of a document. All of them must hold. */
interface PropertyCondition {
  readonly eq?: unknown;
  readonly in?: readonly unknown[];
  readonly nin?: readonly unknown[];
  readonly gt?: number;
  readonly gte?: number;
  readonly lt?: number;
  readonly lte?: number;
  readonly between?: readonly [number, number];
}

/** Orama's `where`: conditions by property, or `and`, `or`, `not` of others. */
interface Where {
  readonly [property: string]: PropertyCondition | Where | readonly Where[] | undefined;
}

/** A compiled {@linkcode Where}. Files and languages are independent: both conditions must hold. */
interface Conditions {
  readonly file: (file: StoredFile) => boolean;
  /** Default: all languages. */
  readonly languages?: ReadonlySet<number>;
}

/**
 * Compiles Orama's `where` on `path`, `type`, `lang` and `modified`. Throws a `TypeError` for other properties and
 * operators, and where `or` or `not` contains `lang`: a chunk has a language, the other properties belong to its file.
 */
function filterOf(where: Where, files: readonly StoredFile[]): ChunkFilter {
  const { file, languages } = compile(where);
  return {
    files: Uint8Array.from(files, (stored) => file(stored) ? 1 : 0),
    ...(languages === undefined ? {} : { languages }),
    phrases: [],
    excluded: [],
    excludedPhrases: [],
  };
}

function compile(where: Where): Conditions {
  return allOf(
    Object.entries(where).filter(([, value]) => value !== undefined).map(([name, value]) => {
      switch (name) {
        case "and":
          return allOf((value as readonly Where[]).map(compile));
        case "or": {
          const parts = (value as readonly Where[]).map(compileWithoutLanguage);
          return { file: (file) => parts.some((part) => part(file)) };
        }
        case "not": {
          const part = compileWithoutLanguage(value as Where);
          return { file: (file) => !part(file) };
        }
        case "lang":
          return { file: () => true, languages: languagesOf(value as PropertyCondition) };
        default: {
          const valueOf = FILE_PROPERTIES[name];
          if (valueOf === undefined) throw new TypeError(`where: there is no property ${name} to filter by`);
          const test = conditionTest(value as PropertyCondition);
          return { file: (file) => test(valueOf(file)) };
        }
      }
    }),
  );
}

const FILE_PROPERTIES: Readonly<Record<string, (file: StoredFile) => string | number>> = {
  path: ({ path }) => path,
  type: ({ path }) => extensionOf(path),
  modified: ({ mtimeMs }) => mtimeMs,
};

function allOf(parts: readonly Conditions[]): Conditions {
  const languages = parts.flatMap((part) => part.languages === undefined ? [] : part.languages);
  return {
    file: (file) => parts.every((part) => part.file(file)),
    ...(languages.length === 0 ? {} : { languages: languages.reduce((a, b) => a.intersection(b)) }),
  };
}

function compileWithoutLanguage(where: Where): Conditions["file"] {
  const { file, languages } = compile(where);
  if (languages !== undefined) throw new TypeError("where: lang is not allowed in `or` and `not`");
  return file;
}

/** The codes of the languages that meet the condition. */
function languagesOf(condition: PropertyCondition): ReadonlySet<number> {
  const test = conditionTest(condition);
  return new Set(Object.entries(LANGUAGE_CODES).flatMap(([name, code]) => test(name) ? [code] : []));
}

function conditionTest(condition: PropertyCondition): (value: string | number) => boolean {
  const tests = Object.entries(condition).map(([operator, operand]): (value: string | number) => boolean => {
    switch (operator) {
      case "eq":
        return (value) => value === operand;
      case "in":
        return (value) => operand.includes(value);
      case "nin":
        return (value) => !operand.includes(value);
      case "gt":
        return (value) => value > operand;
      case "gte":
        return (value) => value >= operand;
      case "lt":
        return (value) => value < operand;
      case "lte":
        return (value) => value <= operand;
      case "between":
        return (value) => value >= operand[0] && value <= operand[1];
      default:
        throw new TypeError(`where: there is no operator ${operator}`);
    }
  });
  return (value) => tests.every((test) => test(value));
}

/** A chunk as a document of an Orama database. */
export interface OramaDocument {
  /** Number of the chunk in the index, as text; it changes when the folder is indexed again. */
  readonly id: string;
  /** Path of the file relative to the folder, with `/` as its separator. */
  readonly path: string;
  /** Extension of the file in lower case, or its name if it has no extension. */
  readonly type: string;
  /** `en` stands for all languages in Latin letters; the others are `zh`, `ja`, `ko` and `other`. */
  readonly lang: string;
  /** Modification time of the file, in milliseconds since 1970. */
  readonly modified: number;
  /** Headings above the chunk, outermost first. */
  readonly section: readonly string[];
  /** First and last line, counted from 1. */
  readonly startLine: number;
  readonly endLine: number;
  /** Page, counted from 1, if the format has pages. */
  readonly page?: number;
  readonly content: string;
}

/** Chunks read at once for a list without a term. */
const LISTED_AT_ONCE = 1024;

const LANGUAGE_NAMES = new Map<number, string>(
  Object.entries(LANGUAGE_CODES).map(([name, code]) => [code, name]),
);

/** The chunks of an index as documents. */
class IndexDocuments {
  readonly #index: OpenIndex;

  constructor(index: OpenIndex) {
    this.#index = index;
  }

  /** Reads the documents of chunks, whose numbers are in ascending order. */
  async read(chunks: Int32Array): Promise<OramaDocument[]> {
    const { files } = this.#index;
    const [stored, texts] = await Promise.all([
      this.#index.chunks(chunks),
      this.#index.texts(chunks, Infinity),
    ]);
    return stored.map(({ file, language, section, startLine, endLine, page }, i) => ({
      id: String(chunks[i]),
      path: files[file]!.path,
      type: extensionOf(files[file]!.path),
      lang: LANGUAGE_NAMES.get(language)!,
      modified: files[file]!.mtimeMs,
      section,
      startLine,
      endLine,
      ...(page === undefined ? {} : { page }),
      content: texts[i]!,
    }));
  }

  /** Returns the document with an id, or `undefined`. */
  async get(id: string): Promise<OramaDocument | undefined> {
    const chunk = Number(id);
    if (!Number.isInteger(chunk) || chunk < 0 || chunk >= this.#index.statistics.chunks) return undefined;
    return (await this.read(Int32Array.of(chunk)))[0];
  }

  /** Returns the numbers of the first `limit` chunks that pass a filter. */
  async first(limit: number, filter: ChunkFilter | undefined): Promise<number[]> {
    const found: number[] = [];
    const count = this.#index.statistics.chunks;
    for (let from = 0; from < count && found.length < limit; from += LISTED_AT_ONCE) {
      const chunks = Int32Array.from({ length: Math.min(LISTED_AT_ONCE, count - from) }, (_, i) => from + i);
      for (const [i, { file, language }] of (await this.#index.chunks(chunks)).entries()) {
        const passes = filter?.files?.[file] !== 0 && filter?.languages?.has(language) !== false;
        if (passes) found.push(from + i);
      }
    }
    return found.slice(0, limit);
  }
}

/** Returns the text after the last dot of a file's name in lower case, or the name if it has no dot. */
function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return name.slice(name.lastIndexOf(".") + 1);
}
