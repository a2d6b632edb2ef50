/**
 * Conditions on the metadata of documents, answered for all files at once from the tables of their values.
 */
import { folded } from "#foundation/written_values.ts";
import {
  dateSpan,
  fieldStart,
  type FieldTable,
  type FieldTables,
  isDateField,
  numberOf,
  numberTerm,
  type OpenIndex,
  OTHER_FIELDS,
  valueName,
} from "#engine/index/mod.ts";
import type { OtherFields } from "./json_filter.ts";
import type { MetadataCondition } from "./types.ts";

/** Returns a 1 for each file that meets all conditions; see {@linkcode MetadataCondition}. */
export function metadataMask(tables: FieldTables, conditions: readonly MetadataCondition[]): Uint8Array {
  const masks = conditions.map((condition) => maskOf(new Field(tables, condition.key), condition));
  return masks.reduce(both, masks[0] ?? new Uint8Array(tables.files.length).fill(1));
}

/** The fields of the documents of some indexes that conditions may name as `meta.NAME`. */
export function otherFieldsOf(indexes: readonly Pick<OpenIndex, "files" | "fileMarks">[]): OtherFields {
  return {
    // A field of documents that are gone, or that nobody may know of, is none.
    has: (name) =>
      indexes.some((index) =>
        index.fileMarks((tables) => new Field(tables, `meta.${name}`).present()).includes(1)
      ),
    names: () => {
      const written = new Map<string, string>();
      for (const { metadata } of indexes.flatMap(({ files }) => files)) {
        for (const name in metadata?.extra) written.set(folded(name), name);
      }
      return written.values();
    },
  };
}

function both(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a !== b) { for (let file = 0; file < a.length; file++) a[file]! &= b[file]!; }
  return a;
}

function maskOf(field: Field, { any, all, none, missing, ...bounds }: MetadataCondition): Uint8Array {
  const hasBounds = BOUNDS.some((bound) => bounds[bound] !== undefined);
  const wanted = [
    ...(any === undefined ? [] : [field.withAny(any)]),
    ...(all ?? []).map((text) => field.withAny([text])),
    ...(hasBounds ? [field.within(bounds)] : []),
  ];
  const isIncluded = (missing ?? (wanted.length > 0 ? "exclude" : "include")) === "include";
  const [first] = wanted;
  // Whether a file has the field is looked up only where it matters.
  const present = (first === undefined) !== isIncluded ? field.present() : undefined;
  const mask = first === undefined ? present ?? field.none().fill(1) : wanted.reduce(both, first);
  if (first !== undefined && present !== undefined) {
    for (let file = 0; file < mask.length; file++) mask[file]! |= 1 - present[file]!;
  }
  if (none !== undefined) {
    const excluded = field.withAny(none);
    for (let file = 0; file < mask.length; file++) mask[file]! &= 1 - excluded[file]!;
  }
  return mask;
}

const BOUNDS = ["gte", "gt", "lte", "lt"] as const;
type Bounds = Pick<MetadataCondition, typeof BOUNDS[number]>;

/** Spans of the values that a condition asks for: the first moment or more, and the last moment or less. */
interface Moments {
  readonly least: number;
  readonly most: number;
}

/** Whether a value, as it is compared, meets a condition. */
type Test = (value: string) => boolean;

/** One field of some files. */
class Field {
  readonly #table: FieldTable;
  readonly #field: string;
  readonly #files: number;
  readonly #isDate: boolean;
  readonly #isOther: boolean;

  constructor(tables: FieldTables, key: string) {
    this.#field = folded(key).toWellFormed();
    this.#table = tables.of(this.#field);
    this.#files = tables.files.length;
    this.#isDate = isDateField(this.#field);
    this.#isOther = this.#field.startsWith(OTHER_FIELDS);
  }

  /** A 0 for each file. */
  none(): Uint8Array {
    return new Uint8Array(this.#files);
  }

  /** A 1 for each file that has the field. */
  present(): Uint8Array {
    const marks = this.none();
    this.#table.mark(...this.#range(fieldStart(this.#field)), marks);
    return marks;
  }

  /** A 1 for each file of which a value is named by one of the texts. */
  withAny(texts: readonly string[]): Uint8Array {
    const marks = this.none();
    for (const text of texts) this.#markNamed(valueName(this.#field, text), marks);
    return marks;
  }

  #markNamed(name: string, marks: Uint8Array): void {
    const table = this.#table, field = this.#field;
    const markOne = (term: string) => {
      const at = table.find(term);
      if (at < table.size && table.term(at) === term) table.mark(at, at + 1, marks);
    };
    const text = fieldStart(field, "text") + name;
    markOne(text);
    const separator = SEPARATORS[field];
    if (separator !== undefined && name !== "") table.mark(...this.#range(text + separator), marks);
    if (!this.#isDate && !this.#isOther) return;
    const number = this.#isOther ? numberOf(name) : undefined;
    if (number !== undefined) markOne(numberTerm(field, number));
    const span = dateSpan(name);
    if (span === undefined) return;
    const moments = { least: span.from, most: span.to - 1 };
    this.#markDates(moments, marks);
    // A year as a number is found as one: no shorter time has it.
    this.#markTested(fieldStart(field, "various"), (value) => isDuring(value, moments), marks);
  }

  /** A 1 for each file of which a value is certainly within all bounds. */
  within(bounds: Bounds): Uint8Array {
    const marks = this.none(), field = this.#field;
    const isWithin = this.#testOf(bounds);
    if (!this.#isDate && !this.#isOther) {
      this.#markTested(fieldStart(field), isWithin, marks);
      return marks;
    }
    this.#markTested(fieldStart(field, "various"), isWithin, marks);
    const moments = momentsOf(bounds);
    if (moments !== undefined) this.#markDates(moments, marks);
    const given = BOUNDS.map((name) => bounds[name]);
    const areNumbers = given.every((bound) => bound === undefined || numberOf(bound) !== undefined);
    if (areNumbers) this.#markNumbers(bounds, marks);
    else this.#markTested(fieldStart(field, "year"), isWithin, marks);
    return marks;
  }

  /** A bound that is neither a number nor a date holds for no value, and a number only for numbers. */
  #testOf(bounds: Bounds): Test {
    const given = BOUNDS.flatMap((name) => bounds[name] === undefined ? [] : [[name, bounds[name]] as const]);
    const tests = given.map(([name, bound]): Test => {
      const number = this.#isOther ? numberOf(bound) : undefined;
      const moments = momentsOf({ [name]: bound });
      return (value) => {
        const own = number === undefined ? undefined : numberOf(value);
        if (own !== undefined) return COMPARE[name](own, number!);
        return moments !== undefined && isDuring(value, moments);
      };
    });
    return (value) => tests.every((test) => test(value));
  }

  #markNumbers(bounds: Bounds, marks: Uint8Array): void {
    let [from, to] = this.#range(fieldStart(this.#field, "number"));
    for (const name of BOUNDS) {
      if (bounds[name] === undefined) continue;
      const term = numberTerm(this.#field, numberOf(bounds[name])!);
      const isBehind = name === "gt" || name === "lte";
      const at = this.#table.find(isBehind ? `${term}\0` : term);
      if (name === "gte" || name === "gt") from = Math.max(from, at);
      else to = Math.min(to, at);
    }
    this.#table.mark(from, to, marks);
  }

  /**
   * Marks the files of dates to the day or finer. Their terms stand in the order of time, but those in local time by their clock. So those
   * near a bound are compared one by one.
   */
  #markDates({ least, most }: Moments, marks: Uint8Array): void {
    const table = this.#table;
    for (const kind of ["local", "zoned"] as const) {
      const start = fieldStart(this.#field, kind), room = ROOM_MS[kind];
      const [first, end] = this.#range(start);
      if (first === end) continue;
      const at = (time: number) => Math.min(Math.max(table.find(start + isoOf(time)), first), end);
      const [from, to] = [at(least - room), at(most + room)];
      const [surelyFrom, surelyTo] = [at(least + room), at(most - 2 * room)];
      const suffix = kind === "zoned" ? "Z" : "";
      const test: Test = (value) => isDuring(value + suffix, { least, most });
      if (surelyFrom >= surelyTo) this.#markTestedOf(from, to, start, test, marks);
      else {
        this.#markTestedOf(from, surelyFrom, start, test, marks);
        table.mark(surelyFrom, surelyTo, marks);
        this.#markTestedOf(surelyTo, to, start, test, marks);
      }
    }
  }

  /** Marks the files of the values behind `start` that meet a test. */
  #markTested(start: string, test: Test, marks: Uint8Array): void {
    const [from, to] = this.#range(start);
    this.#markTestedOf(from, to, start, test, marks);
  }

  #markTestedOf(from: number, to: number, start: string, test: Test, marks: Uint8Array): void {
    const kind = start.endsWith("\0") ? 1 : 0;
    for (let at = from; at < to; at++) {
      if (test(this.#table.term(at).slice(start.length + kind))) this.#table.mark(at, at + 1, marks);
    }
  }

  /** The numbers of the first term that begins with a text, and of the one after the last. */
  #range(start: string): [from: number, to: number] {
    const last = start.length - 1;
    const next = start.slice(0, last) + String.fromCharCode(start.charCodeAt(last) + 1);
    return [this.#table.find(start), this.#table.find(next)];
  }
}

/** Characters after which a value goes on below a name. */
const SEPARATORS: Readonly<Record<string, string>> = { tags: "/", language: "-" };

/** More than a clock differs from UTC or a term from the moment that it means, and at least half of what a date spans. */
const ROOM_MS = { local: 86_400_000, zoned: 60_000 } as const;

/** The text that dates in the order of time are compared with. */
function isoOf(time: number): string {
  // Years from 0 to 9999 have four digits.
  if (time < -62_167_219_200_000) return "";
  return time > 253_402_300_799_999 ? ":" : new Date(time).toISOString().slice(0, -1);
}

/** Whether a text is a date, of which all moments are meant. */
function isDuring(value: string, { least, most }: Moments): boolean {
  const span = dateSpan(value);
  return span !== undefined && span.from >= least && span.to - 1 <= most;
}

/** `undefined` if a bound is no date. */
function momentsOf(bounds: Bounds): Moments | undefined {
  let [least, most] = [-Infinity, Infinity];
  for (const name of BOUNDS) {
    if (bounds[name] === undefined) continue;
    const span = dateSpan(bounds[name]);
    if (span === undefined) return undefined;
    if (name === "gte") least = Math.max(least, span.from);
    else if (name === "gt") least = Math.max(least, span.to);
    else if (name === "lte") most = Math.min(most, span.to - 1);
    else most = Math.min(most, span.from - 1);
  }
  return { least, most };
}

const COMPARE: Readonly<Record<typeof BOUNDS[number], (own: number, bound: number) => boolean>> = {
  gte: (own, bound) => own >= bound,
  gt: (own, bound) => own > bound,
  lte: (own, bound) => own <= bound,
  lt: (own, bound) => own < bound,
};
