/**
 * Numbers of terms while texts are indexed.
 */
import { addToHash, HASH_START } from "#foundation/open_addressing.ts";
import { grown, release, u32 } from "../bytes.ts";
import { classOfCodePoint, GRAM, gramTerm, termsOfUnits } from "./tokenizer.ts";

/** Written words whose term ids are cached. The cache is emptied when it is full. */
const MAX_CACHED_WORDS = 1 << 19;
/** UTF-16 units of the longest word that is cached. */
const MAX_CACHED_LENGTH = 64;

/** The forms of texts: no gram begins with a surrogate, and memory ends before 2^27 strings. */
const TEXT = 0xd800_0000;

function isText(form: number): boolean {
  return form >>> 27 === TEXT >>> 27;
}

/** Assigns an id to each term, counted from 0 in the order of their first occurrence. */
export class Vocabulary {
  /** For each id, a gram as `first << 16 | second`, or {@linkcode TEXT} plus the number of another term in `#texts`. */
  readonly #forms = u32();
  /** The terms that are not in `#grams`. Millions of grams as strings would keep the collector busy. */
  readonly #texts: string[] = [];
  /** Ids of all terms except grams of at most two UTF-16 units, which are in `#grams`. */
  readonly #ids = new Map<string, number>();
  readonly #grams = new GramTable();
  #words = new WordTable();
  readonly #lower = new Uint16Array(MAX_CACHED_LENGTH);

  /** Number of terms. */
  get size(): number {
    return this.#forms.length;
  }

  /** Frees the memory of the look-ups. Only {@linkcode termOf} may be called afterwards. */
  releaseLookups(): void {
    this.#ids.clear();
    this.#grams.release();
    this.#words.release();
  }

  /** Returns the term of an id. */
  termOf(id: number): string {
    const form = this.#forms.at(id);
    return isText(form) ? this.#texts[form - TEXT]! : gramTerm(form >>> 16, form & 0xffff);
  }

  /** Returns the id of a term of another index. */
  idOf(term: string): number {
    const first = term.codePointAt(0) ?? 0;
    const isGram = term.length <= 2 && first <= 0xffff && classOfCodePoint(first) === GRAM;
    return isGram ? this.ofGram(first, term.length === 2 ? term.charCodeAt(1) : 0) : this.#add(term);
  }

  /**
   * Writes the ids of the terms of all words of a batch into `into` from `at` on, empties the batch, and returns the index after the
   * last. There must be room for `MOST_TERMS` ids a word.
   */
  ofWords(batch: WordBatch, into: Uint32Array, at: number): number {
    const { units, starts, ends, hashes, length } = batch;
    const words = this.#words;
    words.find(batch);
    const { addresses } = batch;
    let to = at;
    for (let i = 0; i < length; i++) {
      const start = starts[i]!, end = ends[i]!;
      // A word may have filled and emptied the cache.
      const known = this.#words === words ? words.read(addresses[i]!, units, start, end, into, to) : -1;
      to = known >= 0 ? known : this.#ofWord(units, start, end, hashes[i]!, into, to);
    }
    batch.length = 0;
    return to;
  }

  /** Writes the ids of the terms of a word into `into` from `at` on and returns the index after the last. */
  #ofWord(
    units: Uint16Array,
    start: number,
    end: number,
    hash: number,
    into: Uint32Array,
    at: number,
  ): number {
    // Longer words are mostly encoded data that occurs once, so they are not cached.
    const isCached = end - start <= MAX_CACHED_LENGTH;
    const known = isCached ? this.#words.get(units, start, end, hash, into, at) : -1;
    if (known >= 0) return known;
    let to = at;
    if (isCached && isCapitalised(units, start, end)) {
      to = this.#ofLowerCase(units, start, end, into, at);
    } else for (const term of termsOfUnits(units, start, end)) into[to++] = this.#add(term);
    if (isCached) {
      if (this.#words.size >= MAX_CACHED_WORDS) this.#words = new WordTable();
      this.#words.set(units, start, end, hash, into, at, to);
    }
    return to;
  }

  /** Writes the ids of a word in lower case, which has been stemmed if it was seen before. */
  #ofLowerCase(units: Uint16Array, start: number, end: number, into: Uint32Array, at: number): number {
    const lower = this.#lower;
    let hash = HASH_START;
    for (let i = start; i < end; i++) {
      const unit = lower[i - start] = units[i]! | 0x20;
      hash = addToHash(hash, unit);
    }
    return this.#ofWord(lower, 0, end - start, hash, into, at);
  }

  /** Returns the id of a gram; `second` is 0 for a single character. */
  ofGram(first: number, second: number): number {
    if (first > 0xffff || second > 0xffff) return this.#add(gramTerm(first, second));
    let id = this.#grams.get(first, second);
    if (id < 0) {
      id = this.#push(first << 16 | second);
      this.#grams.set(first, second, id);
    }
    return id;
  }

  /**
   * Writes the ids of the pairs of a character, `pairs` at each of `starts`, of which the upper half is the second character. These ascend.
   * Pairs are below 2^16.
   */
  ofPairs(first: number, pairs: Uint32Array, starts: Uint32Array, count: number, ids: Uint32Array): void {
    this.#grams.getPairs(first, pairs, starts, count, ids);
    for (let i = 0; i < count; i++) {
      if (ids[i] !== 0) {
        ids[i]!--;
        continue;
      }
      const second = pairs[starts[i]!]! >>> 16;
      const id = ids[i] = this.#push(first << 16 | second);
      this.#grams.set(first, second, id);
    }
  }

  #add(term: string): number {
    let id = this.#ids.get(term);
    if (id === undefined) {
      id = this.#push(TEXT + this.#texts.push(term) - 1);
      this.#ids.set(term, id);
    }
    return id;
  }

  #push(form: number): number {
    this.#forms.push(form);
    return this.#forms.length - 1;
  }
}

/** Whether a word has only Latin letters and the first or all are capitals. It has the same terms as the word in lower case. */
function isCapitalised(units: Uint16Array, start: number, end: number): boolean {
  let capitals = 0;
  while (start + capitals < end && units[start + capitals]! >= 0x41 && units[start + capitals]! <= 0x5a) {
    capitals++;
  }
  if (capitals !== 1 && (capitals === 0 || start + capitals < end)) return false;
  for (let at = start + capitals; at < end; at++) {
    if (units[at]! < 0x61 || units[at]! > 0x7a) return false;
  }
  return true;
}

/** Most words of a batch. */
const BATCH_WORDS = 256;

/** Words of a text in their order: the units of each and their hash, see `TokenSink`. */
export class WordBatch {
  length = 0;
  units: Uint16Array = new Uint16Array(0);
  readonly starts = new Int32Array(BATCH_WORDS);
  readonly ends = new Int32Array(BATCH_WORDS);
  readonly hashes = new Int32Array(BATCH_WORDS);
  /** Where the table of words holds each, plus 1; 0 if it is not known. */
  readonly addresses = new Int32Array(BATCH_WORDS);

  /** Adds a word. All words of a batch are in the same array of units. Returns whether the batch is full. */
  add(units: Uint16Array, start: number, end: number, hash: number): boolean {
    const at = this.length++;
    this.units = units;
    this.starts[at] = start;
    this.ends[at] = end;
    this.hashes[at] = hash;
    return this.length === BATCH_WORDS;
  }
}

/** Before the units of a word: their number, and the number of its ids. */
const HEAD = 2;

/**
 * Map from written words to the ids of their terms (see `lib/foundation/open_addressing.ts`). Every word of a text is looked up, and
 * most of the time goes into waiting for memory. So each word has one record, `length, count, ids …, units …`, and the slots
 * hold pairs (hash, address of the record + 1): a look-up touches two places.
 */
class WordTable {
  /** Number of words. */
  size = 0;
  #slots = new Int32Array(2 << 14);
  #records = new Uint16Array(1 << 16);
  #used = 0;

  /**
   * Finds the addresses of the words of a batch, by their hashes and lengths. Two loops over many words overlap their waits for memory;
   * one word after the other would wait for each.
   */
  find({ starts, ends, hashes, addresses, length }: WordBatch): void {
    const slots = this.#slots, records = this.#records;
    const mask = slots.length - 1;
    for (let i = 0; i < length; i++) {
      const hash = hashes[i]!;
      let slot = slotOf(hash) & mask;
      while (slots[slot + 1] !== 0 && slots[slot] !== hash) slot = (slot + 2) & mask;
      addresses[i] = slots[slot + 1]!;
    }
    for (let i = 0; i < length; i++) {
      const address = addresses[i]!;
      if (address !== 0 && records[address - 1] !== ends[i]! - starts[i]!) addresses[i] = 0;
    }
  }

  /**
   * Writes the ids of a word, the `units` from `start` to `end`, into `into` from `at` on. Returns the index after the last, or -1 if the
   * word is not in the table. `hash`: FNV-1a of the units.
   */
  get(units: Uint16Array, start: number, end: number, hash: number, into: Uint32Array, at: number): number {
    const slots = this.#slots, records = this.#records;
    const mask = slots.length - 1;
    for (let slot = slotOf(hash) & mask;; slot = (slot + 2) & mask) {
      const address = slots[slot + 1]!;
      if (address === 0) return -1;
      if (slots[slot] !== hash || records[address - 1] !== end - start) continue;
      const to = this.read(address, units, start, end, into, at);
      if (to >= 0) return to;
    }
  }

  /** Like {@linkcode get}, for a word that may be at an address and has the length of the one there. */
  read(
    address: number,
    units: Uint16Array,
    start: number,
    end: number,
    into: Uint32Array,
    at: number,
  ): number {
    if (address === 0) return -1;
    const records = this.#records;
    const count = records[address]!;
    let from = address - 1 + HEAD + 2 * count;
    for (let same = start; same < end; same++, from++) if (records[from] !== units[same]) return -1;
    from = address - 1 + HEAD;
    let to = at;
    for (let i = 0; i < count; i++, from += 2) into[to++] = records[from]! | records[from + 1]! << 16;
    return to;
  }

  /** Adds a word, which must not be in the table, with the `ids` from `first` to `last`. */
  set(
    units: Uint16Array,
    start: number,
    end: number,
    hash: number,
    ids: Uint32Array,
    first: number,
    last: number,
  ): void {
    if (++this.size * 4 > this.#slots.length) this.#growSlots();
    while (this.#used + HEAD + 2 * (last - first) + end - start > this.#records.length) {
      this.#records = grown(Uint16Array, this.#records, this.#records.length * 2);
    }
    this.#fill(hash, this.#used + 1);
    const records = this.#records;
    records[this.#used++] = end - start;
    records[this.#used++] = last - first;
    for (let i = first; i < last; i++) {
      records[this.#used++] = ids[i]! & 0xffff;
      records[this.#used++] = ids[i]! >>> 16;
    }
    for (let i = start; i < end; i++) records[this.#used++] = units[i]!;
  }

  release(): void {
    release(this.#slots);
    release(this.#records);
  }

  #growSlots(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 2);
    for (let i = 0; i < old.length; i += 2) if (old[i + 1] !== 0) this.#fill(old[i]!, old[i + 1]!);
  }

  #fill(hash: number, address: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = slotOf(hash) & mask;
    while (slots[slot + 1] !== 0) slot = (slot + 2) & mask;
    slots[slot] = hash;
    slots[slot + 1] = address;
  }
}

/** Mixes the upper bits into the lower ones, which select the pair of slots. */
function slotOf(hash: number): number {
  return (hash ^ hash >>> 15) << 1;
}

/** The table of a first unit without grams. */
const EMPTY = new Int32Array(2);
/** Numbers in the first table of a unit. */
const FIRST_ROOM = 64;

/**
 * Map from one or two UTF-16 units to a term id: an array for single units, and for pairs a table for each first unit with
 * open addressing (see `lib/foundation/open_addressing.ts`). Grams that are looked up in their order touch one small table after
 * another; in one large table each look-up waits for memory. A JavaScript `Map` takes five times as long as either.
 */
class GramTable {
  /** id + 1 of each single unit. */
  readonly #single = new Int32Array(0x10000);
  /** Number of the table of each first unit; table 0 is empty. */
  readonly #tableOf = new Uint16Array(0x10000);
  /** Pairs (second unit, id + 1) side by side: a look-up then touches one cache line. */
  readonly #tables: Int32Array[] = [EMPTY];
  readonly #sizes: number[] = [0];

  release(): void {
    for (const slots of this.#tables) if (slots !== EMPTY) release(slots);
  }

  /** Returns the id of a gram, or -1; `second` is 0 for a single unit. */
  get(first: number, second: number): number {
    if (second === 0) return this.#single[first]! - 1;
    const slots = this.#tables[this.#tableOf[first]!]!;
    return slots[gramSlot(slots, second) + 1]! - 1;
  }

  /** Writes the ids plus 1 of pairs, see {@linkcode Vocabulary.ofPairs}, or 0. */
  getPairs(first: number, pairs: Uint32Array, starts: Uint32Array, count: number, ids: Uint32Array): void {
    const slots = this.#tables[this.#tableOf[first]!]!;
    const mask = slots.length - 1;
    // A loop without a condition overlaps the waits for memory.
    for (let i = 0; i < count; i++) ids[i] = slots[homeOf(pairs[starts[i]!]! >>> 16) & mask]!;
    for (let i = 0; i < count; i++) {
      const second = pairs[starts[i]!]! >>> 16;
      ids[i] = slots[gramSlot(slots, second) + 1]!;
    }
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
    let slot = gramSlot(slots, second);
    if (slots[slot + 1] === 0 && ++this.#sizes[table]! * 4 > slots.length) {
      const more = withMoreSlots(slots);
      release(slots);
      slots = this.#tables[table] = more;
      slot = gramSlot(slots, second);
    }
    slots[slot] = second;
    slots[slot + 1] = id + 1;
  }
}

/** Returns the index of the slot that holds `second`, or of the free one where it belongs. */
function gramSlot(slots: Int32Array, second: number): number {
  const mask = slots.length - 1;
  let slot = homeOf(second) & mask;
  while (slots[slot + 1] !== 0 && slots[slot] !== second) slot = (slot + 2) & mask;
  return slot;
}

/** Fibonacci hashing spreads the neighbouring code points of a script over the table. */
function homeOf(second: number): number {
  return Math.imul(second, 0x9e3779b1) >>> 8 << 1;
}

function withMoreSlots(old: Int32Array): Int32Array {
  const slots = new Int32Array(old.length * 2);
  for (let i = 0; i < old.length; i += 2) {
    if (old[i + 1] === 0) continue;
    const slot = gramSlot(slots, old[i]!);
    slots[slot] = old[i]!;
    slots[slot + 1] = old[i + 1]!;
  }
  return slots;
}
