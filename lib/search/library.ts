import type { Config } from "../config/mod.ts";
import { leftOut, readTextFile, walkOptions } from "../corpus/mod.ts";
import { UserError } from "../errors.ts";
import type { IndexReader } from "../index/mod.ts";
import { message, type MessageKey } from "../messages.ts";
import { resolveInside } from "../sandbox/mod.ts";
import { Databases } from "./databases.ts";
import { gatherChunks } from "./gather.ts";
import { lineRange } from "./line_range.ts";
import { filterBelow, scopeOf } from "./scope.ts";
import type { FoundChunk } from "./select.ts";
import { ServedFolder } from "./served_folder.ts";
import { showHits } from "./show.ts";
import {
  type Library,
  MAX_QUERY_CHARS,
  type RawFile,
  type SearchAnswer,
  type SearchRequest,
} from "./types.ts";

/** Candidates for each hit wanted, so that the limit per file seldom asks for a second look. */
const CANDIDATES_PER_HIT = 10;

/**
 * Opens the folders given (real paths); their indexes are loaded by the first search that needs them. With `moreRoots` the
 * folders can become more: it is asked before every search and read.
 */
export function openLibrary(
  roots: readonly string[],
  config: Config,
  moreRoots?: () => Promise<readonly string[]>,
): Library {
  return new FolderLibrary(roots, config, moreRoots);
}

class FolderLibrary implements Library {
  readonly #folders: ServedFolder[] = [];
  readonly #config: Config;
  readonly #moreRoots: (() => Promise<readonly string[]>) | undefined;
  #databases: Databases | undefined;

  constructor(roots: readonly string[], config: Config, moreRoots?: () => Promise<readonly string[]>) {
    this.#config = config;
    this.#moreRoots = moreRoots;
    this.#add(roots);
  }

  #add(roots: readonly string[]): void {
    for (const root of new Set(roots)) {
      if (!this.roots.includes(root)) this.#folders.push(new ServedFolder(root));
    }
  }

  get roots(): readonly string[] {
    return this.#folders.map(({ root }) => root);
  }

  async search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer> {
    const began = performance.now();
    const { top_k, fts_topn, per_doc_limit, max_chars, mode } = this.#config.search;
    const query = request.query.trim().slice(0, MAX_QUERY_CHARS);
    if (query === "") throw new UserError("empty_query");
    if ((request.mode ?? mode) === "semantic") throw new UserError("mode_without_vectors");

    this.#add(await this.#moreRoots?.() ?? []);
    const { folders, below } = await scopeOf(request.dirPath, this.#folders);
    await Promise.all(folders.map((folder) => folder.refresh()));
    signal?.throwIfAborted();
    // from here on nothing is awaited: another search's refresh would close the readers
    const readers = new Map<IndexReader, ServedFolder>();
    for (const folder of folders) if (folder.reader !== undefined) readers.set(folder.reader, folder);
    if (readers.size === 0) {
      const [first] = folders;
      throw new UserError("index_not_ready", { path: first?.root ?? "", problem: first?.problem ?? "" });
    }

    const limit = request.topK ?? top_k;
    const database = this.#database([...readers.keys()]);
    const selected = gatherChunks(database, query, {
      limit,
      perFile: per_doc_limit,
      candidates: Math.max(fts_topn, limit * CANDIDATES_PER_HIT),
      filter: below === undefined ? undefined : filterBelow(below),
      pathOf: (hit) => filePathOf(hit, readers.get(hit.reader)!),
    });
    const { hits, capped } = showHits(selected, database.wordsOf(query), max_chars);
    const notices = [
      // only who asks for hybrid by name needs to know that there are no vectors
      ...(request.mode === "hybrid" ? [this.#say("hybrid_without_vectors")] : []),
      ...folders.filter((folder) => folder.reader === undefined).map(({ problem, root }) =>
        this.#say(problem === undefined ? "folder_without_index" : "folder_index_unusable", root)
      ),
      ...(capped ? [this.#say("answer_capped")] : []),
    ];
    const outdated = await outdatedFiles(selected);
    if (outdated.length > 0) notices.push(this.#say("hits_outdated", outdated.join(", ")));
    return { hits, seconds: (performance.now() - began) / 1000, notices };
  }

  async readRawFile(path: string, range: { startLine?: number; endLine?: number } = {}): Promise<RawFile> {
    this.#add(await this.#moreRoots?.() ?? []);
    const { real, root, relative } = await resolveInside(path, this.roots);
    // what the user keeps out of the index is not for the assistant's eyes
    const options = walkOptions(this.#config);
    const reason = await leftOut(root, relative, options);
    if (reason !== null) throw new UserError("no_permission", { path, reason });
    const { encoding } = this.#config.files;
    const file = await readTextFile(real, {
      maxBytes: options.maxFileBytes,
      encoding: encoding === "auto" ? undefined : encoding,
    });
    return {
      ...lineRange(file.text, range),
      path: real,
      size: file.size,
      modified: new Date(file.mtimeMs),
      encoding: file.encoding,
    };
  }

  close(): void {
    for (const folder of this.#folders) folder.close();
    this.#databases = undefined;
  }

  #database(readers: readonly IndexReader[]): ReturnType<Databases["over"]> {
    this.#databases ??= new Databases();
    this.#databases.retain(new Set(this.#folders.flatMap(({ reader }) => reader ?? [])));
    return this.#databases.over(readers);
  }

  #say(key: MessageKey, path = ""): string {
    return message(this.#config.language, key, { path });
  }
}

/** Files of an answer that are gone, or not what they were when they were indexed. */
async function outdatedFiles(selected: readonly FoundChunk[]): Promise<string[]> {
  // what is compared is taken from the readers before anything is awaited: they may be closed meanwhile
  const known = new Map(selected.map(({ filePath, hit: { reader, chunk } }) => {
    const { size, mtimeMs } = reader.files[reader.chunks.files[chunk]!]!;
    return [filePath, { size, mtimeMs }];
  }));
  const outdated: string[] = [];
  for (const [path, { size, mtimeMs }] of known) {
    const now = await Deno.lstat(path).catch(() => undefined);
    if (now === undefined || now.size !== size || now.mtime?.getTime() !== mtimeMs) outdated.push(path);
  }
  return outdated;
}

function filePathOf({ reader, chunk }: { reader: IndexReader; chunk: number }, folder: ServedFolder): string {
  return folder.pathOf(reader.files[reader.chunks.files[chunk]!]!.path);
}
