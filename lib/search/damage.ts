import { BUILTIN_ID, DamagedWordsError, decodeWords, type Table } from "../embedding/mod.ts";
import { reasonOf, UserError } from "../errors.ts";
import { DamagedIndexError } from "../index/mod.ts";
import type { OpenIndex } from "../store/mod.ts";

/** Input of {@linkcode damageOf} for finding the damaged indexes. */
export interface Inquiry {
  /** The table that the words were compared by. */
  readonly table: Table | undefined;
  /** Asks one index alone the same question. */
  readonly alone: (index: OpenIndex) => Promise<unknown>;
}

/** Chunks whose words are read at a time. */
const BATCH = 4096;

/**
 * The indexes that keep a question from being answered by their damage, with the problem in English. `error` is the one
 * that the question has led to. If no index has noted damage, each is asked alone: an error such as a wrong number leads to
 * does not say which index it comes from. Empty if the fault is not in an index.
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
  // what fails with every index, or with the only one, is a fault of this program
  const isOurs = damages.size === indexes.length && !(error instanceof DamagedIndexError);
  return isOurs ? new Map() : damages;
}

/** Whether the words of every chunk can be decoded: an error does not say which index they come from. */
async function hasSoundWords(index: OpenIndex, { englishCount, wordCount }: Table): Promise<boolean> {
  // words of another model are never decoded
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
