import { type IndexReader, PostingList } from "../../index/mod.ts";

/** The chunks whose postings hold all of the `terms`, ascending; none where there are no terms. */
export function chunksWith(reader: IndexReader, terms: readonly string[]): Uint32Array {
  const ids = terms.map((term) => reader.dictionary.find(term));
  if (ids.length === 0 || ids.includes(-1)) return new Uint32Array();
  const lists = ids.map((id) => new PostingList(reader.postings, id))
    .sort((a, b) => a.documentFrequency - b.documentFrequency);
  const rarest = lists[0]!;
  const chunks = new Uint32Array(rarest.documentFrequency);
  rarest.decode(chunks, new Uint16Array(rarest.documentFrequency));
  // each list is asked for the chunks the rarer ones left, which its skips are made for
  return lists.slice(1).reduce((left, list) => left.filter((chunk) => list.frequencyIn(chunk) > 0), chunks);
}
