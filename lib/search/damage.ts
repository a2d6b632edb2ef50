import { BUILTIN_ID, DamagedWordsError, decodeWords, type Table } from "../embedding/mod.ts";
import { reasonOf, UserError } from "../errors.ts";
import { DamagedIndexError, type IndexReader } from "../index/mod.ts";

/** Input of {@linkcode damageOf} for finding the damaged indexes. */
export interface Inquiry {
  /** The table that the words were compared by. */
  readonly table: Table | undefined;
  /** Asks the same of one index alone. */
  readonly alone: (reader: IndexReader) => unknown;
}

/**
 * Which of the indexes that were read keep a question from being answered, as `error` tells, with what is wrong in English:
 * those that are damaged in a part that is read when needed. An error of any other kind, such as a wrong number leads to,
 * does not say whose it is: then each is asked alone, and it is those that fail where others do not. None where the fault is
 * not that of an index.
 */
export function damageOf(
  error: unknown,
  readers: readonly IndexReader[],
  { table, alone }: Inquiry,
): Map<IndexReader, string> {
  const damages = new Map<IndexReader, string>();
  if (error instanceof UserError) return damages;
  const wrongWords = error instanceof DamagedWordsError && table !== undefined;
  for (const reader of readers) {
    const problem = reader.damage ??
      (wrongWords && !hasSoundWords(reader, table) ? error.message : undefined);
    if (problem !== undefined) damages.set(reader, problem);
  }
  if (damages.size > 0) return damages;
  for (const reader of readers) {
    try {
      alone(reader);
    } catch (error) {
      damages.set(reader, reader.damage ?? reasonOf(error));
    }
  }
  // what fails with every index, or with the only one, is a fault of ours
  const isOurs = damages.size === readers.length && !(error instanceof DamagedIndexError);
  return isOurs ? new Map() : damages;
}

/** Whether the words of every chunk can be read: an error in one does not say whose they are. */
function hasSoundWords(reader: IndexReader, { englishCount, wordCount }: Table): boolean {
  // those of another model are never read
  if (reader.vectors?.meta.model !== BUILTIN_ID) return true;
  try {
    for (let chunk = 0; chunk < reader.chunks.length; chunk++) {
      const words = reader.words(chunk);
      if (words !== undefined) decodeWords(words, englishCount, wordCount);
    }
    return true;
  } catch (error) {
    if (error instanceof DamagedWordsError || error instanceof DamagedIndexError) return false;
    throw error;
  }
}
