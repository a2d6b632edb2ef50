import { LANGUAGE_CODES } from "../../index/mod.ts";
import type { ChunkFilter, OpenIndex } from "../../store/mod.ts";

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
export class IndexDocuments {
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
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return name.slice(name.lastIndexOf(".") + 1);
}
