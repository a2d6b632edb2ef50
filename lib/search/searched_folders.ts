import type { OpenIndex } from "../store/mod.ts";
import type { ServedFolder } from "./served_folder.ts";
import type { IndexLease } from "./shared_index.ts";

/** A folder that has an index to search. */
export interface SearchedFolder {
  readonly folder: ServedFolder;
  readonly index: OpenIndex;
}

/** The folders of one search. Their indexes stay open until it is disposed of, even if they are replaced meanwhile. */
export class SearchedFolders implements Disposable {
  readonly #leases: readonly IndexLease[];
  /** The folders that have an index. */
  readonly indexed: readonly SearchedFolder[];

  /** Takes a lease of each folder's index. */
  constructor(readonly all: readonly ServedFolder[]) {
    const leased = all.flatMap((folder) => {
      const lease = folder.lease();
      return lease === undefined ? [] : [{ folder, lease }];
    });
    this.#leases = leased.map(({ lease }) => lease);
    this.indexed = leased.map(({ folder, lease }) => ({ folder, index: lease.index }));
  }

  /** Refreshes folders and takes leases of their indexes. */
  static async open(folders: readonly ServedFolder[]): Promise<SearchedFolders> {
    await Promise.all(folders.map((folder) => folder.refresh()));
    return new SearchedFolders(folders);
  }

  [Symbol.dispose](): void {
    for (const lease of this.#leases) lease[Symbol.dispose]();
  }
}

/** Gives up the indexes that have a problem. Returns the folders of the others. */
export function withoutDamaged(
  folders: readonly SearchedFolder[],
  problemOf: (index: OpenIndex) => string | undefined,
): readonly SearchedFolder[] {
  return folders.filter(({ folder, index }) => {
    const problem = problemOf(index);
    if (problem !== undefined) folder.giveUp(index, problem);
    return problem === undefined;
  });
}
