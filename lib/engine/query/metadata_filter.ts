/**
 * Conditions on the metadata of documents, answered for all files of an index at once from a table of the field's values. The first
 * condition on a field makes its table.
 */
import type { MetadataValue } from "#documents/types.ts";
import { folded } from "#foundation/folded.ts";
import type { FileRecord } from "#engine/index/mod.ts";
import { dateSpan } from "./date_span.ts";
import { DATE_KEYS, type MetadataCondition, type MetadataKey } from "./types.ts";

/** A file, as far as conditions look at it. */
export type DescribedFile = Pick<FileRecord, "title" | "metadata">;

/**
 * Returns a 1 for each of the files that meets all conditions; see {@linkcode MetadataCondition}. The tables are kept for the list of
 * files: pass the same one again.
 */
export function metadataMask(
  files: readonly DescribedFile[],
  conditions: readonly MetadataCondition[],
): Uint8Array {
  const masks = conditions.map((condition) => maskOf(fieldOf(files, condition.key), condition));
  return masks.reduce(both, masks[0] ?? new Uint8Array(files.length).fill(1));
}

/** The names of the fields that conditions on the files may name as `meta.NAME`, as the documents write them. */
export function otherFields(files: readonly DescribedFile[]): ReadonlySet<string> {
  return kept(OTHERS, files, () => {
    const written = new Set<string>();
    for (const { metadata } of files) for (const name in metadata?.extra) written.add(name);
    return new Set(new Map(Array.from(written, (name) => [folded(name), name])).values());
  });
}

const OTHERS = new WeakMap<readonly DescribedFile[], ReadonlySet<string>>();
const FIELDS = new WeakMap<readonly DescribedFile[], Map<string, Field>>();

function kept<Value>(
  map: {
    get(key: readonly DescribedFile[]): Value | undefined;
    set(key: readonly DescribedFile[], value: Value): unknown;
  },
  files: readonly DescribedFile[],
  make: () => Value,
): Value {
  let value = map.get(files);
  if (value === undefined) map.set(files, value = make());
  return value;
}

function fieldOf(files: readonly DescribedFile[], key: MetadataKey): Field {
  const fields = kept(FIELDS, files, () => new Map<string, Field>());
  const name = folded(key) as MetadataKey;
  let field = fields.get(name);
  if (field === undefined) fields.set(name, field = new Field(files, name));
  return field;
}

function both(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a === b) return a;
  const mask = a.slice();
  for (let file = 0; file < mask.length; file++) mask[file]! &= b[file]!;
  return mask;
}

function maskOf(field: Field, { any, all, none, missing, ...bounds }: MetadataCondition): Uint8Array {
  const hasBounds = BOUNDS.some((bound) => bounds[bound] !== undefined);
  const wanted = [
    ...(any === undefined ? [] : [field.withAny(any)]),
    ...(all ?? []).map((text) => field.withAny([text])),
    ...(hasBounds ? [field.within(bounds)] : []),
  ];
  const [first = field.present] = wanted;
  const mask = wanted.reduce(both, first).slice();
  if (none !== undefined) {
    const excluded = field.withAny(none);
    for (let file = 0; file < mask.length; file++) mask[file]! &= 1 - excluded[file]!;
  }
  if ((missing ?? (wanted.length > 0 ? "exclude" : "include")) === "include") {
    for (let file = 0; file < mask.length; file++) mask[file]! |= 1 - field.present[file]!;
  }
  return mask;
}

const BOUNDS = ["gte", "gt", "lte", "lt"] as const;
type Bounds = Pick<MetadataCondition, typeof BOUNDS[number]>;

/** The values of one field, each once, and which files have which. */
class Field {
  /** A 1 for each file that has the field. */
  readonly present: Uint8Array;
  readonly #key: MetadataKey;
  readonly #isDate: boolean;
  readonly #isOther: boolean;
  readonly #values: readonly (string | number | boolean)[];
  /** Numbers of the values of the files, one file after another, and where those of each file end. */
  readonly #held: Uint32Array;
  readonly #ends: Uint32Array;
  /** Each value as it is compared: its text, its number or NaN, its first and its last moment or NaN. */
  #names: readonly string[] | undefined;
  #numbers: Float64Array | undefined;
  #spans: { readonly from: Float64Array; readonly last: Float64Array } | undefined;

  constructor(files: readonly DescribedFile[], key: MetadataKey) {
    this.#key = key;
    this.#isDate = DATE_KEYS.some((date) => date === key);
    this.#isOther = key.startsWith(OTHER);
    this.present = new Uint8Array(files.length);
    this.#ends = new Uint32Array(files.length);
    const numbers = new Map<string | number | boolean, number>();
    const held: number[] = [];
    const hold = (value: string | number | boolean) => {
      let number = numbers.get(value);
      if (number === undefined) numbers.set(value, number = numbers.size);
      held.push(number);
    };
    const read = readerOf(key);
    for (let file = 0; file < files.length; file++) {
      const given = read(files[file]!);
      if (typeof given === "object") { for (const value of given) hold(value); }
      else if (given !== undefined) hold(given);
      this.#ends[file] = held.length;
      this.present[file] = held.length > (this.#ends[file - 1] ?? 0) ? 1 : 0;
    }
    this.#values = [...numbers.keys()];
    this.#held = Uint32Array.from(held);
  }

  /** A 1 for each file of which a value is named by one of the texts. */
  withAny(texts: readonly string[]): Uint8Array {
    const isNamed = new Uint8Array(this.#values.length);
    this.#markNamed(isNamed, new Set(texts.map((text) => this.#nameOf(text))));
    for (const text of texts) {
      const number = this.#isOther ? numberOf(text) : undefined;
      if (number !== undefined) this.#allNumbers().forEach((own, i) => own === number && (isNamed[i] = 1));
      const span = this.#isDate || this.#isOther ? dateSpan(text) : undefined;
      if (span === undefined) continue;
      const { from, last } = this.#allSpans();
      for (let i = 0; i < isNamed.length; i++) {
        if (from[i]! >= span.from && last[i]! < span.to) isNamed[i] = 1;
      }
    }
    return this.#filesWith(isNamed);
  }

  /** A 1 for each file of which a value is certainly within all bounds. */
  within(bounds: Bounds): Uint8Array {
    const isWithin = new Uint8Array(this.#values.length).fill(1);
    for (const name of BOUNDS) {
      const bound = bounds[name];
      if (bound !== undefined) this.#keepWithin(isWithin, COMPARE[name], bound);
    }
    return this.#filesWith(isWithin);
  }

  /** A bound that is neither a number nor a date holds for no value. */
  #keepWithin(isWithin: Uint8Array, compare: Comparison, bound: string): void {
    const [span, number] = [dateSpan(bound), this.#isOther ? numberOf(bound) : undefined];
    const numbers = number === undefined ? undefined : this.#allNumbers();
    const needsSpans = span !== undefined && (numbers === undefined || numbers.includes(NaN));
    const spans = needsSpans ? this.#allSpans() : undefined;
    for (let i = 0; i < isWithin.length; i++) {
      const own = numbers === undefined ? NaN : numbers[i]!;
      const isMet = Number.isNaN(own)
        ? spans !== undefined && compare(spans.from[i]!, spans.last[i]!, span!.from, span!.to - 1)
        : compare(own, own, number!, number!);
      if (!isMet) isWithin[i] = 0;
    }
  }

  #markNamed(isNamed: Uint8Array, wanted: ReadonlySet<string>): void {
    const names = this.#names ??= this.#values.map((value) => this.#nameOf(String(value)));
    const separator = this.#key === "tags" ? "/" : this.#key === "language" ? "-" : undefined;
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      if (wanted.has(name)) isNamed[i] = 1;
      if (separator === undefined) continue;
      for (let at = name.indexOf(separator); at > 0; at = name.indexOf(separator, at + 1)) {
        if (wanted.has(name.slice(0, at))) isNamed[i] = 1;
      }
    }
  }

  #nameOf(text: string): string {
    const name = folded(text);
    if (this.#key === "tags") return name.replace(/^#/, "");
    return this.#key === "language" ? name.replaceAll("_", "-") : name;
  }

  /** A 1 for each file that has a value with a mark. */
  #filesWith(isMarked: Uint8Array): Uint8Array {
    const [held, ends] = [this.#held, this.#ends];
    const mask = new Uint8Array(ends.length);
    for (let file = 0, at = 0; file < mask.length; file++) {
      for (; at < ends[file]!; at++) mask[file]! |= isMarked[held[at]!]!;
    }
    return mask;
  }

  #allNumbers(): Float64Array {
    return this.#numbers ??= Float64Array.from(this.#values, (value) => numberOf(value) ?? NaN);
  }

  #allSpans() {
    if (this.#spans !== undefined) return this.#spans;
    const [from, last] = [new Float64Array(this.#values.length), new Float64Array(this.#values.length)];
    for (const [i, value] of this.#values.entries()) {
      const text = folded(String(value));
      // 2024.10 may be a version.
      const isNumber = this.#isOther && !YEAR.test(text) && numberOf(text) !== undefined;
      const span = isNumber || typeof value === "boolean" ? undefined : dateSpan(text);
      from[i] = span?.from ?? NaN;
      last[i] = (span?.to ?? NaN) - 1;
    }
    return this.#spans = { from, last };
  }
}

const YEAR = /^\d{4}$/;

/** Whether a value, of which the first and the last moment are given, is certainly as a bound asks. False for NaN. */
type Comparison = (from: number, last: number, first: number, end: number) => boolean;

const COMPARE: Readonly<Record<typeof BOUNDS[number], Comparison>> = {
  gte: (from, _, first) => from >= first,
  gt: (from, _, __, end) => from > end,
  lte: (_, last, __, end) => last <= end,
  lt: (_, last, first) => last < first,
};

/** A number as people write it in a field: `12`, `-3.50`, `1e3`. */
export function numberOf(value: string | number | boolean): number | undefined {
  if (typeof value === "number") return value;
  if (
    typeof value === "boolean" || !/[\d\s.+-]/.test(value.charAt(0)) ||
    !/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value)
  ) {
    return undefined;
  }
  return Number(value);
}

const OTHER = "meta.";

/** Returns a function that reads the values of a field. `key` is folded. */
function readerOf(key: MetadataKey): (file: DescribedFile) => MetadataValue | undefined {
  if (key.startsWith(OTHER)) {
    const name = key.slice(OTHER.length);
    const isNamed = new Map<string, boolean>();
    return ({ metadata }) => {
      for (const own in metadata?.extra) {
        let same = isNamed.get(own);
        if (same === undefined) isNamed.set(own, same = folded(own) === name);
        if (same) return metadata.extra[own];
      }
      return undefined;
    };
  }
  switch (key) {
    case "title":
      return ({ title }) => title;
    case "source_url":
      return ({ metadata }) => metadata?.sourceUrl;
    case "access_level":
      return ({ metadata }) => metadata?.accessLevel;
    default:
      return ({ metadata }) => metadata?.[key as "tags"];
  }
}
