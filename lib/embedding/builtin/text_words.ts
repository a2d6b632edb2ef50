/** The words of a text as the built-in table knows them, with its sentences. */
export interface TextWords {
  /** In the order of the text, as {@linkcode import("./words.ts").WordFinder} gives them. */
  readonly ids: Int32Array;
  /** Where each sentence ends in `ids` (exclusive), ascending; the last is the number of words. */
  readonly sentenceEnds: Uint32Array;
}

/** Stands for a word the table lacks; its number follows. */
const UNKNOWN = 0;

/** Numbers of words that the table lacks have 30 bits. */
const MAX_UNKNOWN = 0x3fffffff;

/** Where the last seven bits go of a number of 32 bits. */
const MAX_SHIFT = 28;

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

/** Bytes that {@linkcode encodeWords} cannot have packed: what keeps them is damaged. */
export class DamagedWordsError extends Error {
  override readonly name = "DamagedWordsError";
}

/**
 * What {@linkcode encodeWords} packed. Throws {@linkcode DamagedWordsError} for other bytes, before it makes room for more
 * than they can hold. `wordCount`: ids of the table are below it.
 */
export function decodeWords(bytes: Uint8Array, englishCount: number, wordCount = Infinity): TextWords {
  const ids = new Int32Array(bytes.length);
  let at = 0, count = 0;
  const next = () => {
    if (at >= bytes.length) throw new DamagedWordsError("a number is missing");
    let byte = bytes[at++]!;
    let value = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      if (at >= bytes.length || shift > MAX_SHIFT) throw new DamagedWordsError("a number does not end");
      byte = bytes[at++]!;
      value |= (byte & 0x7f) << shift;
    }
    return value >>> 0;
  };
  const sentences = bytes.length === 0 ? 0 : next();
  if (sentences > bytes.length) {
    throw new DamagedWordsError(`${sentences} sentences in ${bytes.length} bytes`);
  }
  const sentenceEnds = new Uint32Array(sentences);
  let end = 0;
  for (let i = 0; i < sentences; i++) {
    end += next();
    if (end > bytes.length) throw new DamagedWordsError(`${end} words in ${bytes.length} bytes`);
    sentenceEnds[i] = end;
  }
  while (at < bytes.length) {
    const value = next();
    if (value === UNKNOWN) {
      const hash = next();
      if (hash > MAX_UNKNOWN) throw new DamagedWordsError(`unknown word ${hash}`);
      ids[count++] = ~hash;
    } else {
      const id = (value & 1) === 1 ? value >>> 1 : (value >>> 1) - 1 + englishCount;
      if (id >= wordCount) throw new DamagedWordsError(`word ${id} of ${wordCount}`);
      ids[count++] = id;
    }
  }
  if (end !== count) throw new DamagedWordsError(`sentences of ${end} words, but ${count} words`);
  return { ids: ids.subarray(0, count), sentenceEnds };
}

function putNumber(bytes: Uint8Array, at: number, value: number): number {
  for (; value > 0x7f; value >>>= 7) bytes[at++] = value & 0x7f | 0x80;
  bytes[at++] = value;
  return at;
}
