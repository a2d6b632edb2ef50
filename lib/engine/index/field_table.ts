/**
 * The table of what documents say about themselves: the values of all fields in order, each with the files that have it. An index
 * keeps it in sections of its own, so that the first condition on a field reads only what it needs.
 */
import type { BlobReader } from "./blob/reader.ts";
import type { BlobWriter } from "./blob/writer.ts";
import { ByteBuffer, u32 } from "./bytes.ts";
import { type DescribedFile, isKept, valueOf, valueTerms, visitFields } from "./field_values.ts";
import type { MetadataValue } from "#documents/types.ts";

/** The content of a table. */
interface TableContent {
  /** Number of terms. */
  readonly size: number;
  /** A term in UTF-8. They stand in the order of their UTF-16 units. */
  readonly term: (number: number) => Uint8Array;
  /** Numbers of the files of the terms `from` to `to` (exclusive), term after term. */
  readonly files: (from: number, to: number) => Uint32Array;
}

/** A table, open for reading. */
export class FieldTable {
  /** Number of terms. */
  readonly size: number;
  readonly #content: TableContent;
  readonly #decoder = new TextDecoder();

  constructor(content: TableContent) {
    this.#content = content;
    this.size = content.size;
  }

  /** The term with a number below {@linkcode size}. */
  term(number: number): string {
    return this.#decoder.decode(this.#content.term(number));
  }

  /** The number of the first term that is not before a text. */
  find(text: string): number {
    let low = 0, high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.term(middle) < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Sets the marks of the files of the terms `from` to `to` (exclusive). */
  mark(from: number, to: number, marks: Uint8Array, mark: 0 | 1): void {
    if (from >= to) return;
    const files = this.#content.files(from, to);
    for (let i = 0; i < files.length; i++) marks[files[i]!] = mark;
  }
}

/** The tables of some files: those that their index keeps, or tables made of the files. */
export class FieldTables {
  readonly files: readonly DescribedFile[];
  readonly #kept: FieldTable | undefined;
  readonly #made = new Map<string, FieldTable>();

  /** `kept`: the table of the fields that an index keeps. */
  constructor(files: readonly DescribedFile[], kept?: FieldTable) {
    this.files = files;
    this.#kept = kept;
  }

  /** The table that has a field, by its folded name. */
  of(field: string): FieldTable {
    if (this.#kept !== undefined && isKept(field)) return this.#kept;
    let table = this.#made.get(field);
    if (table === undefined) this.#made.set(field, table = tableOf(this.files, field));
    return table;
  }
}

/** Returns a mark for each file by tables of them. */
export type MarksOf = (tables: FieldTables) => Uint8Array;

/** Makes a table of one field. */
function tableOf(files: readonly DescribedFile[], field: string): FieldTable {
  const builder = new FieldTableBuilder();
  for (const [number, file] of files.entries()) {
    const value = valueOf(file, field);
    if (value !== undefined) builder.add(number, field, value);
  }
  return inMemory(builder.finish());
}

function inMemory({ terms, offsets, starts, files }: ReturnType<FieldTableBuilder["finish"]>): FieldTable {
  return new FieldTable({
    size: starts.length - 1,
    term: (i) => terms.subarray(offsets[i]!, offsets[i + 1]!),
    files: (from, to) => files.subarray(starts[from]!, starts[to]!),
  });
}

/** Collects the values of files, file after file. */
class FieldTableBuilder {
  /** The number of each term. */
  readonly #terms = new Map<string, number>();
  /** The terms of each value as it is written, by field: most values occur again. */
  readonly #written = new Map<string, Map<string | number | boolean, readonly number[]>>();
  /** For each term its last file and the number of its files. */
  readonly #lastFiles: number[] = [];
  readonly #counts: number[] = [];
  /** Terms and their files, in the order of the files. */
  readonly #termOfEntry = u32();
  readonly #fileOfEntry = u32();

  /** Adds a field of a file. Files come in ascending order. */
  add(file: number, field: string, given: MetadataValue): void {
    let known = this.#written.get(field);
    if (known === undefined) this.#written.set(field, known = new Map());
    for (const value of typeof given === "object" ? given : [given]) {
      let terms = known.get(value);
      if (terms === undefined) {
        known.set(value, terms = valueTerms(field, value).map((term) => this.#numberOf(term)));
      }
      for (const term of terms) {
        if (this.#lastFiles[term] === file) continue;
        this.#lastFiles[term] = file;
        this.#counts[term]!++;
        this.#termOfEntry.push(term);
        this.#fileOfEntry.push(file);
      }
    }
  }

  #numberOf(term: string): number {
    let number = this.#terms.get(term);
    if (number === undefined) {
      this.#terms.set(term, number = this.#terms.size);
      this.#lastFiles.push(-1);
      this.#counts.push(0);
    }
    return number;
  }

  /** Returns the arrays to store; see {@linkcode FieldTable}. */
  finish() {
    const encoder = new TextEncoder(), terms = new ByteBuffer();
    const sorted = [...this.#terms.keys()].sort();
    const offsets = new Uint32Array(sorted.length + 1), starts = new Uint32Array(sorted.length + 1);
    const files = new Uint32Array(this.#fileOfEntry.length);
    const next = new Uint32Array(sorted.length);
    for (const [i, term] of sorted.entries()) {
      const number = this.#terms.get(term)!;
      terms.reserve(3 * term.length);
      terms.length += encoder.encodeInto(term, terms.bytes.subarray(terms.length)).written;
      offsets[i + 1] = terms.length;
      next[number] = starts[i]!;
      starts[i + 1] = starts[i]! + this.#counts[number]!;
    }
    for (let i = 0; i < files.length; i++) {
      files[next[this.#termOfEntry.at(i)]!++] = this.#fileOfEntry.at(i);
    }
    return { terms: terms.view(), offsets, starts, files };
  }
}

/** Files between two pauses. */
const PAUSE_FILES = 4096;

/** Writes the table of some files, unless none of them says anything about itself. */
export async function writeFieldTable(
  blob: BlobWriter,
  files: readonly DescribedFile[],
  pause: () => Promise<void>,
): Promise<void> {
  const builder = new FieldTableBuilder();
  for (const [number, file] of files.entries()) {
    visitFields(file, (field, value) => builder.add(number, field, value));
    if (number % PAUSE_FILES === 0) await pause();
  }
  const { terms, offsets, starts, files: numbers } = builder.finish();
  if (terms.length === 0) return;
  await pause();
  blob.section(TERMS, terms);
  blob.section(OFFSETS, offsets);
  blob.section(STARTS, starts);
  blob.section(FILES, numbers);
}

const TERMS = "field.terms", OFFSETS = "field.offsets", STARTS = "field.starts", FILES = "field.files";
/** The sections of the table. */
export const FIELD_SECTIONS = [TERMS, OFFSETS, STARTS, FILES];

/** Returns the table in a blob; `undefined` if it has none. Throws `DamagedIndexError`. */
export function readFieldTable(blob: BlobReader): FieldTable | undefined {
  if (!blob.has(TERMS)) return undefined;
  const size = blob.length(OFFSETS) / 4 - 1;
  if (blob.length(STARTS) !== blob.length(OFFSETS) || !(size >= 0)) {
    throw blob.damaged(`length of section ${STARTS}`);
  }
  if (blob.isRemote) {
    // A condition must not wait for bytes. The files are in memory too, and hold the same values.
    const all = (name: string) => new Uint32Array(blob.section(name).buffer);
    return inMemory({
      terms: blob.section(TERMS),
      offsets: all(OFFSETS),
      starts: all(STARTS),
      files: all(FILES),
    });
  }
  // A search looks at few terms, so only the blocks of these are read and kept.
  const numbers = (name: string, from: number, to: number, keep: boolean) =>
    new Uint32Array(blob.range(name, 4 * from, 4 * to, keep).buffer);
  const pair = (name: string, at: number) => {
    const [from, to] = numbers(name, at, at + 2, true);
    return [from!, to!] as const;
  };
  return new FieldTable({
    size,
    term: (number) => blob.range(TERMS, ...pair(OFFSETS, number), true),
    files: (from, to) => numbers(FILES, pair(STARTS, from)[0], pair(STARTS, to - 1)[1], false),
  });
}
