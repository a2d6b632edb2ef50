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
  type ValueKind,
  valueName,
} from "#engine/index/mod.ts";
import type { OtherFields } from "./json_filter.ts";
import type { MetadataCondition } from "./types.ts";

/** Returns a 1 for each file that meets all conditions; see {@linkcode MetadataCondition}. */
export function metadataMask(tables: FieldTables, conditions: readonly MetadataCondition[]): Marks {
  const masks = conditions.map((condition) => maskOf(tables, condition));
  return masks.reduce(both, masks[0] ?? new Uint8Array(tables.files.length).fill(1));
}

/** The fields of the documents of some indexes that conditions may name as `meta.NAME`. */
export function otherFieldsOf(indexes: readonly Pick<OpenIndex, "files" | "fileMarks">[]): OtherFields {
  return {
    // Fields of documents that are gone, or that the client may not know of, do not count.
    has: (name) =>
      indexes.some((index) =>
        index.fileMarks((tables) => maskOf(tables, { key: `meta.${name}`, missing: "exclude" })).includes(1)
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

// These loops stand alone and take four marks at once: the first filter runs them before they are compiled, which is soon done for small
// functions. `a` gets the result.

function both(a: Marks, b: Marks): Marks {
  const words = wordsOf(a), others = wordsOf(b);
  for (let i = 0; i < words.length; i++) words[i]! &= others[i]!;
  for (let file = 4 * words.length; file < a.length; file++) a[file]! &= b[file]!;
  return a;
}

function either(a: Marks, b: Marks): Marks {
  const words = wordsOf(a), others = wordsOf(b);
  for (let i = 0; i < words.length; i++) words[i]! |= others[i]!;
  for (let file = 4 * words.length; file < a.length; file++) a[file]! |= b[file]!;
  return a;
}

/** The marks of files: the whole of a buffer. */
type Marks = Uint8Array<ArrayBuffer>;

/** The marks four by four, but for the last ones. */
function wordsOf({ buffer, length }: Marks): Int32Array {
  return new Int32Array(buffer, 0, length >>> 2);
}

function maskOf(
  tables: FieldTables,
  { key, any, all, none, missing, ...bounds }: MetadataCondition,
): Marks {
  const field = new Field(tables, key);
  const size = tables.files.length;
  const marksOf = (terms: readonly Terms[]) => field.mark(terms, new Uint8Array(size), 1);
  const namedBy = (texts: readonly string[]) => texts.flatMap((text) => field.named(text));
  const hasBounds = BOUNDS.some((bound) => bounds[bound] !== undefined);
  const wanted = [
    ...(any === undefined ? [] : [namedBy(any)]),
    ...(all ?? []).map((text) => field.named(text)),
    ...(hasBounds ? [field.within(bounds)] : []),
  ].map(marksOf);
  const isIncluded = (missing ?? (wanted.length > 0 ? "exclude" : "include")) === "include";
  const [first] = wanted;
  // Whether a file has the field is looked up only where it matters.
  const mask = first === undefined
    ? isIncluded ? new Uint8Array(size).fill(1) : marksOf([field.all])
    : wanted.reduce(both, first);
  if (first !== undefined && isIncluded) {
    either(mask, field.mark([field.all], new Uint8Array(size).fill(1), 0));
  }
  return none === undefined ? mask : field.mark(namedBy(none), mask, 0);
}

const BOUNDS = ["gte", "gt", "lte", "lt"] as const;
type Bounds = Pick<MetadataCondition, typeof BOUNDS[number]>;

/** Terms that follow one another: the number of the first one, and of the one after the last. */
type Terms = readonly [from: number, to: number];

/** Spans of the values that a condition asks for: the first moment or more, and the last moment or less. */
interface Moments {
  readonly least: number;
  readonly most: number;
}

/** Whether a value, as it is compared, meets a condition. */
type Test = (value: string) => boolean;

/** One field of some files: finds the terms of the values that conditions ask for. */
class Field {
  readonly #table: FieldTable;
  readonly #field: string;
  readonly #isDate: boolean;
  readonly #isOther: boolean;

  constructor(tables: FieldTables, key: string) {
    this.#field = folded(key).toWellFormed();
    this.#table = tables.of(this.#field);
    this.#isDate = isDateField(this.#field);
    this.#isOther = this.#field.startsWith(OTHER_FIELDS);
  }

  /** The terms of all values. */
  get all(): Terms {
    return this.#startingWith(fieldStart(this.#field));
  }

  /** Sets the marks of the files that have one of the terms. */
  mark(terms: readonly Terms[], marks: Marks, mark: 0 | 1): Marks {
    for (const [from, to] of terms) this.#table.mark(from, to, marks, mark);
    return marks;
  }

  /** The terms of the values that a text names. */
  named(text: string): Terms[] {
    const field = this.#field;
    const name = valueName(field, text);
    const term = fieldStart(field, "text") + name;
    const separator = name === "" ? undefined : SEPARATORS[field];
    const texts = [
      ...this.#term(term),
      ...(separator === undefined ? [] : [this.#startingWith(term + separator)]),
    ];
    if (!this.#isDate && !this.#isOther) return texts;
    const number = this.#isOther ? numberOf(name) : undefined;
    if (number !== undefined) texts.push(...this.#term(numberTerm(field, number)));
    const span = dateSpan(name);
    if (span === undefined) return texts;
    const moments = { least: span.from, most: span.to - 1 };
    // A year as a number is found as one: no shorter time has it.
    return [
      ...texts,
      ...this.#during(moments),
      ...this.#tested("various", (value) => isDuring(value, moments)),
    ];
  }

  /** The terms of the values that are certainly within all bounds. */
  within(bounds: Bounds): Terms[] {
    const isWithin = this.#testOf(bounds);
    if (!this.#isDate && !this.#isOther) return this.#tested("text", isWithin);
    const moments = momentsOf(bounds);
    const given = BOUNDS.map((name) => bounds[name]);
    const areNumbers = given.every((bound) => bound === undefined || numberOf(bound) !== undefined);
    return [
      ...this.#tested("various", isWithin),
      ...(moments === undefined ? [] : this.#during(moments)),
      ...(areNumbers ? [this.#numbersWithin(bounds)] : this.#tested("year", isWithin)),
    ];
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

  #numbersWithin(bounds: Bounds): Terms {
    let [from, to] = this.#startingWith(fieldStart(this.#field, "number"));
    for (const name of BOUNDS) {
      if (bounds[name] === undefined) continue;
      const term = numberTerm(this.#field, numberOf(bounds[name])!);
      const isBehind = name === "gt" || name === "lte";
      const at = this.#table.find(isBehind ? `${term}\0` : term);
      if (name === "gte" || name === "gt") from = Math.max(from, at);
      else to = Math.min(to, at);
    }
    return [from, to];
  }

  /**
   * The terms of dates to the day or finer. They stand in the order of time, but those in local time by the clock. So those near a bound
   * are compared one by one.
   */
  #during({ least, most }: Moments): Terms[] {
    return (["local", "zoned"] as const).flatMap((kind) => {
      const start = fieldStart(this.#field, kind), room = ROOM_MS[kind];
      const [first, end] = this.#startingWith(start);
      if (first === end) return [];
      const at = (time: number) => Math.min(Math.max(this.#table.find(start + isoOf(time)), first), end);
      const [from, to] = [at(least - room), at(most + room)];
      const [surelyFrom, surelyTo] = [at(least + room), at(most - 2 * room)];
      const suffix = kind === "zoned" ? "Z" : "";
      const near = (from: number, to: number) =>
        this.#testedAmong([from, to], start.length, (value) => isDuring(value + suffix, { least, most }));
      if (surelyFrom >= surelyTo) return near(from, to);
      return [...near(from, surelyFrom), [surelyFrom, surelyTo] as const, ...near(surelyTo, to)];
    });
  }

  /** The terms of a kind of values that meet a test. */
  #tested(kind: ValueKind, test: Test): Terms[] {
    const start = fieldStart(this.#field, kind);
    return this.#testedAmong(this.#startingWith(start), start.length, test);
  }

  #testedAmong([from, to]: Terms, start: number, test: Test): Terms[] {
    const found: Terms[] = [];
    for (let at = from; at < to; at++) if (test(this.#table.term(at).slice(start))) found.push([at, at + 1]);
    return found;
  }

  #term(term: string): Terms[] {
    const at = this.#table.find(term);
    return at < this.#table.size && this.#table.term(at) === term ? [[at, at + 1]] : [];
  }

  #startingWith(start: string): Terms {
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
