/**
 * The rules that the program's hash tables share: open addressing with linear probing, FNV-1a as the hash.
 *
 *     "rag" hashes to slot 2                slots, a power of two of them, at least half of them free
 *                │
 *                ▼
 *       0    1    2    3    4    5    6    7
 *     ┌────┬────┬────┬────┬────┬────┬────┬────┐
 *     │  0 │  0 │  5 │  1 │  0 │  0 │  3 │  0 │   a slot holds the number of an entry plus 1, or 0 if it is free
 *     └────┴────┴────┴────┴────┴────┴────┴────┘
 *                 │    ▲ │    ▲
 *                 └────┘ └────┘                   entries 4 and 0 are other keys; slot 4 is free: "rag" is not
 *                                                 in the table, and would be added here
 *
 * The slots point into arrays that hold the entries. The keys differ from table to table (UTF-8 bytes, UTF-16 units, pairs
 * of units, content hashes), so each table has a look-up loop of its own: with one shared loop and the comparison passed to
 * it as a function, cutting Chinese text into words took 1.4 times as long.
 * @module
 */

/** The fewest slots of a table. */
const MIN_SLOTS = 16;

/** How many slots a table of `entries` entries has: a power of two, at least twice as many. */
export function slotCount(entries: number): number {
  let count = MIN_SLOTS;
  while (count < entries * 2) count *= 2;
  return count;
}

/** Index of the first free slot for a key with this hash. The key must not be in the table. */
export function freeSlot(slots: Int32Array | Uint32Array, hash: number): number {
  const mask = slots.length - 1;
  let slot = hash & mask;
  while (slots[slot] !== 0) slot = (slot + 1) & mask;
  return slot;
}

/** FNV-1a, 32 bits: the hash before the first unit. */
export const HASH_START = 0x811c9dc5 | 0;

/** FNV-1a: the hash with one more byte or UTF-16 unit. */
export function addToHash(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}
