/**
 * The table of word vectors and translations, loaded when it is first needed.
 */
import {
  decodeTable,
  fileSource,
  ID_BITS,
  ID_MASK,
  mixHash,
  type TableData,
  type WordListData,
} from "./decode.ts";
import { FILES_ARE_APART, PROGRAM_FILES } from "#foundation/runtime.ts";
import { type FilePart, openFileApart, openProgramFile } from "#foundation/boundary/mod.ts";
import { addToHash, HASH_START } from "#foundation/open_addressing.ts";

/** A word of the other language. */
interface Translation {
  /** A Chinese word in simplified characters, or an English index term (a stem). */
  readonly word: string;
  /** 1 for the best translation of a word, less for others. */
  readonly score: number;
}

/**
 * The built-in table: English and Chinese words with vectors in one space, probabilities and translations. Each word has an
 * id: first come the English words, then the Chinese ones, then other spellings of both.
 */
export class Table {
  /**
   * The arrays of the table. A worker that they are posted to shares the memory and can call `new Table(data)` at no cost, but must not use
   * the free bytes.
   */
  readonly data: TableData;
  /** Numbers in a vector. */
  readonly dimensions: number;
  /** Number of English words. Their ids come first. */
  readonly englishCount: number;
  /** Number of words with a vector; other spellings are not counted. */
  readonly wordCount: number;
  /** All words; Chinese ones in simplified characters. */
  readonly words: WordList;
  /** A row of {@linkcode Table.dimensions} numbers for each word. */
  readonly vectors: Int8Array;
  /** Factor that gives each row length 1. */
  readonly scales: Float32Array;
  /** Probability of each word in running text of its language. */
  readonly p: Float32Array;
  /** The simplified form of each UTF-16 unit. */
  readonly fold: Uint16Array;
  readonly #terms: WordList;
  #prefixes: Prefixes | undefined;
  #logP: Float32Array | undefined;
  #weights: { readonly a: number; readonly weights: Float32Array } | undefined;

  constructor(data: TableData) {
    this.data = data;
    this.dimensions = data.dimensions;
    this.englishCount = data.englishCount;
    this.wordCount = data.englishCount + data.chineseCount;
    this.words = new WordList(data.words);
    this.vectors = data.vectors;
    this.scales = data.scales;
    this.p = data.p;
    this.fold = data.fold;
    this.#terms = new WordList(data.terms);
  }

  /** The lengths of the Chinese words by their first two characters. Built on first use, which takes a few milliseconds. */
  get prefixes(): Prefixes {
    return this.#prefixes ??= new Prefixes(this.data);
  }

  /** The logarithm of {@linkcode Table.p}. Computed on first use. */
  get logP(): Float32Array {
    if (this.#logP === undefined) {
      const { p } = this, logP = new Float32Array(p.length);
      for (let id = 0; id < p.length; id++) logP[id] = Math.log(p[id]!);
      this.#logP = logP;
    }
    return this.#logP;
  }

  /** Returns the scale of each row times a / (a + p). The result for the last `a` is kept. */
  weights(a: number): Float32Array {
    if (this.#weights?.a !== a) {
      const { p, scales } = this, weights = new Float32Array(p.length);
      for (let id = 0; id < p.length; id++) weights[id] = scales[id]! * a / (a + p[id]!);
      this.#weights = { a, weights };
    }
    return this.#weights.weights;
  }

  /** Returns `text` with each traditional character replaced by its simplified form. */
  simplify(text: string): string {
    let simplified = "";
    for (let i = 0; i < text.length; i++) simplified += String.fromCharCode(this.fold[text.charCodeAt(i)]!);
    return simplified;
  }

  /** Returns the id of a word (English in lower case; Chinese in simplified or traditional characters), or -1. */
  find(word: string): number {
    return this.resolve(this.words.find(this.simplify(word)));
  }

  /** Returns the id of the word that `id` is another spelling of, or `id` itself. */
  resolve(id: number): number {
    return id < this.wordCount ? id : this.data.same[id - this.wordCount]!;
  }

  /**
   * Returns the cosine of the vectors of two words. A word that is not in the table (a negative id) has 1 with itself, else
   * 0.
   */
  cosine(a: number, b: number): number {
    if (a === b) return 1;
    if (a < 0 || b < 0) return 0;
    const { vectors, dimensions, scales } = this;
    let sum = 0;
    for (let i = a * dimensions, j = b * dimensions, end = i + dimensions; i < end; i++, j++) {
      sum += vectors[i]! * vectors[j]!;
    }
    return sum * scales[a]! * scales[b]!;
  }

  /** Returns the Chinese words for an English index term, or for a phrase of two or three joined by spaces, best first. */
  toChinese(term: string): Translation[] {
    const id = this.#terms.find(term);
    if (id < 0) return [];
    const { at, ids, scores } = this.data.chinese;
    const translations: Translation[] = [];
    for (let i = at[id]!; i < at[id + 1]!; i++) {
      translations.push({ word: this.words.word(ids[i]!), score: scores[i]! / 255 });
    }
    return translations;
  }

  /** Returns the English index terms for the Chinese word with this id, best first. */
  toEnglish(id: number): Translation[] {
    const row = id - this.englishCount;
    if (row < 0 || id >= this.wordCount) return [];
    const { at, ids, scores } = this.data.english;
    const translations: Translation[] = [];
    for (let i = at[row]!; i < at[row + 1]!; i++) {
      translations.push({ word: this.#terms.word(ids[i]!), score: scores[i]! / 255 });
    }
    return translations;
  }
}

/** Reads the table that comes with the program. Throws the error of reading, or an error if the file is not a valid table. */
export function loadTable(part: FilePart = openTable()): Table {
  using _file = part.file;
  return new Table(decodeTable(fileSource(part)));
}

/** The built-in table, loaded on first use and then shared. Most commands do not need it. */
export class LazyTable {
  // The executable may be replaced by a newer one while the program runs, so it is opened now.
  #part: FilePart | undefined = FILES_ARE_APART ? openTable() : undefined;
  #table: Table | undefined;

  /** Returns the table. Throws as {@linkcode loadTable} does. */
  get(): Table {
    if (this.#table === undefined) {
      const part = this.#part;
      this.#part = undefined;
      this.#table = loadTable(part);
    }
    return this.#table;
  }
}

function openTable(): FilePart {
  return FILES_ARE_APART
    ? openFileApart(PROGRAM_FILES, "table.bin")
    : openProgramFile("lib/models/embedding/builtin/table.bin");
}

/** Maps words to their ids. Look-ups read the arrays as they are in the file, so that nothing is built when it is loaded. */
export class WordList {
  readonly #units: Uint16Array;
  readonly #offsets: Uint32Array;
  readonly #slots: Uint32Array;

  constructor({ units, offsets, slots }: WordListData) {
    this.#units = units;
    this.#offsets = offsets;
    this.#slots = slots;
  }

  /** Number of words. */
  get size(): number {
    return this.#offsets.length - 1;
  }

  /** Returns the id of `word`, or -1. */
  find(word: string): number {
    let hash = HASH_START;
    const units = new Uint16Array(word.length);
    for (let i = 0; i < word.length; i++) {
      units[i] = word.charCodeAt(i);
      hash = addToHash(hash, units[i]!);
    }
    return this.findUnits(units, 0, units.length, hash);
  }

  /** Returns the id of the word `units.slice(start, end)`, whose FNV-1a hash is `hash`, or -1. */
  findUnits(units: Uint16Array, start: number, end: number, hash: number): number {
    const slots = this.#slots, offsets = this.#offsets, listed = this.#units;
    const mask = slots.length - 1;
    const mixed = mixHash(hash);
    const tag = mixed >>> ID_BITS;
    for (let slot = mixed & mask;; slot = (slot + 1) & mask) {
      const entry = slots[slot]!;
      if (entry === 0) return -1;
      if (entry >>> ID_BITS !== tag) continue;
      const id = (entry & ID_MASK) - 1;
      let at = offsets[id]!;
      if (offsets[id + 1]! - at !== end - start) continue;
      let same = start;
      while (same < end && listed[at] === units[same]) same++, at++;
      if (same === end) return id;
    }
  }

  /** Returns the word of an id. */
  word(id: number): string {
    return String.fromCharCode(...this.#units.subarray(this.#offsets[id]!, this.#offsets[id + 1]!));
  }

  /** Returns the first UTF-16 unit of the word of an id. */
  initial(id: number): number {
    return this.#units[this.#offsets[id]!]!;
  }
}

/** Characters of the longest word that is looked for. */
const MAX_LENGTH = 8;

/** Bits of the hash of two characters. */
const BITS = 18;

/**
 * Tells of which lengths a Chinese word can be that begins with two given characters. Of the lengths up to
 * {@linkcode MAX_LENGTH}, nearly all are ruled out at nearly every place of a text, and need no look-up in the list of
 * words.
 */
class Prefixes {
  /** The id plus 1 of each word of a single UTF-16 unit; 0 if there is none. */
  readonly single = new Int32Array(0x10000);
  /** By {@linkcode prefixHash}: bit n is set if a word that begins like this has n units. */
  readonly lengths = new Uint16Array(1 << BITS);

  constructor({ words: { units, offsets }, englishCount }: Pick<TableData, "words" | "englishCount">) {
    for (let id = englishCount; id + 1 < offsets.length; id++) {
      const at = offsets[id]!, length = offsets[id + 1]! - at;
      if (length === 1) this.single[units[at]!] = id + 1;
      else if (length <= MAX_LENGTH) this.lengths[prefixHash(units[at]!, units[at + 1]!)]! |= 1 << length;
    }
  }
}

/** Returns the index of two characters in {@linkcode Prefixes.lengths}. Some others have the same. */
export function prefixHash(first: number, second: number): number {
  return Math.imul(first << 16 | second, 0x9e3779b1) >>> 32 - BITS;
}
