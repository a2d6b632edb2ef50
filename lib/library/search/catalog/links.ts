/**
 * Links between the documents of a folder: to which files a document's links lead, which documents link to it, and which ones have
 * the same tags.
 */
import type { StoredFile } from "#engine/index/mod.ts";
import { kept } from "#documents/types.ts";
import { folded } from "#foundation/written_values.ts";

/** The documents that one links to, and those that link to it, as paths from the folder. */
export interface DocumentLinks {
  readonly links: readonly string[];
  /** Links as written that lead to no file of the folder. */
  readonly unresolved: readonly string[];
  readonly backlinks: readonly string[];
}

/** A document with the tags that another one has too, the rarest first. */
export interface TagSharer {
  readonly path: string;
  readonly tags: readonly string[];
}

const graphs = new WeakMap<readonly StoredFile[], LinkGraph>();

/** Returns the links between files that may be shown. It is made once for each list of files. */
export function linkGraph(files: readonly StoredFile[]): LinkGraph {
  let graph = graphs.get(files);
  if (graph === undefined) graphs.set(files, graph = new LinkGraph(files));
  return graph;
}

/** The links between the files of one folder. No other file is ever named. */
class LinkGraph {
  readonly #files: ReadonlyMap<string, StoredFile>;
  /** Paths by the names that links use: with and without the folders, and without the extension of Markdown. */
  readonly #byPath = new Map<string, string>();
  readonly #byName = new Map<string, string[]>();
  #backlinks: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  #byTag: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(files: readonly StoredFile[]) {
    this.#files = new Map(files.map((file) => [file.path, file]));
    for (const { path } of files) {
      for (const name of new Set([folded(path), folded(withoutMarkdown(path))])) {
        if (!this.#byPath.has(name)) this.#byPath.set(name, path);
        kept(this.#byName, name.slice(name.lastIndexOf("/") + 1), () => []).push(path);
      }
    }
  }

  /** Returns the links of a file and those to it; empty for one that the folder does not show. */
  of(path: string): DocumentLinks {
    const links = new Set<string>();
    const unresolved: string[] = [];
    for (const link of this.#files.get(path)?.links ?? []) {
      const target = this.#targetOf(link, path);
      if (target === undefined) unresolved.push(link);
      else if (target !== path) links.add(target);
    }
    this.#backlinks ??= this.#allBacklinks();
    return { links: [...links], unresolved, backlinks: [...this.#backlinks.get(path) ?? []] };
  }

  /** Returns the documents that share tags with a file, those that share the rarest ones first. */
  sharers(path: string): TagSharer[] {
    const tags = this.#files.get(path)?.metadata?.tags ?? [];
    if (tags.length === 0) return [];
    this.#byTag ??= this.#allTags();
    const shared = new Map<string, { tags: string[]; weight: number }>();
    const named = tags.map((tag) => ({ tag, paths: this.#byTag!.get(folded(tag)) ?? [] }))
      .sort((a, b) => a.paths.length - b.paths.length);
    for (const { tag, paths } of named) {
      // A tag of most documents relates none of them.
      const weight = Math.log((this.#files.size + 1) / paths.length);
      for (const other of paths) {
        if (other === path) continue;
        const one = kept(shared, other, () => ({ tags: [], weight: 0 }));
        one.tags.push(tag);
        one.weight += weight;
      }
    }
    return [...shared].sort(([a, one], [b, two]) => two.weight - one.weight || (a < b ? -1 : 1))
      .map(([path, { tags }]) => ({ path, tags }));
  }

  /**
   * Returns the file that a link leads to. A path from the folder names one file. A note's name means a file whose path ends with it: one in
   * the folder of the linking file, else the one with the shortest path.
   */
  #targetOf(link: string, from: string): string | undefined {
    const name = folded(link);
    if (name.startsWith("/")) return this.#byPath.get(name.slice(1));
    const folder = from.slice(0, from.lastIndexOf("/") + 1);
    const candidates = this.#byName.get(name.slice(name.lastIndexOf("/") + 1)) ?? [];
    const fitting = candidates.filter((path) => {
      const whole = `/${folded(path)}`;
      return whole.endsWith(`/${name}`) || withoutMarkdown(whole).endsWith(`/${name}`);
    });
    return fitting.find((path) => path.slice(0, path.lastIndexOf("/") + 1) === folder) ??
      fitting.reduce<string | undefined>(
        (best, path) => best && best.length <= path.length ? best : path,
        undefined,
      );
  }

  #allBacklinks(): Map<string, Set<string>> {
    const found = new Map<string, Set<string>>();
    for (const { path, links = [] } of this.#files.values()) {
      for (const link of links) {
        const target = this.#targetOf(link, path);
        if (target !== undefined && target !== path) kept(found, target, () => new Set<string>()).add(path);
      }
    }
    return found;
  }

  #allTags(): Map<string, string[]> {
    const found = new Map<string, string[]>();
    for (const { path, metadata } of this.#files.values()) {
      for (const tag of new Set(metadata?.tags?.map(folded))) kept(found, tag, () => []).push(path);
    }
    return found;
  }
}

function withoutMarkdown(path: string): string {
  return path.replace(/\.(?:md|markdown|mdx)$/i, "");
}
