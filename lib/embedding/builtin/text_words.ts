/** The words of a text as the built-in table knows them, with its sentences. */
export interface TextWords {
  /** In the order of the text, as {@linkcode import("./words.ts").WordFinder} gives them. */
  readonly ids: Int32Array;
  /** Where each sentence ends in `ids` (exclusive), ascending; the last is the number of words. */
  readonly sentenceEnds: Uint32Array;
}

/** Stands for a word the table lacks; its number follows. */
const UNKNOWN = 0;

/**
 * Packs the words of a text: the number of sentences, the words in each, then the words, all as LEB128. A common word
 * takes one or two bytes, because ids ascend with rarity in both languages: English ones are stored as 2 id + 1, Chinese
 * ones, which begin at `englishCount`, as 2 (id − englishCount) + 2; one that the table lacks as 0 and its 30 bits.
 */
export function encodeWords({ ids, sentenceEnds }: TextWords, englishCount: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(5 * (1 + sentenceEnds.length) + 6 * ids.length);
  let at = putNumber(bytes, 0, sentenceEnds.length);
  let before = 0;
  for (const end of sentenceEnds) {
    at = putNumber(bytes, at, end - before);
    before = end;
  }
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i]!;
    if (id < 0) {
      bytes[at++] = UNKNOWN;
      at = putNumber(bytes, at, ~id);
    } else at = putNumber(bytes, at, id < englishCount ? 2 * id + 1 : 2 * (id - englishCount) + 2);
  }
  return bytes.slice(0, at);
}

/** What {@linkcode encodeWords} packed. */
export function decodeWords(bytes: Uint8Array, englishCount: number): TextWords {
  const ids = new Int32Array(bytes.length);
  let at = 0, count = 0;
  const next = () => {
    let byte = bytes[at++]!;
    let value = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = bytes[at++]!;
      value |= (byte & 0x7f) << shift;
    }
    return value;
  };
  const sentenceEnds = new Uint32Array(bytes.length === 0 ? 0 : next());
  let end = 0;
  for (let i = 0; i < sentenceEnds.length; i++) sentenceEnds[i] = end += next();
  while (at < bytes.length) {
    const value = next();
    if (value === UNKNOWN) ids[count++] = ~next();
    else ids[count++] = (value & 1) === 1 ? value >>> 1 : (value >>> 1) - 1 + englishCount;
  }
  return { ids: ids.subarray(0, count), sentenceEnds };
}

function putNumber(bytes: Uint8Array, at: number, value: number): number {
  for (; value > 0x7f; value >>>= 7) bytes[at++] = value & 0x7f | 0x80;
  bytes[at++] = value;
  return at;
}
