/**
 * The values of a document's metadata as terms that stand in the order of their values: texts, numbers and dates.
 */
import type { Metadata, MetadataValue } from "#documents/types.ts";
import { folded } from "#foundation/written_values.ts";
import { dateSpan, sortableDate } from "./date_span.ts";

/** Names of the fields whose values are dates. */
export const DATE_FIELDS = ["created", "modified", "published"] as const;

/** Names of other fields than those of the normal form begin so. */
export const OTHER_FIELDS = "meta.";

/** The kinds of values, each with its mark: the values of a field stand in the order of these. */
const VALUE_KINDS = {
  /** Dates in local time, to the day or finer. */
  local: "l",
  /** Numbers. */
  number: "n",
  /** All other texts, as they are compared. */
  text: "t",
  /** Months and other dates that are compared one by one. */
  various: "v",
  /** Numbers of four digits once more: they are compared with dates as years. */
  year: "y",
  /** Dates with a time zone, in UTC. */
  zoned: "z",
} as const;

/** One of {@linkcode VALUE_KINDS}. */
export type ValueKind = keyof typeof VALUE_KINDS;

/** A file, as far as conditions on its metadata look at it. */
export interface DescribedFile {
  readonly title?: string;
  readonly metadata?: Metadata;
}

/** The beginning of the terms of a field, or of a kind of its values. `field` is folded. */
export function fieldStart(field: string, kind?: ValueKind): string {
  return `${field}\0${kind === undefined ? "" : VALUE_KINDS[kind]}`;
}

/** The terms of a value. `field` is folded. */
export function valueTerms(field: string, value: string | number | boolean): string[] {
  const name = valueName(field, String(value));
  const isOther = field.startsWith(OTHER_FIELDS);
  if (isOther || isDateField(field)) {
    const number = isOther ? numberOf(name) : undefined;
    if (number !== undefined) {
      const year = YEAR.test(name) ? [fieldStart(field, "year") + name] : [];
      return [numberTerm(field, number), ...year];
    }
    const date = sortableDate(name);
    if (date !== undefined) return [fieldStart(field, date.hasZone ? "zoned" : "local") + date.text];
    if (dateSpan(name) !== undefined) return [fieldStart(field, "various") + name];
  }
  return [fieldStart(field, "text") + name];
}

/** 2024 is a number and a date, and 2024.10 may be a version. */
const YEAR = /^\d{4}$/;

/** A value as it is compared. */
export function valueName(field: string, value: string): string {
  const name = folded(value).toWellFormed();
  if (field === "tags") return name.replace(/^#/, "");
  return field === "language" ? name.replaceAll("_", "-") : name;
}

export function isDateField(field: string): boolean {
  return DATE_FIELDS.some((date) => date === field);
}

/** The term of a number: the hexadecimal digits of its bits without zeros at the end, changed so that the order is that of the numbers. */
export function numberTerm(field: string, number: number): string {
  const view = new DataView(new ArrayBuffer(8));
  // -0 is 0.
  view.setFloat64(0, number + 0);
  const bits = view.getBigUint64(0);
  const ordered = bits >> 63n === 0n ? bits | 1n << 63n : BigInt.asUintN(64, ~bits);
  return fieldStart(field, "number") + ordered.toString(16).padStart(16, "0").replace(/0+$/, "");
}

/** A number as people write it in a field: `12`, `-3.50`, `1e3`. */
export function numberOf(value: string): number | undefined {
  return NUMBER.test(value) ? Number(value) : undefined;
}

const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;

/** Calls `show` for the fields of a file that an index keeps a table of. */
export function visitFields(
  { metadata }: DescribedFile,
  show: (field: string, value: MetadataValue) => void,
): void {
  if (metadata === undefined) return;
  for (const [field, name] of Object.entries(KEPT_FIELDS)) {
    const value = metadata[name];
    if (value !== undefined) show(field, value);
  }
  const seen = new Set<string>();
  for (const own in metadata.extra) {
    const field = OTHER_FIELDS + folded(own).toWellFormed();
    // Of two names that differ in case, the first one counts.
    if (!seen.has(field)) show(field, metadata.extra[own]!);
    seen.add(field);
  }
}

/**
 * The fields of the normal form that an index keeps in a table, by their names in filters: few conditions name a title or a description as a
 * whole.
 */
export const KEPT_FIELDS = {
  authors: "authors",
  tags: "tags",
  created: "created",
  modified: "modified",
  published: "published",
  language: "language",
  source_url: "sourceUrl",
  access_level: "accessLevel",
  status: "status",
} as const satisfies Readonly<Record<string, keyof Metadata>>;

/** Whether an index keeps a table of a field. */
export function isKept(field: string): boolean {
  return field !== "title" && field !== "description";
}

/** The value of any field of a file. */
export function valueOf(file: DescribedFile, field: string): MetadataValue | undefined {
  if (field === "title") return file.title;
  if (field === "description") return file.metadata?.description;
  let found: MetadataValue | undefined;
  visitFields(file, (name, value) => {
    if (name === field) found = value;
  });
  return found;
}
