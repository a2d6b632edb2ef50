/**
 * Notices of an answer beside its hits: files that are newer than the index, outdated hits, files that
 * were not read, and words that no text contains.
 */
import {
  type Language,
  message,
  type MessageKey,
  type MessageParams,
  type Phrase,
  phraseText,
  suggestedCommand,
} from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import { isReal } from "#foundation/boundary/mod.ts";
import type { Found } from "./answer.ts";
import type { FilterCount } from "./filter_counts.ts";
import type { NeuralAnswer } from "./neural_search.ts";
import { type Below, type Kept, kept, type SearchedFolder, type ServedFolder } from "./served_folders.ts";
import type { Suggestion } from "./suggest_words.ts";
import type { StoredFile } from "#engine/index/mod.ts";
import type { OpenIndex } from "#library/store/mod.ts";
import { belowTest } from "#engine/query/mod.ts";
import {
  archivePrefixes,
  type FileKind,
  isMissed,
  isUnread,
  kindsOf,
  kindText,
  PathTree,
  walk,
} from "#library/corpus/mod.ts";
import type { Freshness, Hit } from "./types.ts";
import type { SelectedChunk } from "./passages.ts";

/** Results of a search that notices are about. */
interface NoticeFacts {
  readonly found: Found;
  /** The folders asked that could not be searched, and those that were searched. */
  readonly unsearched: readonly ServedFolder[];
  readonly searched: readonly SearchedFolder[];
  readonly suggestions: readonly Suggestion[];
  readonly below: Below;
  /** Paths of the hits whose files have changed. */
  readonly outdated: readonly string[];
  readonly newer: NewerFiles;
  /** Folders that were indexed since the start. */
  readonly added: readonly string[];
  /** The answer of the neural models to the question; absent without such models. */
  readonly neural: NeuralAnswer | undefined;
  /** Why the question was not rewritten. */
  readonly unwritten: Phrase | undefined;
}

/** Kinds that a notice tells. */
const KINDS_SHOWN = 5;
const LIST_ALL = "status --files";
/** A document with text on fewer of its pages is a scan for the most part; single empty pages are usual. */
const LEAST_SHARE_OF_TEXT = 0.5;

/** Makes the notices of an answer, in the language of the user. */
export class SearchNotices {
  readonly #language: Language;
  readonly #isServer: boolean;
  readonly #makesVectors: boolean;
  /** The files of each index that have no text, or little. */
  readonly #textless = new WeakMap<OpenIndex, readonly StoredFile[]>();

  /** `isServer`: whether the neural model is on a server. `makesVectors`: whether this process makes the vectors in the background. */
  constructor(language: Language, isServer: boolean, makesVectors: boolean) {
    this.#language = language;
    this.#isServer = isServer;
    this.#makesVectors = makesVectors;
  }

  async of(
    { unsearched, searched, suggestions, outdated, newer, added, neural, unwritten, ...facts }: NoticeFacts,
  ): Promise<string[]> {
    return [
      ...await this.#notSearched(unsearched),
      ...searched.flatMap(({ folder }) => folder.lacking.map((phrase) => phraseText(this.#language, phrase))),
      ...(unwritten === undefined ? [] : [phraseText(this.#language, unwritten)]),
      ...suggestions.map(({ word, suggestion }) => this.#say("word_not_found", { word, suggestion })),
      ...this.#aboutHits({ ...facts, searched }),
      ...(added.length > 0 ? [this.#say("folders_added", { path: added.join(", ") })] : []),
      ...(outdated.length > 0 ? [this.#say("hits_outdated", { path: outdated.join(", ") })] : []),
      ...this.#newerFiles(newer),
      ...this.#aboutModels(searched, neural),
      ...this.#aboutVectors(searched),
    ];
  }

  async #notSearched(folders: readonly ServedFolder[]): Promise<string[]> {
    return await Promise.all(folders.map(async (folder) => {
      const { problem, isElsewhere, isHere, root, store, unavailable } = folder;
      if (unavailable !== undefined) {
        const reason = this.#say(unavailable.key, unavailable.params);
        return this.#say("folder_unavailable", { path: root, reason });
      }
      if (isHere && !await isReal(root)) return this.#say("folder_gone", { path: root });
      if (!isHere && problem === undefined) {
        return this.#say("index_missing_elsewhere", { path: root, elsewhere: store.location });
      }
      const unusable = isElsewhere ? "folder_index_elsewhere" : "folder_index_unusable";
      return this.#say(problem === undefined ? "folder_without_index" : unusable, { path: root });
    }));
  }

  #aboutVectors(searched: readonly SearchedFolder[]): string[] {
    const problem = searched.map(({ index }) => index.vectorProblem).find((problem) => problem !== undefined);
    if (problem === undefined) return [];
    return [this.#say("vectors_compared_here", { problem: this.#say(problem.key, problem.params) })];
  }

  #aboutHits({ found, searched, below }: Pick<NoticeFacts, "found" | "searched" | "below">): string[] {
    const { hits, capped, filteredOut, filterCounts = [], mayBeText = false, emptyPart, lostPhrases } = found;
    const { rerankProblem: problem } = found;
    const isWeak = !filteredOut && hits.every(({ degree }) => degree === "low");
    const phrases = lostPhrases.map((phrase) => `“${phrase}”`).join(" ");
    return [
      ...(problem === undefined
        ? []
        : [this.#say("hits_not_reranked", { problem: this.#say(problem.key, problem.params) })]),
      ...(emptyPart !== undefined
        ? [this.#say("query_part_empty", { part: emptyPart })]
        : filteredOut
        ? [this.#filtersPassNothing(filterCounts), ...(mayBeText ? [this.#say("filters_may_be_text")] : [])]
        : []),
      ...(lostPhrases.length > 0 ? [this.#say("phrase_not_found", { phrases })] : []),
      ...(capped ? [this.#say("answer_capped")] : []),
      ...(isWeak ? this.#unread(searched, below) : []),
    ];
  }

  #filtersPassNothing(counts: readonly FilterCount[]): string {
    if (counts.length === 0) return this.#say("filters_pass_nothing");
    const conditions = counts.map(({ condition, documents }) => `${condition} (${documents})`).join("; ");
    return this.#say("filters_pass_nothing_of", { conditions });
  }

  #aboutModels(
    searched: readonly SearchedFolder[],
    { share = 1, problem }: Partial<NeuralAnswer> = {},
  ): string[] {
    if (problem !== undefined) {
      const key = this.#isServer ? "hybrid_without_server" : "hybrid_without_models";
      return [this.#say(key, { problem: this.#say(problem.key, problem.params) })];
    }
    if (share >= 1) return [];
    const key = `${this.#isServer ? "server" : "neural"}_share${
      this.#makesVectors ? "_growing" : ""
    }` as const;
    const roots = searched.map(({ folder }) => folder.root);
    const command = suggestedCommand(this.#isServer ? "index" : "index --wait", roots);
    return [this.#say(key, { percent: Math.floor(share * 100), command })];
  }

  #newerFiles({ count, roots, isAll }: NewerFiles): string[] {
    if (count === 0) return [];
    return [this.#say(isAll ? "files_newer" : "files_newer_at_least", { count, path: roots.join(", ") })];
  }

  #say(key: MessageKey, params: MessageParams = {}): string {
    return message(this.#language, key, params);
  }

  /**
   * Notices about files that were not read, for searches that find nothing or only weak matches: the answer may be in one of
   * them. These are documents that failed, scans, documents of formats without a loader, and files over the size limit. Files
   * that the user keeps out of the index, media, and texts made for machines hold no answer; they are named only where a
   * folder has nothing else.
   */
  #unread(searched: readonly SearchedFolder[], below: Below): string[] {
    const isEmpty = ({ folder, index }: SearchedFolder) =>
      !below.has(folder.root) && index.statistics.chunks === 0;
    const others = searched.filter((folder) => !isEmpty(folder));
    return [
      ...searched.filter(isEmpty).map(({ folder, index }) => this.#nothingThere(folder.root, index)),
      ...this.#nothingBelow(searched, below),
      ...this.#unreadIn(others, below),
    ];
  }

  #nothingThere(path: string, index: OpenIndex): string {
    const kinds = [...kindsOf(index.files), ...leftOut(index)].sort((a, b) => b.count - a.count);
    if (kinds.length === 0) return this.#say("folder_is_empty", { path });
    const command = suggestedCommand(LIST_ALL, [path]);
    return this.#say("nothing_to_search", { path, kinds: this.#kindsText(kinds), command });
  }

  #nothingBelow(searched: readonly SearchedFolder[], below: Below): string[] {
    return searched.flatMap(({ folder, index }) =>
      (below.get(folder.root) ?? []).filter((path) => {
        const isBelow = belowTest([path]);
        return !index.files.some((file) => file.chunkCount > 0 && isBelow(file.path));
      }).map((path) => ({ path: folder.pathOf(path), command: suggestedCommand(LIST_ALL, [folder.root]) }))
    ).map((params) => this.#say("nothing_indexed_below", params));
  }

  #unreadIn(searched: readonly SearchedFolder[], below: Below): string[] {
    const files = searched.flatMap(({ folder, index }) => {
      const isBelow = belowTest(below.get(folder.root));
      return this.#filesOf(index).filter(({ path }) => isBelow(path));
    });
    const unread = kindsOf(files.filter(isUnread));
    // of these the index knows only how many there are
    const whole = searched.filter(({ folder }) => !below.has(folder.root));
    unread.push(...missedIn(whole.map(({ index }) => index)));
    const scanned = files.filter((file) => !isUnread(file));
    const partly = kindsOf(
      scanned.map(({ path, format }) => present({ path, reason: "mostly_scanned", format })),
    );
    const kinds = [...unread, ...partly];
    if (kinds.length === 0) return [];
    return [
      this.#say(partly.length === 0 ? "documents_unread" : "documents_unread_partly", {
        count: kinds.reduce((sum, { count }) => sum + count, 0),
        kinds: this.#kindsText(kinds),
        command: suggestedCommand("status --files --failed", searched.map(({ folder }) => folder.root)),
      }),
    ];
  }

  #filesOf(index: OpenIndex): readonly StoredFile[] {
    let files = this.#textless.get(index);
    if (files === undefined) {
      files = index.files.filter((file) => isUnread(file) || isMostlyScanned(file));
      this.#textless.set(index, files);
    }
    return files;
  }

  #kindsText(kinds: readonly FileKind[]): string {
    const texts = kinds.slice(0, KINDS_SHOWN).map((kind) => kindText(kind, this.#language));
    return `${texts.join(this.#say("list_comma"))}${kinds.length > KINDS_SHOWN ? " …" : ""}`;
  }
}

function isMostlyScanned({ pages, emptyPages }: StoredFile): boolean {
  if (pages === undefined || emptyPages === undefined) return false;
  return emptyPages.length > pages * (1 - LEAST_SHARE_OF_TEXT);
}

function leftOut({ meta }: OpenIndex): FileKind[] {
  return Object.entries(meta.leftOut ?? {}).map(([reason, count]) => ({ reason, count, paths: [] }));
}

/** Files that the walk left out although they may hold an answer, by reason. */
function missedIn(indexes: readonly OpenIndex[]): FileKind[] {
  const counts = new Map<string, number>();
  for (const { reason, count } of indexes.flatMap(leftOut).filter(({ reason }) => isMissed(reason))) {
    counts.set(reason, (counts.get(reason) ?? 0) + count);
  }
  return [...counts].map(([reason, count]) => ({ reason, count, paths: [] }));
}

/** Time that the check of a search may take, in milliseconds. A listing of a large folder is not interrupted. */
const BUDGET_MS = 50;
/**
 * Entries of a folder that are compared even if the time is up, so that small folders are checked on a busy machine as well.
 */
const LEAST_ENTRIES = 16;
/** Results that are kept for an index. */
const MOST_KEPT = 100;

/** Number of files that are new or have changed since their folder was indexed. */
interface NewerFiles {
  readonly count: number;
  /** The folders that have such files. */
  readonly roots: readonly string[];
  /** Whether all files were compared before the time was up. If not, there may be more. */
  readonly isAll: boolean;
}

/**
 * Compares folders with their indexes by the sizes and modification times of the files, in a limited time. Other times,
 * which `chmod` or a copy change, say nothing about the text.
 */
export class NewerFilesCheck {
  readonly #now: () => number;
  readonly #known = new WeakMap<OpenIndex, ReadonlyMap<string, StoredFile>>();
  /** By the paths inside the folder that were looked at. */
  readonly #kept = new WeakMap<OpenIndex, Map<string, Kept<FolderNews>>>();

  /** `now` returns milliseconds since any fixed time. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The newer files of these folders. */
  async of(folders: readonly SearchedFolder[], below: Below = new Map()): Promise<NewerFiles> {
    const deadline = this.#now() + BUDGET_MS;
    let [count, isAll] = [0, true];
    const roots: string[] = [];
    for (const one of folders) {
      const { root } = one.folder;
      const found = await this.#ofFolder(one, below.get(root), deadline);
      count += found.count;
      isAll &&= found.isAll;
      if (found.count > 0) roots.push(root);
    }
    return { count, roots, isAll };
  }

  async #ofFolder(
    one: SearchedFolder,
    below: readonly string[] | undefined,
    deadline: number,
  ): Promise<FolderNews> {
    const place = below?.join("\n") ?? "";
    const results = this.#kept.get(one.index) ?? new Map<string, Kept<FolderNews>>();
    this.#kept.set(one.index, results);
    const before = results.get(place);
    const began = this.#now();
    if (before !== undefined && began < before.until) return before.result;
    const found = await this.#compare(one, below, deadline);
    if (results.size >= MOST_KEPT) results.clear();
    results.set(place, kept(found, began, this.#now()));
    return found;
  }

  async #compare(
    { folder: { root, options, store }, index }: SearchedFolder,
    below: readonly string[] | undefined,
    deadline: number,
  ): Promise<FolderNews> {
    let [count, entries] = [0, 0];
    const known = this.#knownOf(index);
    try {
      for await (const found of walk(root, { ...options, only: below && PathTree.of(below) })) {
        if (++entries > LEAST_ENTRIES && this.#now() > deadline) return { count, isAll: false };
        if (found.kind !== "file") continue;
        const old = known.get(found.path);
        // Copies on several machines have other times.
        if (old?.size !== found.size || store.isShared !== true && old.mtimeMs !== found.mtimeMs) count++;
      }
      return { count, isAll: true };
    } catch {
      // The folder is gone, or its rules cannot be read. Other notices say so.
      return { count, isAll: false };
    }
  }

  #knownOf(index: OpenIndex): ReadonlyMap<string, StoredFile> {
    let known = this.#known.get(index);
    if (known === undefined) {
      known = new Map(index.files.map((file) => [file.path, file]));
      this.#known.set(index, known);
    }
    return known;
  }
}

type FolderNews = Omit<NewerFiles, "roots">;

/**
 * Returns how well the indexes searched agree with their folders. `isOutdated`: whether a file of the answer has changed.
 * `newer`: the files newer than the indexes that nothing keeps current, if there are such indexes.
 */
export function freshnessOf(
  searched: readonly SearchedFolder[],
  isOutdated: boolean,
  newer: NewerFiles | undefined,
): Freshness {
  const isSeen = newer !== undefined && (newer.isAll || newer.count > 0);
  return {
    indexedAt: new Date(Math.min(...searched.map(({ index }) => Date.parse(index.meta.indexedAt)))),
    state: isOutdated || newer !== undefined && newer.count > 0 ? "outdated" : "unknown",
    ...(isSeen && { newerFiles: newer.count }),
  };
}

/**
 * Full paths of files in an answer that are gone or have changed since they were indexed.
 */
export async function outdatedFiles(
  selected: readonly SelectedChunk[],
  folders: readonly SearchedFolder[],
): Promise<string[]> {
  const folderOf = new Map(folders.map(({ folder, index }) => [index, folder]));
  const named = selected.flatMap((chunk) => [chunk, ...chunk.also]);
  const known = new Map(
    named.map(({ filePath, index, file }) => [filePath, { index, file: index.files[file]! }]),
  );
  const states = await Promise.all(Array.from(known, ([path, { index, file }]) => {
    const folder = folderOf.get(index)!, archive = archiveOf(index, file);
    if (archive === undefined) return folder.isOutdated(file, path);
    return folder.isOutdated(archive, path.slice(0, path.length - (file.path.length - archive.path.length)));
  }));
  return [...known.keys()].filter((_, i) => states[i]);
}

/** The archive that a file is in. */
function archiveOf({ files }: OpenIndex, { path }: StoredFile): StoredFile | undefined {
  const prefixes = archivePrefixes(path);
  return prefixes.length === 0
    ? undefined
    : files.find(({ path, archive }) => archive !== undefined && prefixes.includes(path));
}

/** The hits, with a mark at those of files that are not as they were indexed. */
export function withOutdated(hits: readonly Hit[], outdated: readonly string[]): readonly Hit[] {
  if (outdated.length === 0) return hits;
  return hits.map((hit) => outdated.includes(hit.filePath) ? { ...hit, outdated: true } : hit);
}
