import { decodeWords, type TextWords } from "../../embedding/mod.ts";
import type { Meaning } from "./meaning.ts";

/**
 * Decodes the words that were stored for chunks. As in the index, the words of the file's name and of the headings come
 * first.
 */
export class ChunkWords {
  constructor(readonly meaning: Meaning) {}

  /** Returns the words of a chunk. `path`: path of its file. Throws `DamagedWordsError`. */
  of(stored: Uint8Array, path: string, section: readonly string[]): TextWords {
    const lead = this.#lead(path, section);
    const { englishCount, wordCount } = this.meaning.table;
    const { ids, sentenceEnds } = decodeWords(stored, englishCount, wordCount);
    const all = new Int32Array(lead.length + ids.length);
    all.set(lead);
    all.set(ids, lead.length);
    // The file's name and headings belong to the first sentence.
    return { ids: all, sentenceEnds: sentenceEnds.map((end) => end + lead.length) };
  }

  #lead(path: string, section: readonly string[]): Int32Array {
    const file = path.slice(path.lastIndexOf("/") + 1);
    const dot = file.lastIndexOf(".");
    return this.meaning.wordsOf([dot > 0 ? file.slice(0, dot) : file, ...section].join("\n"));
  }
}
