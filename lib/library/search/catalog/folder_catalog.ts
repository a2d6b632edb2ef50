/**
 * Lists the collections, documents and chunks of the served folders from their indexes. Files that the rules of their folder
 * leave out by now are not listed.
 */
import { UserError } from "#foundation/errors.ts";
import { inverseDocumentFrequency, type StoredFile, type Tokenizer } from "#engine/index/mod.ts";
import type { Language } from "#foundation/messages/mod.ts";
import { isInside, toPortable } from "#foundation/boundary/mod.ts";
import type { OpenIndex } from "#library/store/mod.ts";
import { chunkId, type ChunkLocations, Segments } from "#engine/segments.ts";
import { present } from "#foundation/present.ts";
import { type SearchedFolder, SearchedFolders } from "../served_folders.ts";
import { askedScope, type Scope, type ServedLocations } from "../served_collections.ts";
import type { NewerFilesCheck } from "../search_notices.ts";
import { passageText, picturesIn, rowsBetween, withoutLead } from "../passages.ts";
import { belowTest, fileMask, givenFilters, otherFieldsOf } from "#engine/query/mod.ts";
import type {
  Catalog,
  ChunkContext,
  CollectionInfo,
  DocumentDetails,
  DocumentFilter,
  DocumentList,
  DocumentRelations,
  IndexedFolder,
} from "./types.ts";
import { type Facet, facetsOf } from "./facets.ts";
import { linkGraph } from "./links.ts";
import { documentDetails, languageName } from "./document_details.ts";

/** Chunks of which the names are computed at once. */
const BATCH = 2000;

/** Documents with the same tags that are named at most. */
const MOST_SHARERS = 50;

/** Bytes of a chunk's text that are read. */
const MAX_TEXT_BYTES = 8_000_000;

/** The parts of a library that its catalog reads. */
export interface CatalogParts extends ServedLocations {
  readonly newer: NewerFilesCheck;
  readonly tokenizer: Tokenizer;
  readonly chunks: ChunkLocations;
  /** Whether something keeps the index of a folder current, and takes files out of it that are ignored. */
  readonly isKept: (root: string) => boolean;
  /** Whether some documents must not be known. Then nothing is said about files that no index has, nor when one changed. */
  readonly isLimited: boolean;
  readonly language: Language;
}

/** The catalog of the indexes of served folders. */
export class FolderCatalog implements Catalog {
  readonly #parts: CatalogParts;

  constructor(parts: CatalogParts) {
    this.#parts = parts;
  }

  async collections(): Promise<CollectionInfo[]> {
    const { folders, newer, collections, isLimited } = this.#parts;
    using searched = await SearchedFolders.open(folders);
    if (searched.indexed.length === 0) searched.allAvailable();
    const infos: CollectionInfo[] = [];
    for (const folder of folders) {
      const { root, problem, unavailable } = folder;
      const named = collections.find((one) => one.root === root)!;
      const found = searched.indexed.find((one) => one.folder === folder);
      if (found === undefined) {
        const state = problem === undefined && unavailable === undefined ? "missing" : "unusable";
        const counts = { documents: 0, chunks: 0, notIndexed: 0, pictures: 0 };
        infos.push({ ...named, state, ...counts, languages: [], languageChunks: [] });
        continue;
      }
      const { index } = found;
      const { count, isAll } = isLimited
        ? { count: 0, isAll: false }
        : await newer.of([found], this.#parts.below);
      const files = await this.#shown(found);
      const documents = files.filter(({ status }) => status === "indexed").length;
      const languageChunks = index.statistics.languages.toSorted((a, b) => b.chunks - a.chunks)
        .map(({ language, chunks }) => ({ language: languageName(language), chunks }));
      infos.push(present({
        ...named,
        state: "ready" as const,
        documents,
        chunks: files.reduce((sum, { chunkCount }) => sum + chunkCount, 0),
        notIndexed: files.length - documents,
        languages: languageChunks.map(({ language }) => language),
        languageChunks,
        pictures: files.reduce((sum, { images = [] }) => sum + images.length, 0),
        indexBytes: isLimited ? undefined : index.statistics.bytes,
        model: index.vectors?.model,
        indexedAt: isLimited ? undefined : new Date(index.meta.indexedAt),
        newerFiles: isAll || count > 0 ? count : undefined,
      }));
    }
    return infos;
  }

  async folders(): Promise<IndexedFolder[]> {
    using searched = await SearchedFolders.open(this.#parts.folders);
    return await Promise.all(
      searched.indexed.map(async (one) => ({ root: one.folder.root, files: await this.#shown(one) })),
    );
  }

  async version(): Promise<string> {
    const versions = await Promise.all(this.#parts.folders.map(async (folder) => {
      await folder.refresh();
      return [folder.version, await folder.store.removed.version()];
    }));
    return versions.flat().join("\0");
  }

  async document(path: string, offset: number, limit: number): Promise<DocumentDetails> {
    using searched = await SearchedFolders.open(this.#parts.folders);
    for (const place of searched.indexed) {
      const files = await this.#shown(place);
      const file = files.find((file) => place.folder.pathOf(file.path) === path);
      if (file === undefined || await place.folder.hides(file)) continue;
      return await documentDetails(place, file, offset, limit);
    }
    searched.allAvailable();
    throw new UserError("document_not_indexed", { path });
  }

  async relations(path: string, collections?: string): Promise<DocumentRelations> {
    const scope = collections === undefined ? undefined : await askedScope({ collections }, this.#parts);
    const isAsked = (path: string) => scope === undefined || isWithin(path, scope);
    using searched = await SearchedFolders.open(this.#parts.folders);
    for (const place of searched.indexed) {
      const files = await this.#shown(place);
      const pathOf = (own: string) => place.folder.pathOf(own);
      const file = files.find((file) => pathOf(file.path) === path);
      if (file === undefined) continue;
      const graph = linkGraph(files);
      const { links, unresolved, backlinks } = graph.of(file.path);
      return {
        links: links.map(pathOf).filter(isAsked),
        unresolved,
        backlinks: backlinks.map(pathOf).filter(isAsked),
        sharers: graph.sharers(file.path)
          .map(({ path, tags }) => ({ path: pathOf(path), tags }))
          .filter(({ path }) => isAsked(path))
          .slice(0, MOST_SHARERS),
      };
    }
    searched.allAvailable();
    return { links: [], unresolved: [], backlinks: [], sharers: [] };
  }

  async documents(
    filter: DocumentFilter,
    offset: number,
    limit: number,
    facets?: readonly Facet[],
  ): Promise<DocumentList> {
    const { reasonText } = await import("#library/ingest/mod.ts");
    const scope = await askedScope(filter, this.#parts);
    using searched = await SearchedFolders.open(scope.folders);
    searched.allAvailable();
    const { listed, page, languagesOf } = await this.#page(filter, scope, searched, offset, limit);
    const languages = await languagesOf(page);
    const files = listed.map(({ file }) => file);
    const counted = filter.state === undefined ? files.filter(({ status }) => status === "indexed") : files;
    return {
      total: listed.length,
      ...(facets && { facets: facetsOf(counted, facets) }),
      documents: page.map(({ place, file }, i) =>
        present({
          path: place.folder.pathOf(file.path),
          state: file.status,
          reason: file.reason === undefined ? undefined : reasonText(file, this.#parts.language),
          title: file.title,
          format: file.format,
          language: languages[i],
          size: file.size,
          modified: new Date(file.mtimeMs),
          pages: file.pages,
          chunks: file.chunkCount,
          metadata: file.metadata,
        })
      ),
    };
  }

  /** The files that meet the conditions, and those of a page, none of which is hidden. */
  async #page(
    filter: DocumentFilter,
    scope: Scope,
    searched: SearchedFolders,
    offset: number,
    limit: number,
  ) {
    for (;;) {
      const found = await this.#listed(filter, scope, searched);
      const page = found.listed.slice(offset, offset + limit);
      const changed = new Set<SearchedFolder>();
      for (const { place, file } of this.#parts.isLimited ? page : []) {
        if (await place.folder.hides(file)) changed.add(place);
      }
      if (changed.size === 0) return { ...found, page };
      for (const { folder, index } of changed) await folder.hiddenFiles(index, true);
    }
  }

  /** The files that meet the conditions, in the order of their paths. */
  async #listed(
    { dirPath: _, collections: __, state, lang, ...filters }: DocumentFilter,
    { below }: Scope,
    searched: SearchedFolders,
  ) {
    const shown = new Map<SearchedFolder, ShownIndex>();
    for (const place of searched.indexed) {
      shown.set(place, shownIndex(place.index, await this.#shown(place)));
    }
    const wanted = givenFilters(present({ ...filters, lang }), otherFieldsOf([...shown.values()]));
    const found: ListedFile[] = [];
    for (const [place, index] of shown) {
      const prefixes = below.get(place.folder.root);
      const passes = fileMask(index, wanted, prefixes && belowTest(prefixes));
      for (const [i, file] of index.files.entries()) {
        if (passes?.[i] === 0) continue;
        if (state !== undefined && file.status !== state) continue;
        found.push({ place, file });
      }
    }
    const languagesOf = (files: typeof found) =>
      Promise.all(files.map(({ place, file }) => languageOf(place.index, file)));
    const asked = wanted.filter(({ lang }) => lang.length > 0);
    const all = asked.length === 0 ? undefined : await languagesOf(found);
    const inLanguage = all === undefined
      ? found
      : found.filter((_, i) => asked.every(({ lang }) => lang.some((one) => one === all[i])));
    const listed = shown.size > 1 ? eachOnce(inLanguage) : inPathOrder(inLanguage);
    return { listed, languagesOf };
  }

  async chunkContext(
    id: string,
    before: number,
    after: number,
    signal?: AbortSignal,
  ): Promise<ChunkContext> {
    const { folders, chunks } = this.#parts;
    using searched = await SearchedFolders.open(folders);
    const known = chunks.fileOf(id);
    const found = known === undefined
      ? undefined
      : await this.#find(id, searched, (folder, file) => folder.pathOf(file.path) === known, signal);
    const place = found ?? await this.#find(id, searched, () => true, signal);
    if (place === undefined || await place.folder.hides(place.file)) {
      searched.allAvailable();
      throw new UserError("chunk_not_found", { chunk: id });
    }
    const context = await contextOf(place, before, after);
    for (const { chunkId } of context.chunks) chunks.note(chunkId, context.path);
    return context;
  }

  /** The files of an index that may be shown. */
  async #shown(place: SearchedFolder): Promise<readonly StoredFile[]> {
    const { folder, index } = place;
    const isKept = !this.#parts.isLimited && this.#parts.isKept(folder.root);
    return folder.shownFiles(index, isKept ? folder.knownHidden(index) : await folder.hiddenFiles(index));
  }

  /** Looks for a chunk in the files that `isWanted` accepts. */
  async #find(
    id: string,
    searched: SearchedFolders,
    isWanted: (folder: SearchedFolder["folder"], file: StoredFile) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<FoundChunk | undefined> {
    for (const place of searched.indexed) {
      const { folder, index } = place;
      const files = (await this.#shown(place)).filter((file) =>
        file.chunkCount > 0 && isWanted(folder, file)
      );
      for (const range of joined(files)) {
        const chunk = await findChunk(index, id, range, signal);
        if (chunk === undefined) continue;
        const file = files.find(({ firstChunk, chunkCount }) =>
          chunk >= firstChunk && chunk < firstChunk + chunkCount
        );
        return { folder, index, file: file!, chunk };
      }
    }
    return undefined;
  }

  async weights(words: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const { folders, tokenizer } = this.#parts;
    using searched = await SearchedFolders.open(folders);
    const collection = new Segments(searched.indexed.map(({ index }) => index));
    const termsOf = new Map(words.map((word) => [word, longestTerms(tokenizer.tokenize(word))]));
    const terms = [...new Set([...termsOf.values()].flat())];
    const counts = await collection.documentFrequencies(terms);
    const idf = new Map(
      terms.map((term, i) => [term, inverseDocumentFrequency(collection.size, counts[i]!)]),
    );
    return new Map(
      Array.from(termsOf, ([word, own]) => [word, Math.max(0, ...own.map((term) => idf.get(term)!))]),
    );
  }
}

/** A file of a list. */
interface ListedFile {
  readonly place: SearchedFolder;
  readonly file: StoredFile;
}

/** Files of one folder. Their index has them in this order as a rule. */
function inPathOrder(files: readonly ListedFile[]): readonly ListedFile[] {
  const isInOrder = files.every(({ file }, i) => i === 0 || files[i - 1]!.file.path <= file.path);
  return isInOrder ? files : files.toSorted((a, b) => a.file.path < b.file.path ? -1 : 1);
}

/** Files of several folders in the order of their full paths. The same file is in two indexes where one folder is inside another. */
function eachOnce(files: readonly ListedFile[]): readonly ListedFile[] {
  const byPath = new Map(files.map((one) => [one.place.folder.pathOf(one.file.path), one]));
  return [...byPath].sort(([a], [b]) => a < b ? -1 : 1).map(([, one]) => one);
}

/** The files of an index that may be shown, with what they say about themselves. */
type ShownIndex = Pick<OpenIndex, "files" | "fileMarks">;

/** `files`: some of those of the index, in their order. */
function shownIndex(index: OpenIndex, files: readonly StoredFile[]): ShownIndex {
  if (files === index.files) return index;
  return {
    files,
    fileMarks(marksOf) {
      const all = index.fileMarks(marksOf), marks = new Uint8Array(files.length);
      let next = 0;
      for (const [i, file] of index.files.entries()) if (file === files[next]) marks[next++] = all[i]!;
      return marks;
    },
  };
}

/** Whether a file, by its full path, is in a scope. */
function isWithin(path: string, { folders, below }: Scope): boolean {
  return folders.some(({ root }) =>
    isInside(path, root) &&
    belowTest(below.get(root))(toPortable(path.slice(root.length)).replace(/^\//, ""))
  );
}

/** The terms of a word without the single characters of a longer term. */
function longestTerms(terms: readonly string[]): string[] {
  const most = Math.max(...terms.map((term) => term.length));
  return terms.filter((term) => term.length === most);
}

/** The ranges of the chunks of files, with ranges that touch as one. */
function joined(files: readonly StoredFile[]) {
  const ranges: { from: number; to: number }[] = [];
  for (const { firstChunk: from, chunkCount } of files.toSorted((a, b) => a.firstChunk - b.firstChunk)) {
    const last = ranges.at(-1);
    if (last?.to === from) last.to += chunkCount;
    else ranges.push({ from, to: from + chunkCount });
  }
  return ranges;
}

/** The number of the chunk with this id. */
async function findChunk(
  index: OpenIndex,
  id: string,
  { from: first, to }: { readonly from: number; readonly to: number },
  signal: AbortSignal | undefined,
): Promise<number | undefined> {
  for (let from = first; from < to; from += BATCH) {
    const ids = Int32Array.from({ length: Math.min(BATCH, to - from) }, (_, i) => from + i);
    const [stored, identities] = await Promise.all([index.chunks(ids), index.identities(ids)]);
    const at = stored.findIndex((chunk, i) =>
      chunkId({ index, file: chunk.file }, chunk, identities[i]!) === id
    );
    if (at >= 0) return from + at;
    // Other requests have their turn.
    await new Promise<void>((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
  }
  return undefined;
}

/** A chunk, by its number, and its file. */
interface FoundChunk extends SearchedFolder {
  readonly file: StoredFile;
  readonly chunk: number;
}

async function contextOf(
  { folder, index, file, chunk: asked }: FoundChunk,
  before: number,
  after: number,
): Promise<ChunkContext> {
  const first = Math.max(file.firstChunk, asked - before);
  const last = Math.min(file.firstChunk + file.chunkCount - 1, asked + after);
  const ids = Int32Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const [stored, texts, identities] = await Promise.all([
    index.chunks(ids),
    index.texts(ids, MAX_TEXT_BYTES),
    index.identities(ids),
  ]);
  const { section, page } = stored[asked - first]!;
  const chunks = stored.map((chunk, i) => ({ chunk: first + i, stored: chunk }));
  const ends = chunks.map((_, i) => passageText({ chunks: chunks.slice(0, i + 1) }, texts).text.length);
  return present({
    path: folder.pathOf(file.path),
    sha256: file.sha256,
    text: passageText({ chunks }, texts).text,
    startLine: stored[0]!.startLine,
    endLine: stored.at(-1)!.endLine,
    section,
    page,
    chunks: stored.map((chunk, i) =>
      present({
        chunkId: chunkId({ index, file: chunk.file }, chunk, identities[i]!),
        startLine: chunk.startLine,
        endLine: chunk.endLine,
        rows: rowsBetween(file.rows ?? [], chunk.startLine, chunk.endLine),
        images: picturesIn([chunk], file.images, file.recognisedImages),
        start: ends[i]! - withoutLead(texts[i]!, chunk).length,
        end: ends[i]!,
      })
    ),
    asked: asked - first,
    first: first - file.firstChunk + 1,
    count: file.chunkCount,
  });
}

async function languageOf(
  index: OpenIndex,
  { firstChunk, chunkCount }: StoredFile,
): Promise<string | undefined> {
  if (chunkCount === 0) return undefined;
  const [chunk] = await index.chunks(Int32Array.of(firstChunk));
  return languageName(chunk!.language);
}
