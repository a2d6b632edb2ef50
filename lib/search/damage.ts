import { BUILTIN_ID, DamagedWordsError, decodeWords, type Table } from "../embedding/mod.ts";
import { reasonOf, UserError } from "../errors.ts";
import { DamagedIndexError } from "../index/mod.ts";
import type { OpenIndex } from "../store/mod.ts";

/** Input of {@linkcode damageOf} for finding the damaged indexes. */
export interface Inquiry {
  /** The table with which the words were compared. */
  readonly table: Table | undefined;
  /** Runs the same search in a single index. */
  readonly alone: (index: OpenIndex) => Promise<unknown>;
}

/** Chunks whose words are read at once. */
const BATCH = 4096;

/**
 * Returns the damaged indexes that made a search fail, with the problem in English. `error` is the error of the search. If
 * no index has noted damage, each is searched alone, because an error from a wrong number does not name the index. Empty if
 * no index is at fault.
 */
export async function damageOf(
  error: unknown,
  indexes: readonly OpenIndex[],
  { table, alone }: Inquiry,
): Promise<Map<OpenIndex, string>> {
  const damages = new Map<OpenIndex, string>();
  if (error instanceof UserError) return damages;
  const wrongWords = error instanceof DamagedWordsError && table !== undefined;
  for (const index of indexes) {
    const problem = index.damage ??
      (wrongWords && !await hasSoundWords(index, table) ? error.message : undefined);
    if (problem !== undefined) damages.set(index, problem);
  }
  if (damages.size > 0) return damages;
  for (const index of indexes) {
    try {
      await alone(index);
    } catch (error) {
      damages.set(index, index.damage ?? reasonOf(error));
    }
  }
  // An error with every index, or with the only one, is a fault of this program.
  const isOurs = damages.size === indexes.length && !(error instanceof DamagedIndexError);
  return isOurs ? new Map() : damages;
}

/** Returns whether the words of every chunk can be decoded. A decoding error does not name the index. */
async function hasSoundWords(index: OpenIndex, { englishCount, wordCount }: Table): Promise<boolean> {
  // Words of another model are never decoded.
  if (index.vectors?.model !== BUILTIN_ID) return true;
  const count = index.statistics.chunks;
  try {
    for (let from = 0; from < count; from += BATCH) {
      const chunks = Int32Array.from({ length: Math.min(BATCH, count - from) }, (_, i) => from + i);
      for (const words of await index.words(chunks)) {
        if (words !== undefined) decodeWords(words, englishCount, wordCount);
      }
    }
    return true;
  } catch (error) {
    if (error instanceof DamagedWordsError || error instanceof DamagedIndexError) return false;
    throw error;
  }
}
