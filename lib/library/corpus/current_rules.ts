/** Whether the rules leave a path out at present: asked for single files, without a walk. */
import { UserError } from "#foundation/errors.ts";
import { HOST_STYLE, lookAtSync, pathModule } from "#foundation/boundary/mod.ts";
import { ignoreFilesState, isByType, NameRules, readIgnoreFiles, type RuleOptions } from "./rules.ts";
import type { SkipReason } from "./types.ts";
import { isArchiveName } from "#documents/mod.ts";
import type { Patterns } from "#foundation/patterns.ts";

const { join } = pathModule(HOST_STYLE);

type LeftOutReason = SkipReason | "ignore_file_unusable";

const NONE: ReadonlySet<string> = new Set();

/** Folders whose rules {@linkcode CurrentRules} keeps. */
const MOST_KEPT = 10_000;

/** The rules of the folders that were looked at for one question, or the reasons why they are left out. */
export type LookedFolders = Map<string, NameRules | LeftOutReason>;

/** The rules of a folder as they are at each question. An ignore file is read again when it has changed. */
export class CurrentRules {
  readonly #root: string;
  readonly #options: RuleOptions;
  /** The rules for the entries of the root, without its ignore files. */
  readonly #base: NameRules;
  /** By the relative path of the folder. */
  readonly #kept = new Map<string, { readonly state: string; readonly own: Patterns | null }>();

  /** Returns the files that the user took out of the index. */
  readonly #removed: () => Promise<ReadonlySet<string>>;

  constructor(
    root: string,
    options: RuleOptions,
    removed = () => Promise.resolve<ReadonlySet<string>>(NONE),
  ) {
    this.#root = root;
    this.#options = options;
    this.#removed = removed;
    this.#base = NameRules.of(root, options);
  }

  /**
   * Returns the rule by which a walk skips the file at `path` (separated by `/`): the user took it out of the index, the file or one of
   * its folders belongs to the program itself, is hidden, ignored or excluded, or an ignore file on the way is unusable. Null if no rule
   * excludes it. The type of the file does not count. `removed`: the files that were taken out, if they are known. `looked`: the folders
   * that were looked at for other files of the same question.
   */
  async leftOut(
    path: string,
    removed?: ReadonlySet<string>,
    looked: LookedFolders = new Map(),
  ): Promise<LeftOutReason | null> {
    if ((removed ?? await this.#removed()).has(path)) return "removed";
    return await this.#reasonFor(path, looked);
  }

  /** The paths among these that are left out. Each folder is looked at once. */
  async allLeftOut(paths: Iterable<string>, pause: () => Promise<void>): Promise<Set<string>> {
    const known: LookedFolders = new Map();
    const found = new Set<string>();
    const removed = await this.#removed();
    for (const path of paths) {
      if (removed.has(path) || await this.#reasonFor(path, known) !== null) found.add(path);
      await pause();
    }
    return found;
  }

  async #reasonFor(
    path: string,
    known: LookedFolders,
  ): Promise<LeftOutReason | null> {
    const slash = path.lastIndexOf("/");
    const rules = await this.#rulesIn(path.slice(0, Math.max(0, slash)), known);
    if (typeof rules === "string") return rules;
    const entry = { name: path.slice(slash + 1), isFile: true, isDirectory: false };
    const asFolder = rules.isArchive(entry)
      ? rules.byName({ ...entry, isFile: false, isDirectory: true }, path)
      : null;
    const reason = asFolder ?? rules.byName(entry, path);
    return reason === null || isByType(reason) ? null : reason;
  }

  /** The rules for the entries of a folder, or the reason why it is left out. */
  async #rulesIn(
    folder: string,
    known: LookedFolders,
  ): Promise<NameRules | LeftOutReason> {
    let rules = known.get(folder);
    if (rules === undefined) known.set(folder, rules = await this.#newRulesIn(folder, known));
    return rules;
  }

  async #newRulesIn(
    folder: string,
    known: LookedFolders,
  ): Promise<NameRules | LeftOutReason> {
    let rules = this.#base;
    if (folder !== "") {
      const slash = folder.lastIndexOf("/"), name = folder.slice(slash + 1);
      const above = await this.#rulesIn(folder.slice(0, Math.max(0, slash)), known);
      if (typeof above === "string") return above;
      const reason = above.byName({ name, isFile: false, isDirectory: true }, folder);
      if (reason !== null) return reason;
      rules = above.below(name);
      if (this.#isInArchive(folder)) return this.#options.archives ? rules : "archive";
    }
    try {
      const own = this.#options.ignoreFiles ? await this.#ownRules(folder) : null;
      return own === null ? rules : rules.withIgnored(own);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return "ignore_file_unusable";
    }
  }

  /** Whether a folder is an archive, or lies in one. */
  #isInArchive(folder: string): boolean {
    return archivePrefixes(`${folder}/`).some((path) => isFile(join(this.#root, path)));
  }

  /** The rules of a folder's own ignore files. */
  async #ownRules(folder: string): Promise<Patterns | null> {
    const state = ignoreFilesState(this.#root, folder);
    const kept = this.#kept.get(folder);
    if (kept !== undefined && kept.state === state) return kept.own;
    const own = await readIgnoreFiles(this.#root, folder);
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    if (state !== undefined) this.#kept.set(folder, { state, own });
    return own;
  }
}

/** The beginnings of a path that end with the name of an archive, the shortest first; the whole path is not among them. */
export function archivePrefixes(path: string): string[] {
  const found: string[] = [];
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
    const prefix = path.slice(0, slash);
    if (isArchiveName(prefix)) found.push(prefix);
  }
  return found;
}

function isFile(path: string): boolean {
  try {
    return lookAtSync(path)?.isFile === true;
  } catch {
    return false;
  }
}

/** Whether the names of the file at `path` and of its folders are excluded by the options, without any ignore file. */
export function isLeftOutByName(root: string, path: string, options: RuleOptions): boolean {
  const parts = path.split("/");
  let rules = NameRules.of(root, options);
  return parts.some((name, depth) => {
    const isFile = depth === parts.length - 1;
    const reason = rules.byName({ name, isFile, isDirectory: !isFile }, parts.slice(0, depth + 1).join("/"));
    if (!isFile) rules = rules.below(name);
    return reason !== null && !isByType(reason);
  });
}
