/**
 * Work over bytes of which some may have to be fetched from elsewhere first.
 *
 * All reading of an index is synchronous. A file that does not have the bytes notes which ones are missing and throws
 * {@linkcode MissingBytes}; they are fetched, and the work is done again from its start (`lib/engine/index/remote`). So that few fetches
 * are needed, work on things that do not depend on each other goes on after the first miss: {@linkcode eachPaged}. A folder's file
 * never throws it.
 */

/** Thrown by a file that does not have the bytes yet. What is missing was noted by the file. */
export class MissingBytes extends Error {
  override readonly name = "MissingBytes";
}

/** Thrown for every miss: a search may have thousands, and most of the cost of an error is its stack. */
export const MISSING: MissingBytes = new MissingBytes("bytes of the index have not been fetched");

/** Does work for each item, also after a miss, so that what all of them miss is fetched at once. Throws {@linkcode MissingBytes} at the end. */
export function eachPaged<Item, Result>(items: Iterable<Item>, work: (item: Item) => Result): Result[] {
  const results: Result[] = [];
  let missing: MissingBytes | undefined;
  for (const item of items) {
    try {
      results.push(work(item));
    } catch (error) {
      if (!(error instanceof MissingBytes)) throw error;
      missing = error;
    }
  }
  if (missing !== undefined) throw missing;
  return results;
}

/** Does independent works, each also after a miss of an earlier one; see {@linkcode eachPaged}. */
export function allPaged<Results extends readonly unknown[]>(
  ...works: { readonly [I in keyof Results]: () => Results[I] }
): Results {
  return eachPaged(works as readonly (() => unknown)[], (work) => work()) as unknown as Results;
}

/** Does work of which the result is not needed yet. What it misses comes with the next fetch, if there is one. */
export function aheadPaged(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof MissingBytes)) throw error;
  }
}
