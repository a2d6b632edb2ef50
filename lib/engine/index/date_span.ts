/**
 * Dates as people and programs write them, as spans of time.
 */

/** The time that a written date means: from its first moment to the first moment after it, in milliseconds since 1970. */
export interface DateSpan {
  readonly from: number;
  readonly to: number;
}

const WRITTEN =
  /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/**
 * The span of a year (`2024`), a month (`2024-05`), a day (`2024-05-01`), a minute, a second or a millisecond in ISO 8601, with `-`,
 * `/` or `.` in the date. A time with a zone is a moment; all else is read in local time. `undefined` for other texts, and for days that
 * do not exist.
 */
export function dateSpan(text: string): DateSpan | undefined {
  const written = writtenDate(text);
  const from = written && momentOf(written);
  if (from === undefined) return undefined;
  const { fields, last, ms } = written!;
  if (ms !== undefined) return { from, to: from + 1 };
  if (last >= 3) return { from, to: from + (last === 5 ? 1000 : 60_000) };
  const next = fields.with(last, fields[last]! + 1);
  return { from, to: dateOf(next).getTime() };
}

/**
 * The same date in a form of which the texts stand in the order of time: to the day, minute, second or millisecond, with a time zone as
 * the moment in UTC. `undefined` for a year or month, and for what has no form of four digits for the year.
 */
export function sortableDate(text: string): { readonly text: string; readonly hasZone: boolean } | undefined {
  const written = writtenDate(text);
  const span = written && dateSpan(text);
  if (span === undefined) return undefined;
  const { fields, last, ms, zone } = written!;
  const hasZone = zone !== undefined;
  const time = hasZone ? span.from : utcOf(fields) + (ms ?? 0);
  const length = ms !== undefined ? 23 : SORTABLE_LENGTHS[last];
  if (length === undefined || Number.isNaN(time)) return undefined;
  const sortable = new Date(time).toISOString().slice(0, length);
  const same = dateSpan(hasZone ? `${sortable}Z` : sortable);
  return same?.from === span.from && same.to === span.to ? { text: sortable, hasZone } : undefined;
}

/** Lengths of an ISO text to the day, the minute and the second, by the last field that is written. */
const SORTABLE_LENGTHS: Readonly<Record<number, number>> = { 2: 10, 4: 16, 5: 19 };

/** The parts of a written date. */
interface WrittenDate {
  /** Year, month, day, hour, minute and second. */
  readonly fields: readonly number[];
  /** The number of the last field that is written. */
  readonly last: number;
  /** Milliseconds, if a fraction of a second is written. */
  readonly ms: number | undefined;
  readonly zone: string | undefined;
}

function writtenDate(text: string): WrittenDate | undefined {
  const parts = WRITTEN.exec(text.normalize("NFKC").trim());
  if (parts === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone] = parts;
  // A zone without a time says nothing: `2024-0500` is no date.
  if (zone !== undefined && hour === undefined) return undefined;
  return {
    fields: [year, month ?? 1, day ?? 1, hour ?? 0, minute ?? 0, second ?? 0].map(Number),
    last: [year, month, day, hour, minute, second].findLastIndex((field) => field !== undefined),
    ms: fraction === undefined ? undefined : Math.floor(Number(`0.${fraction}`) * 1000),
    zone,
  };
}

/** `undefined` for fields out of their range. */
function momentOf({ fields, ms = 0, zone }: WrittenDate): number | undefined {
  const [year, month, day, hour, minute, second] = fields as [number, number, number, number, number, number];
  if (
    month < 1 || month > 12 || day < 1 || day > 28 && day > lastDay(year, month) || hour > 24 ||
    minute > 59 || second > 60
  ) {
    return undefined;
  }
  if (zone === undefined) return dateOf(fields).getTime() + ms;
  const [, sign, hours = 0, minutes = 0] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  const offset = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
  return utcOf(fields) + ms - offset * 60_000;
}

function lastDay(year: number, month: number): number {
  return new Date(Date.UTC(2000 + year % 400, month, 0)).getUTCDate();
}

/** `Date` turns the year 24 into 1924. */
function dateOf([year, month, ...rest]: readonly number[]): Date {
  const [day = 1, hour = 0, minute = 0, second = 0] = rest;
  const date = new Date(year!, month! - 1, day, hour, minute, second);
  if (year! < 100) date.setFullYear(year!, month! - 1, day);
  return date;
}

function utcOf([year, month, day, hour, minute, second]: readonly number[]): number {
  const date = new Date(0);
  date.setUTCFullYear(year!, month! - 1, day);
  return date.setUTCHours(hour!, minute, second);
}
