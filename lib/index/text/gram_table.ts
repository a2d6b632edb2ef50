/** The table of a first unit without grams. */
const EMPTY = new Int32Array(2);
/** Numbers in the first table of a unit. */
const FIRST_ROOM = 64;

/**
 * Map from one or two UTF-16 units to a term id: an array for single units, and for pairs a table for each first unit with
 * open addressing (see `lib/open_addressing.ts`). Grams that are looked up in their order touch one small table after
 * another; in one large table each look-up waits for memory. A JavaScript `Map` takes five times as long as either.
 */
export class GramTable {
  /** id + 1 of each single unit. */
  readonly #single = new Int32Array(0x10000);
  /** Number of the table of each first unit; table 0 is empty. */
  readonly #tableOf = new Uint16Array(0x10000);
  /** Pairs (second unit, id + 1) side by side: a look-up then touches one cache line. */
  readonly #tables: Int32Array[] = [EMPTY];
  readonly #sizes: number[] = [0];

  /** Returns the id of a gram, or -1; `second` is 0 for a single unit. */
  get(first: number, second: number): number {
    if (second === 0) return this.#single[first]! - 1;
    const slots = this.#tables[this.#tableOf[first]!]!;
    return slots[slotOf(slots, second) + 1]! - 1;
  }

  /** Stores the id of a gram. */
  set(first: number, second: number, id: number): void {
    if (second === 0) {
      this.#single[first] = id + 1;
      return;
    }
    let table = this.#tableOf[first]!;
    if (table === 0) {
      table = this.#tableOf[first] = this.#tables.push(new Int32Array(FIRST_ROOM)) - 1;
      this.#sizes.push(0);
    }
    let slots = this.#tables[table]!;
    let slot = slotOf(slots, second);
    if (slots[slot + 1] === 0 && ++this.#sizes[table]! * 4 > slots.length) {
      slots = this.#tables[table] = grown(slots);
      slot = slotOf(slots, second);
    }
    slots[slot] = second;
    slots[slot + 1] = id + 1;
  }
}

/** Returns the index of the slot that holds `second`, or of the free one where it belongs. */
function slotOf(slots: Int32Array, second: number): number {
  const mask = slots.length - 1;
  // Fibonacci hashing spreads the neighbouring code points of a script over the table.
  let slot = (Math.imul(second, 0x9e3779b1) >>> 8 << 1) & mask;
  while (slots[slot + 1] !== 0 && slots[slot] !== second) slot = (slot + 2) & mask;
  return slot;
}

function grown(old: Int32Array): Int32Array {
  const slots = new Int32Array(old.length * 2);
  for (let i = 0; i < old.length; i += 2) {
    if (old[i + 1] === 0) continue;
    const slot = slotOf(slots, old[i]!);
    slots[slot] = old[i]!;
    slots[slot + 1] = old[i + 1]!;
  }
  return slots;
}
