/**
 * An index as the database of an Orama program, for reading: documents, search by words and by meaning, and a filter.
 */
import type { AnyOrama, create, TokenScore } from "@orama/orama";
import { type ChunkFilter, LANGUAGE_CODES, type OpenIndex, Tokenizer } from "#engine/index/mod.ts";
import { type FoundChunk, Segments } from "#engine/segments.ts";
import { FoundDocuments, indexComponent, internalId, unsupported } from "./legs.ts";

/** Name of the property that holds the vector of a chunk. */
const EMBEDDING = "embedding";

/** Properties of a document, without its vector. */
const PROPERTIES = { content: "string", path: "enum", type: "enum", lang: "enum" } as const;

/** The schema of an index as an Orama database. */
export type OramaSchema = typeof PROPERTIES & { readonly [EMBEDDING]: `vector[${number}]` };

/** Returns the schema to use with {@linkcode oramaComponents}. */
export function oramaSchema({ vectors }: OpenIndex): OramaSchema {
  return { ...PROPERTIES, [EMBEDDING]: `vector[${vectors?.dimensions ?? 0}]` };
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
  /** Headings above the chunk, outermost first. */
  readonly section: readonly string[];
  /** First and last line, counted from 1. */
  readonly startLine: number;
  readonly endLine: number;
  /** Page, counted from 1, if the format has pages. */
  readonly page?: number;
  readonly content: string;
}

/** Options of {@linkcode oramaComponents}. */
export interface OramaOptions {
  /** Returns the vector of a term, for the modes `vector` and `hybrid`. */
  readonly embed?: (term: string) => Float32Array | Promise<Float32Array>;
}

/** The components of an Orama database. */
export type OramaComponents = NonNullable<Parameters<typeof create<OramaSchema>>[0]["components"]>;

/**
 * Returns the components with which Orama's `create` opens an index of any store as its own database, for reading. Every
 * chunk is a document, see {@linkcode OramaDocument}. `search`, `count` and `getByID` then work as with any Orama database,
 * but must be awaited, but for `count`. The index must stay open.
 *
 * Terms, BM25 and cosines are those of the index. A search takes `term`, `mode`, `limit`, `offset`, `hybridWeights`,
 * `distinctOn` and `where`, which compares `path`, `type` and `lang` by `eq`; it throws a `TypeError` for all others. The
 * `count` of an answer is the number of candidates fetched, not of all matching documents.
 */
export function oramaComponents(index: OpenIndex, { embed }: OramaOptions = {}): OramaComponents {
  const searches = new IndexSearches(index, embed);
  return {
    tokenizer: {
      language: "multilingual",
      normalizationCache: new Map(),
      tokenize: (raw: string) => searches.tokenizer.tokenize(raw),
    },
    index: { ...indexComponent(searches), getSearchablePropertiesWithTypes: () => oramaSchema(index) },
    documentsStore: {
      create: () => ({ docs: searches.documents }),
      // By internal number if a search asks, by id if the program does.
      get: (_: unknown, id: string | number) =>
        typeof id === "number" ? searches.documents[id] : searches.read(id),
      getMultiple: (_: unknown, ids: readonly number[]) => ids.map((id) => searches.documents[id]),
      count: () => index.statistics.chunks,
      ...unsupported("getAll", "store", "remove", "load", "save"),
    },
  } as unknown as OramaComponents;
}

/** The parameters of Orama's `search` that are read here. Orama's own type differs by mode. */
interface SearchParams {
  readonly mode?: "fulltext" | "vector" | "hybrid";
  readonly term?: string;
  readonly limit?: number;
  readonly offset?: number;
  readonly distinctOn?: unknown;
  similarity?: number;
  where?: Where | undefined;
  vector?: { readonly value: Float32Array; readonly property: string };
}

/** Orama's `where`, as far as it is supported. */
type Where = Readonly<Record<string, { readonly eq?: unknown }>>;

const SUPPORTED = new Set(["term", "mode", "limit", "offset", "hybridWeights", "distinctOn", "where"]);
/** Chunks that each leg fetches at least if Orama joins the legs or shows one hit of each file. */
const CANDIDATES = 100;
/** Documents that are kept for the searches under way. */
const MAX_DOCUMENTS = 10_000;

/** The searches of an index that is open as an Orama database. */
class IndexSearches {
  readonly tokenizer = new Tokenizer();
  readonly vectors: Readonly<Record<string, number>>;
  /** By internal number: Orama reads this object. */
  readonly documents: Record<number, OramaDocument> = {};
  /** The numbers of {@linkcode documents}, those found longest ago first. */
  readonly #numbers = new Set<number>();
  readonly #index: OpenIndex;
  readonly #segments: Segments;
  readonly #embed: OramaOptions["embed"];
  readonly #candidates = new WeakMap<object, FoundDocuments>();
  /** The `where` that a search was given. */
  readonly #given = new WeakMap<SearchParams, Where | undefined>();

  constructor(index: OpenIndex, embed: OramaOptions["embed"]) {
    this.vectors = { [EMBEDDING]: index.vectors?.dimensions ?? 0 };
    this.#index = index;
    this.#segments = new Segments([index]);
    this.#embed = embed;
  }

  candidatesOf(where: object): FoundDocuments {
    return this.#candidates.get(where)!;
  }

  async prepare(db: AnyOrama, params: SearchParams): Promise<void> {
    const unknown = Object.keys(params).find((name) => !SUPPORTED.has(name));
    if (unknown !== undefined) throw new TypeError(`a search of an index has no parameter ${unknown}`);
    const { mode = "fulltext", term = "", limit: most = 10, offset = 0, distinctOn, where } = params;
    const isJoined = mode === "hybrid" || distinctOn !== undefined;
    const limit = Math.max(offset + most, isJoined ? CANDIDATES : 0);
    const filter = where && filterOf(where, this.#index);
    const wanted = { limit, filter: () => filter };
    const candidates = new FoundDocuments();
    if (mode !== "vector") {
      const terms = await this.#segments.lookUp(this.tokenizer.queryTerms(term));
      candidates.byTerm = addCandidates(db, candidates, await this.#segments.byTerms(terms, wanted));
    }
    if (mode !== "fulltext") {
      if (this.#embed === undefined) throw new TypeError("the database has no function `embed`");
      const vector = Float32Array.from(await this.#embed(term));
      const found = await this.#segments.byVector({ vector, model: undefined }, wanted);
      candidates.byVector = addCandidates(db, candidates, found);
      params.vector = { value: vector, property: EMBEDDING };
    }
    await this.#keepDocuments(db, candidates);
    this.#given.set(params, where);
    // The object belongs to this search alone. It has a property, because Orama ignores an empty `where`.
    params.where = { path: {} };
    params.similarity = 0;
    this.#candidates.set(params.where, candidates);
  }

  /** Restores the parameters of a search that has ended. */
  release(params: SearchParams): void {
    params.where = this.#given.get(params);
    delete params.similarity;
    delete params.vector;
  }

  async #keepDocuments(db: AnyOrama, candidates: FoundDocuments): Promise<void> {
    const chunks = Array.from(
      candidates,
      (internal) => Number(db.internalDocumentIDStore.internalIdToId[internal - 1]),
    );
    for (const document of await this.#read(Int32Array.from(chunks).sort())) {
      const internal = internalId(db, document.id);
      this.documents[internal] = document;
      this.#numbers.delete(internal);
      this.#numbers.add(internal);
    }
    for (const internal of this.#numbers) {
      if (this.#numbers.size <= Math.max(MAX_DOCUMENTS, candidates.size)) break;
      this.#numbers.delete(internal);
      delete this.documents[internal];
    }
  }

  /** Returns the document with an id, or `undefined`. */
  async read(id: string): Promise<OramaDocument | undefined> {
    const chunk = Number(id);
    if (!Number.isInteger(chunk) || chunk < 0 || chunk >= this.#index.statistics.chunks) return undefined;
    return (await this.#read(Int32Array.of(chunk)))[0];
  }

  /** Reads the documents of chunks, whose numbers are in ascending order. */
  async #read(chunks: Int32Array): Promise<OramaDocument[]> {
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
      section,
      startLine,
      endLine,
      ...(page === undefined ? {} : { page }),
      content: texts[i]!,
    }));
  }
}

/** Adds chunks to the candidates. Returns their scores in Orama's form. */
function addCandidates(
  db: AnyOrama,
  candidates: FoundDocuments,
  found: readonly FoundChunk[],
): TokenScore[] {
  return found.map(({ id, score }) => {
    const internal = internalId(db, String(id));
    candidates.add(internal);
    return [internal, score];
  });
}

const LANGUAGE_NAMES = new Map<number, string>(
  Object.entries(LANGUAGE_CODES).map(([name, code]) => [code, name]),
);

/** Compiles Orama's `where`. Throws a `TypeError` for other properties and operators than those that are supported. */
function filterOf(where: Where, { files }: OpenIndex): ChunkFilter {
  const wanted = Object.entries(where).map(([name, condition]) => {
    if (!["path", "type", "lang"].includes(name) || Object.keys(condition).join() !== "eq") {
      throw new TypeError(`where: ${name} is not compared by eq, or no property to filter by`);
    }
    return [name, condition.eq];
  });
  const { path, type, lang } = Object.fromEntries(wanted);
  const codes = Object.entries(LANGUAGE_CODES).flatMap(([name, code]) => name === lang ? [code] : []);
  const passes = (file: string) =>
    (path === undefined || path === file) && (type === undefined || type === extensionOf(file));
  return {
    files: Uint8Array.from(files, (file) => passes(file.path) ? 1 : 0),
    ...(lang === undefined ? {} : { languages: new Set(codes) }),
    phrases: [],
    excluded: [],
    excludedPhrases: [],
  };
}

/** Returns the text after the last dot of a file's name in lower case, or the name if it has no dot. */
function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return name.slice(name.lastIndexOf(".") + 1);
}
