import { decodeWords, type TextWords } from "../../embedding/mod.ts";
import type { IndexReader } from "../../index/mod.ts";
import type { Meaning } from "./meaning.ts";

/**
 * Reads the words of chunks as they were stored, after those of the headings and of the file's name, as in the index. What
 * leads to several chunks is looked at once.
 */
export class ChunkWords {
  readonly #leads = new Map<string, Int32Array>();

  /** `model`: what the words must be of; default: of any. */
  constructor(readonly meaning: Meaning, readonly model: string | undefined) {}

  /**
   * The words of a chunk; nothing where its index keeps none, or those of another model, whose numbers mean other words. Throws
   * `DamagedWordsError`.
   */
  of(reader: IndexReader, chunk: number): TextWords | undefined {
    if (this.model !== undefined && reader.vectors?.meta.model !== this.model) return undefined;
    const bytes = reader.words(chunk);
    if (bytes === undefined) return undefined;
    const lead = this.#lead(reader, chunk);
    const { englishCount, wordCount } = this.meaning.table;
    const { ids, sentenceEnds } = decodeWords(bytes, englishCount, wordCount);
    const all = new Int32Array(lead.length + ids.length);
    all.set(lead);
    all.set(ids, lead.length);
    // the lead belongs to the first sentence
    return { ids: all, sentenceEnds: sentenceEnds.map((end) => end + lead.length) };
  }

  #lead(reader: IndexReader, chunk: number): Int32Array {
    const { file, section } = reader.chunks.row(chunk);
    const { path } = reader.files[file]!;
    const name = path.slice(path.lastIndexOf("/") + 1).replace(/(?<=.)\.[^.]*$/, "");
    const text = [name, ...reader.sections.get(section)].join("\n");
    let lead = this.#leads.get(text);
    if (lead === undefined) {
      lead = this.meaning.analyzer.analyze(text).words.ids.slice();
      this.#leads.set(text, lead);
    }
    return lead;
  }
}
