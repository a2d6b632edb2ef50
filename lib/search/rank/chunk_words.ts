import { decodeWords, type TextWords } from "../../embedding/mod.ts";
import type { IndexReader } from "../../index/mod.ts";
import type { Meaning } from "./meaning.ts";

/**
 * Reads the words of chunks as they were stored, after those of the headings and of the file's name, as in the index. What
 * leads to several chunks is looked at once.
 */
export class ChunkWords {
  readonly #leads = new Map<string, Int32Array>();

  constructor(readonly meaning: Meaning) {}

  /** The words of a chunk; nothing where its index keeps none. */
  of(reader: IndexReader, chunk: number): TextWords | undefined {
    const bytes = reader.words(chunk);
    if (bytes === undefined) return undefined;
    const lead = this.#lead(reader, chunk);
    const { ids, sentenceEnds } = decodeWords(bytes, this.meaning.table.englishCount);
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
