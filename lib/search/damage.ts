import { BUILTIN_ID, DamagedWordsError, decodeWords, type Table } from "../embedding/mod.ts";
import { DamagedBlobError, type IndexReader } from "../index/mod.ts";

/**
 * Which of the indexes that were read are damaged in a part that is read when needed, if `error` tells of such damage, with
 * what is wrong in English. `table`: what the words were compared by.
 */
export function damageOf(
  error: unknown,
  readers: readonly IndexReader[],
  table: Table | undefined,
): Map<IndexReader, string> {
  const damages = new Map<IndexReader, string>();
  if (!(error instanceof DamagedBlobError || error instanceof DamagedWordsError)) return damages;
  for (const reader of readers) {
    const wrongWords = error instanceof DamagedWordsError && table !== undefined &&
      !hasSoundWords(reader, table);
    const problem = reader.damage ?? (wrongWords ? error.message : undefined);
    if (problem !== undefined) damages.set(reader, problem);
  }
  return damages;
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
    if (error instanceof DamagedWordsError || error instanceof DamagedBlobError) return false;
    throw error;
  }
}
