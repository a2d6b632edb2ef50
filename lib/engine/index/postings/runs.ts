/**
 * Postings of new chunks in memory, in runs that are written and read from start to end.
 */
import { release } from "../bytes.ts";
import { IndexTooLargeError, MAX_POSTINGS_BYTES } from "./format.ts";

/** The greatest term frequency that is stored, in 16 bits. BM25 hardly grows at much smaller frequencies. */
export const MAX_TF = 0xffff;
/** Tokens of a page, unless an entry needs more. */
const PAGE_UNITS = 1 << 17;
/** Bytes of all pages at most, so that an index that becomes too large ends early. */
const MOST_BYTES = 2 * MAX_POSTINGS_BYTES;
/** The two numbers before the tokens of an entry take three units each at most. */
const MOST_HEAD_UNITS = 6;

/**
 * The tokens of sorted batches. A batch holds hundreds of thousands of terms, and to visit the list of each would be a wait for
 * memory. So nothing is appended to lists. Terms that got their ids in the same batch are a generation, and each batch appends one run
 * to each generation whose terms it holds:
 *
 * ```
 * generation 0  ┌ run of batch 0 ┬ run of batch 1 ┬ run of batch 2 ┐   a run: entries, their terms ascend
 * generation 1                   ┌ run of batch 1 ┬ run of batch 2 ┐   an entry: gap to the term before << 1 | is one token,
 * generation 2                                    ┌ run of batch 2 ┐     number of tokens unless it is 1, chunk of each token
 * ```
 *
 * A chunk is its index in the batch, in 16 bits. The lists in the order of the ids are those of one generation after another, whose runs
 * are merged.
 */
export class Runs {
  readonly #generations: Generation[] = [new Generation(0)];
  readonly #ends: number[] = [];
  /** The generation of the first term of each block of terms. */
  readonly #ofBlock: number[] = [];
  /** The numbers of the batch's chunks. */
  #ids = new Uint32Array(0);
  #batch = 0;
  /** Bytes of all full pages. */
  #bytes = 0;
  /** The generation that is decoded. */
  #decoded = 0;

  /** Begins the runs of a batch of chunks with ascending numbers. */
  begin(ids: readonly number[]): void {
    this.#ids = Uint32Array.from(ids);
    this.#batch++;
  }

  /**
   * Adds the tokens of a term: `tokens` from `from` to `to`. The lower half of each is the index of its chunk in the batch; these ascend.
   * So must the terms of one generation.
   */
  add(term: number, tokens: Uint32Array, from: number, to: number): void {
    const generation = this.#generationOf(term);
    if (generation.batch !== this.#batch) generation.beginRun(this.#batch, this.#ids);
    const count = to - from;
    if (generation.used + count + MOST_HEAD_UNITS > generation.page.length) this.#addPage(generation, count);
    const { page } = generation;
    let at = putNumber(page, generation.used, (term - generation.term) * 2 + (count === 1 ? 1 : 0));
    if (count > 1) at = putNumber(page, at, count);
    for (let i = from; i < to; i++) page[at++] = tokens[i]!;
    generation.term = term;
    generation.used = at;
  }

  #addPage(generation: Generation, tokens: number): void {
    this.#bytes += 2 * generation.used;
    if (this.#bytes > MOST_BYTES) throw new IndexTooLargeError(`${this.#bytes} bytes of postings in memory`);
    generation.addPage(Math.max(PAGE_UNITS, tokens + MOST_HEAD_UNITS));
  }

  /** Ends a generation: terms from `end` on belong to the next one. */
  endGeneration(end: number): void {
    const generations = this.#generations, last = generations.length - 1;
    if (end === generations[last]!.first) return;
    while (this.#ofBlock.length << BLOCK_BITS < end) this.#ofBlock.push(last);
    this.#ends.push(end);
    generations.push(new Generation(end));
  }

  #generationOf(term: number): Generation {
    const last = this.#generations.length - 1;
    if (term >= this.#generations[last]!.first) return this.#generations[last]!;
    let generation = this.#ofBlock[term >>> BLOCK_BITS]!;
    while (term >= this.#ends[generation]!) generation++;
    return this.#generations[generation]!;
  }

  /**
   * Writes the postings of a term into both arrays, which must be large enough, chunks in ascending order. Returns the count. Nothing may be
   * added any more, and the terms must ascend, because the memory of earlier generations is freed.
   */
  decode(term: number, chunks: Uint32Array, frequencies: Uint16Array): number {
    while (this.#decoded < this.#ends.length && term >= this.#ends[this.#decoded]!) {
      this.#generations[this.#decoded++]!.release();
    }
    const generation = this.#generations[this.#decoded]!;
    return generation.merge(this.#ends[this.#decoded])?.decode(term, chunks, frequencies) ?? 0;
  }

  /** Frees the memory of all postings. Nothing else may be called afterwards. */
  release(): void {
    for (const generation of this.#generations.slice(this.#decoded)) generation.release();
  }
}

/** Terms in a block are 2 to the power of this. */
const BLOCK_BITS = 12;

/** The runs of terms with ids that follow each other. */
class Generation {
  /** The id of its first term. */
  readonly first: number;
  /** The batch of its last run, and the last term there. */
  batch = 0;
  term = 0;
  /** The last page, and the units used of it. */
  page = new Uint16Array(0);
  used = 0;
  readonly #pages: Page[] = [];
  readonly #runs: RunStart[] = [];
  #merge: Merge | undefined;

  constructor(first: number) {
    this.first = first;
  }

  beginRun(batch: number, ids: Uint32Array): void {
    this.batch = batch;
    this.term = this.first;
    this.#runs.push({ page: this.#pages.length, at: this.used, ids });
  }

  addPage(units: number): void {
    if (this.used > 0) this.#pages.push({ units: this.page, end: this.used });
    this.page = new Uint16Array(units);
    this.used = 0;
  }

  /** Returns the merge of its runs, `undefined` if it has none. `end`: the term after its last one. */
  merge(end: number | undefined): Merge | undefined {
    if (this.#runs.length === 0 || this.#merge !== undefined) return this.#merge;
    const last = { page: this.#pages.length, at: this.used, ids: new Uint32Array(0) };
    const pages = [...this.#pages, { units: this.page, end: this.used }];
    return this.#merge = new Merge(this.first, end!, pages, [...this.#runs, last]);
  }

  release(): void {
    for (const { units } of this.#pages) release(units);
    release(this.page);
    this.#merge = undefined;
  }
}

interface Page {
  readonly units: Uint16Array;
  /** Units used. */
  readonly end: number;
}

/** The place of a run, and the numbers of its batch's chunks. */
interface RunStart {
  readonly page: number;
  readonly at: number;
  readonly ids: Uint32Array;
}

/** Merges the runs of a generation. Each run waits for the next term that it has, in a chain of the runs that wait for the same term. */
class Merge {
  readonly #first: number;
  readonly #pages: readonly Page[];
  readonly #runs: readonly RunStart[];
  /** Page and offset of the next unit of each run, and the term that it waits for, which has one token if the flag is set. */
  readonly #page: Int32Array;
  readonly #at: Int32Array;
  readonly #term: Int32Array;
  readonly #isSingle: Uint8Array;
  /** The number plus 1 of the first run of each term's chain, and of the next after each run; 0 at the end. */
  readonly #chains: Int32Array;
  readonly #next: Int32Array;
  /** The runs of the term that is decoded. */
  readonly #waiting: Int32Array;

  /** `runs`: their starts, and the end of the last one. */
  constructor(first: number, end: number, pages: readonly Page[], runs: readonly RunStart[]) {
    this.#first = first;
    this.#pages = pages;
    this.#runs = runs;
    const count = runs.length - 1;
    this.#page = Int32Array.from(runs, ({ page }) => page);
    this.#at = Int32Array.from(runs, ({ at }) => at);
    this.#term = new Int32Array(count).fill(first);
    this.#isSingle = new Uint8Array(count);
    this.#chains = new Int32Array(end - first);
    this.#next = new Int32Array(count);
    this.#waiting = new Int32Array(count);
    for (let run = count - 1; run >= 0; run--) this.#advance(run);
  }

  decode(term: number, chunks: Uint32Array, frequencies: Uint16Array): number {
    const waiting = this.#waiting;
    let runs = 0, count = 0;
    for (let run = this.#chains[term - this.#first]!; run !== 0; run = this.#next[run - 1]!) {
      // The chain is nearly always in order.
      let place = runs++;
      for (; place > 0 && waiting[place - 1]! >= run; place--) waiting[place] = waiting[place - 1]!;
      waiting[place] = run - 1;
    }
    for (let i = 0; i < runs; i++) count = this.#decodeRun(waiting[i]!, count, chunks, frequencies);
    for (let i = runs - 1; i >= 0; i--) this.#advance(waiting[i]!);
    return count;
  }

  /** Writes the postings of one run behind the first `written` ones. Returns the count of all. */
  #decodeRun(run: number, written: number, chunks: Uint32Array, frequencies: Uint16Array): number {
    const { units } = this.#pages[this.#page[run]!]!;
    const { ids } = this.#runs[run]!;
    let at = this.#at[run]!, left = 1;
    if (this.#isSingle[run] === 0) {
      left = numberAt(units, at);
      at = afterNumber(units, at);
    }
    let count = written - 1, last = -1, tf = 0;
    for (const end = at + left; at < end; at++) {
      const chunk = units[at]!, difference = chunk ^ last;
      // 1 for another chunk, without a condition that no processor can guess.
      const isNext = (difference | -difference) >>> 31;
      count += isNext;
      tf = (tf & isNext - 1) + 1;
      last = chunk;
      chunks[count] = ids[chunk]!;
      frequencies[count] = Math.min(tf, MAX_TF);
    }
    this.#at[run] = at;
    return count + 1;
  }

  /** Reads the next term of a run, if there is one, and lets the run wait for it. */
  #advance(run: number): void {
    let at = this.#at[run]!, page = this.#page[run]!;
    const end = this.#runs[run + 1]!;
    if (page === end.page && at === end.at) return;
    if (at === this.#pages[page]!.end) {
      // The first page may hold the end of the run before, the pages after it hold no other run.
      if (page !== this.#runs[run]!.page) release(this.#pages[page]!.units);
      this.#page[run] = ++page;
      at = 0;
    }
    const { units } = this.#pages[page]!;
    const value = numberAt(units, at);
    this.#at[run] = afterNumber(units, at);
    this.#isSingle[run] = value & 1;
    const place = (this.#term[run]! += value >>> 1) - this.#first;
    this.#next[run] = this.#chains[place]!;
    this.#chains[place] = run + 1;
  }
}

/** The greatest number that one unit holds. A greater one has 15 bits in each unit, low ones first, the top bit set in all but the last. */
const MOST_IN_UNIT = 0x7fff;

/** Writes a number below 2^32. Returns the offset after it. */
function putNumber(units: Uint16Array, from: number, number: number): number {
  let at = from, value = number;
  while (value > MOST_IN_UNIT) {
    units[at++] = value & MOST_IN_UNIT | 0x8000;
    value >>>= 15;
  }
  units[at++] = value;
  return at;
}

function numberAt(units: Uint16Array, at: number): number {
  let unit = units[at]!, number = unit & MOST_IN_UNIT;
  for (let i = at + 1, shift = 15; unit > MOST_IN_UNIT; i++, shift += 15) {
    unit = units[i]!;
    number |= (unit & MOST_IN_UNIT) << shift;
  }
  return number >>> 0;
}

function afterNumber(units: Uint16Array, from: number): number {
  let at = from;
  while (units[at]! > MOST_IN_UNIT) at++;
  return at + 1;
}
