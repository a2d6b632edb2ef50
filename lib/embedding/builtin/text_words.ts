/** The words of a text as ids of the built-in table, and its sentences. */
export interface TextWords {
  /** In the order of the text, from {@linkcode import("./words.ts").WordFinder}. */
  readonly ids: Int32Array;
  /** Exclusive end of each sentence in `ids`, ascending. The last is the number of words. */
  readonly sentenceEnds: Uint32Array;
}

/** Marks a word that is not in the table. The bits of its hash follow. */
const UNKNOWN = 0;

/** Hashes of words that are not in the table have 30 bits. */
const MAX_UNKNOWN = 0x3fffffff;

/** Shift of the last seven bits of a 32-bit number. */
const MAX_SHIFT = 28;

/**
 * Encodes the words of a text: the number of sentences, the number of words in each, then the words, all as LEB128. English
 * words are stored as 2 id + 1, Chinese ones as 2 (id − englishCount) + 2, words that are not in the table as 0 and the 30
 * bits of their hash. A common word takes one or two bytes, because ids ascend with rarity in both languages.
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

/** Thrown for bytes that {@linkcode encodeWords} cannot have written: the index is damaged. */
export class DamagedWordsError extends Error {
  override readonly name = "DamagedWordsError";
}

/**
 * Decodes the output of {@linkcode encodeWords}. `wordCount` is the number of words in the table. Throws
 * {@linkcode DamagedWordsError} for other bytes. Never allocates more than valid bytes of this length could need.
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
