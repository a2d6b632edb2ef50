import { ID_BITS, ID_MASK, mixHash, type WordListData } from "#models/embedding/builtin/decode.ts";
import { addToHash, freeSlot, HASH_START, slotCount } from "#foundation/open_addressing.ts";

/** Builds the arrays of a word list. The id of a word is its index in `words`. The words must be distinct. */
export function buildWordList(words: readonly string[]): WordListData {
  if (words.length >= ID_MASK) throw new RangeError(`${words.length} words: a slot holds ${ID_MASK - 1}`);
  const slots = new Uint32Array(slotCount(words.length));
  const offsets = new Uint32Array(words.length + 1);
  const units = new Uint16Array(words.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const [id, word] of words.entries()) {
    let hash = HASH_START;
    for (let i = 0; i < word.length; i++) {
      units[at++] = word.charCodeAt(i);
      hash = addToHash(hash, word.charCodeAt(i));
    }
    offsets[id + 1] = at;
    const mixed = mixHash(hash);
    slots[freeSlot(slots, mixed)] = (mixed >>> ID_BITS << ID_BITS | (id + 1)) >>> 0;
  }
  return { units, offsets, slots };
}
