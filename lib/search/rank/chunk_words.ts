import { decodeWords, type TextWords } from "../../embedding/mod.ts";
import type { Meaning } from "./meaning.ts";

/**
 * Decodes the words that were stored for chunks. As in the index, the words of the file's name and of the headings come
 * first. Each path of headings is analysed once.
 */
export class ChunkWords {
  readonly #leads = new Map<string, Int32Array>();

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
    const name = path.slice(path.lastIndexOf("/") + 1).replace(/(?<=.)\.[^.]*$/, "");
    const text = [name, ...section].join("\n");
    let lead = this.#leads.get(text);
    if (lead === undefined) {
      lead = this.meaning.analyzer.analyze(text).words.ids.slice();
      this.#leads.set(text, lead);
    }
    return lead;
  }
}
