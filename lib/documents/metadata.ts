/**
 * The normal form of what documents say about themselves: fields of any format, by the names that people and programs give them.
 * Below it: names of people, lists written as text, dates and languages; and the form of metadata in answers.
 *
 * A record of every file is kept in the index, so the whole of it has a limit that no document exceeds.
 */
import { isRecord } from "./json_fields.ts";
import { given, type Metadata, type MetadataValue } from "./types.ts";

/** Fields by their names as written. A value is what a parser of JSON gives: others than those count as absent. */
export type Fields = Iterable<readonly [name: string, value: unknown]>;

/** Title and metadata of a document, without absent ones. */
export interface Described {
  readonly title?: string;
  readonly metadata?: Metadata;
}

type Known = "title" | Exclude<keyof Metadata, "extra">;

/** Names of the fields, without blanks, `-` and `_`. Of several fields in a document the one whose name comes first counts. */
const NAMES: Readonly<Record<Known, string>> = {
  title: "title headline 标题 標題 题名",
  authors: "authors author creators creator by byline taxonomies.authors 作者 著者 撰稿人 撰写人",
  tags:
    "tags tag keywords keyword categories taxonomies.tags taxonomies.categories 标签 標籤 关键词 關鍵詞 关键字 關鍵字",
  created:
    "created createdat createdtime createdate creationdate datecreated 创建 创建时间 创建日期 創建時間 date 日期",
  modified:
    "modified modifiedat lastmodified lastmod modifydate modificationdate datemodified updated updatedat lastupdated " +
    "dateupdated 修改 修改时间 修改日期 更新 更新时间 更新日期",
  published:
    "published publishedat publishdate publicationdate pubdate datepublished issued 发布 发布时间 发布日期 发表日期 出版日期",
  language: "language lang locale inlanguage 语言 語言",
  sourceUrl: "sourceurl canonicalurl canonical url source link 来源 來源 网址 原文链接",
  accessLevel: "accesslevel access confidentiality 密级 密級 保密级别 访问级别",
  status: "status 状态 狀態",
  description: "description summary abstract excerpt 描述 摘要 简介 概要",
};

const BY_NAME: ReadonlyMap<string, readonly [key: Known, rank: number]> = new Map(
  Object.entries(NAMES).flatMap(([key, names]) =>
    names.split(" ").map((name, rank) => [name, [key as Known, rank]] as const)
  ),
);

const MOST_FIELDS = 200, MOST_EXTRA = 50, MOST_ITEMS = 100, DEEPEST = 3;
/** UTF-16 units of a name, an item of a list, a description, another text. */
const LONGEST_NAME = 60, LONGEST_ITEM = 100, LONGEST_DESCRIPTION = 200, LONGEST_TEXT = 500;
/** UTF-16 units of all names and values together. */
const MOST_UNITS = 4_000;

/**
 * Returns the normal form of a document's fields. Authors and tags of all fields are united. A value that does not fit its field, such
 * as `date: soon`, is kept in `extra` under its name, and so is every other field.
 */
export function described(fields: Fields): Described {
  const lists: Record<"authors" | "tags", string[]> = { authors: [], tags: [] };
  const best = new Map<Known, { readonly rank: number; readonly name: string; readonly value: string }>();
  const extra = new Map<string, MetadataValue>();
  const keep = (name: string, value: MetadataValue | undefined) => {
    if (value === undefined || value === "" || extra.size >= MOST_EXTRA || name === "__proto__") return;
    if (!extra.has(name)) extra.set(name, value);
  };
  for (const [written, value] of flattened(fields)) {
    const name = oneLine(written, LONGEST_NAME);
    const [key, rank] = BY_NAME.get(name.toLowerCase().replace(/[\s_-]+/g, "")) ?? [undefined, 0];
    if (key === "authors" || key === "tags") {
      const isMany = key === "tags" || name.toLowerCase().endsWith("s");
      lists[key].push(...(key === "tags" ? tagsIn(value) : peopleIn(value, isMany)));
      continue;
    }
    const fitting = key === undefined ? undefined : fit(key, value);
    const before = key === undefined ? undefined : best.get(key);
    if (key === undefined || fitting === undefined) keep(name, plain(value));
    else if (before === undefined) best.set(key, { rank, name, value: fitting });
    else if (key === "accessLevel") {
      best.set(key, { ...before, value: bothLevels(before.value, fitting) });
    } else if (before.rank <= rank) {
      if (before.value !== fitting && before.name !== name) keep(name, fitting);
    } else {
      if (before.value !== fitting) keep(before.name, before.value);
      best.set(key, { rank, name, value: fitting });
    }
  }
  const { title, ...single } = Object.fromEntries([...best].map(([key, { value }]) => [key, value]));
  const metadata = bounded({
    authors: distinct(lists.authors),
    tags: distinct(lists.tags),
    ...single,
    extra: Object.fromEntries(extra),
  });
  return given({ title, metadata: Object.keys(metadata).length > 0 ? metadata : undefined });
}

/** Joins access levels. A reader must have the right to all levels of a document. */
function bothLevels(first: string, second: string): string {
  const levels = new Set([...first.split(", "), ...second.split(", ")]);
  return [...levels].join(", ").slice(0, LONGEST_TEXT);
}

/** Returns the metadata of two sources. Single fields of the first count; lists and access levels are united. */
export function united(first: Metadata = {}, second: Metadata = {}): Metadata {
  const { accessLevel = second.accessLevel } = first;
  return bounded({
    ...second,
    ...first,
    ...given({ accessLevel: accessLevel && bothLevels(accessLevel, second.accessLevel ?? accessLevel) }),
    authors: distinct([...first.authors ?? [], ...second.authors ?? []]),
    tags: distinct([...first.tags ?? [], ...second.tags ?? []]),
    extra: { ...second.extra, ...first.extra },
  });
}

/**
 * Returns metadata of at most {@linkcode MOST_UNITS}: without the last items of lists, then of other fields, and with long texts cut off.
 * An index applies it to what it is given.
 */
export function bounded({ authors = [], tags = [], extra = {}, ...single }: Metadata): Metadata {
  const texts = Object.entries(single).map(([key, text]) => [key, cut(text, LONGEST_TEXT)] as const);
  let left = MOST_UNITS - texts.reduce((sum, [, text]) => sum + text.length, 0);
  const fits = (value: MetadataValue, name = "") => {
    const units = Array.isArray(value)
      ? value.reduce((sum, one) => sum + one.length + 3, 0)
      : `${value}`.length;
    if (left < units + name.length + 3) return false;
    left -= units + name.length + 3;
    return true;
  };
  const known = given({
    authors: authors.slice(0, MOST_ITEMS).filter((one) => fits(one)),
    tags: tags.slice(0, MOST_ITEMS).filter((one) => fits(one)),
    ...Object.fromEntries(texts),
  });
  const others = Object.entries(extra).slice(0, MOST_EXTRA).filter(([name, value]) => fits(value, name));
  return others.length === 0 ? known : { ...known, extra: Object.fromEntries(others) };
}

/** Yields the fields with those of nested objects as `outer.inner`. Deeper objects than {@linkcode DEEPEST} are left out. */
function* flattened(fields: Fields): Generator<readonly [string, unknown]> {
  let count = 0;
  const inside = function* (
    fields: Fields,
    outer: string,
    depth: number,
  ): Generator<readonly [string, unknown]> {
    for (const [name, value] of fields) {
      if (++count > MOST_FIELDS) return;
      const path = `${outer}${name}`;
      const [key] = outer === "" ? BY_NAME.get(name.toLowerCase()) ?? [] : [];
      if (!isRecord(value) || key === "authors") yield [path, value];
      else if (depth < DEEPEST) yield* inside(Object.entries(value), `${path}.`, depth + 1);
    }
  };
  yield* inside(fields, "", 1);
}

/** Returns the value in the form of a known field; `undefined` if it does not fit. */
function fit(key: Exclude<Known, "authors" | "tags">, value: unknown): string | undefined {
  const items = Array.isArray(value) ? textsOf(value) : [];
  const text = typeof value === "string"
    ? oneLine(value, LONGEST_TEXT)
    : typeof value === "number"
    ? String(value)
    : items.join(", ").slice(0, LONGEST_TEXT);
  if (text === "") return undefined;
  if (key === "created" || key === "modified" || key === "published") return isoDate(text);
  if (key === "language") return languageTag(items[0] ?? text);
  if (key === "sourceUrl") return /^[a-z][a-z\d+.-]*:\/\/\S+$/i.exec(items[0] ?? text)?.[0];
  return key === "description" ? cut(text, LONGEST_DESCRIPTION) : text;
}

/** Returns a value of another field in its type. `undefined` if it says nothing. */
function plain(value: unknown): MetadataValue | undefined {
  if (typeof value === "string") return oneLine(value, LONGEST_TEXT);
  if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return value;
  const items = Array.isArray(value) ? textsOf(value) : [];
  return items.length === 0 ? undefined : items;
}

/** Returns the items of a list as texts: of people and other things with a name their names. */
function textsOf(values: readonly unknown[]): string[] {
  return values.slice(0, MOST_ITEMS).map((value) => {
    const one = isRecord(value) ? nameOf(value) : value;
    return typeof one === "string" || typeof one === "number" || typeof one === "boolean"
      ? oneLine(String(one), LONGEST_ITEM)
      : "";
  }).filter((text) => text !== "");
}

function nameOf(value: Readonly<Record<string, unknown>>): string {
  const text = (...keys: string[]) =>
    keys.map((key) => value[key]).find((one) => typeof one === "string") ?? "";
  return text("name", "literal", "title") as string ||
    [text("given", "givenName", "first", "firstname"), text("family", "familyName", "last", "lastname")]
      .filter((part) => part !== "").join(" ");
}

/** Returns the values without equal ones. Case does not count. */
function distinct(values: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const value of values) {
    const key = value.toLowerCase();
    if (!seen.has(key)) seen.set(key, value);
  }
  return [...seen.values()];
}

/** Returns tags, also those written as one text: `a, b` and `#a #b`. */
function tagsIn(value: unknown): string[] {
  const texts = Array.isArray(value)
    ? textsOf(value)
    : textsOf(typeof value === "string" ? split(value) : [value]);
  return texts.flatMap((text) => /^#\S+(?:\s+#\S+)+$/.test(text) ? text.split(/\s+/) : [text])
    .map((tag) => tag.replace(/^#(?=\S)/, "")).filter((tag) => tag !== "");
}

function split(text: string): string[] {
  return text.slice(0, MOST_UNITS).split(/[,;，；、\n]/);
}

const SUFFIX = /^(?:[js]r|ph\.?\s?d|m\.?d|esq|i{2,3}|inc|ltd|llc|gmbh|co)\.?$/i;

/**
 * Returns the names of people, also those written as one text: `Ann Smith; Bob`, `张三、李四`. In a field for one person `Smith, John` is
 * one name.
 */
function peopleIn(value: unknown, isMany: boolean): string[] {
  if (typeof value !== "string") return textsOf(Array.isArray(value) ? value : [value]);
  const parts: string[] = [];
  for (const part of value.slice(0, MOST_UNITS).split(/[;；、\n]/).flatMap((one) => byCommas(one, isMany))) {
    if (SUFFIX.test(part.trim()) && parts.length > 0) parts.push(`${parts.pop()}, ${part.trim()}`);
    else parts.push(part);
  }
  return textsOf(parts);
}

function byCommas(text: string, isMany: boolean): string[] {
  const parts = text.split(/[,，]/);
  const isReversed = !isMany && parts.length === 2 &&
    parts.every((part) => /^\s*\p{L}[^\s\p{sc=Han}]*\s*$/u.test(part));
  return isReversed ? [text] : parts;
}

/** Returns a text on one line without control characters, of at most so many units. */
export function oneLine(text: string, longest: number = LONGEST_TEXT): string {
  // deno-lint-ignore no-control-regex
  return cut(text.slice(0, 4 * longest).replace(/[\s\x00-\x1f\x7f\u00a0]+/g, " ").trim(), longest);
}

/** Returns the first units of a text, without half a character at the end. */
export function cut(text: string, longest: number): string {
  return text.length <= longest ? text : text.slice(0, longest).replace(/[\ud800-\udbff]$/, "").trimEnd();
}

const ZONE = String.raw`(Z(?:00'00'?)?|UTC?|GMT|[+-]\d\d'?:?(?:\d\d)?)?`;
const CLOCK = String.raw`(\d{1,2}):(\d\d)(?::(\d\d))?(?:[.,]\d+)?(?:\s*[ap]\.?m\b\.?)?\s*${ZONE}`;
/** `2024`, `2024-05-01`, `2024:05:01`, `2024年5月1日`, with or without a time. */
const YEAR_FIRST = new RegExp(
  String
    .raw`^(\d{4})(?:[-/.:年]\s?(\d{1,2})(?:[-/.:月]\s?(\d{1,2})日?)?月?)?年?(?:[T\s]+${CLOCK})?(?=$|[\s,;(（\p{sc=Han}])`,
  "iu",
);
/** `20240501`, `D:20240501120000+08'00'`. */
const COMPACT = new RegExp(
  String.raw`^(?:D:)?(\d{4})(\d\d)?(\d\d)?(?:T?(\d\d)(\d\d)(\d\d)?(?:\.\d+)?\s*${ZONE}'?)?$`,
);
const DAY_FIRST = new RegExp(
  String
    .raw`^(?:\p{L}+\.?,?\s*)?(\d{1,2})(?:st|nd|rd|th|\.)?[\s-]+([a-z]{3,9})\.?,?[\s-]+(\d{4})(?:,?\s+(?:at\s+)?${CLOCK})?`,
  "iu",
);
const MONTH_FIRST = new RegExp(
  String
    .raw`^(?:[a-z]{3,9},\s+)?([a-z]{3,9})\.?\s+(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?(\d{4})(?:,?\s+(?:at\s+)?${CLOCK})?`,
  "i",
);
/** `Wed May 1 12:30:00 2024`, of C. */
const YEAR_LAST =
  /^[A-Z][a-z]{2}\s+([A-Z][a-z]{2})\s+(\d{1,2})\s+(\d{1,2}):(\d\d):(\d\d)\s+(?:[A-Z]{3,4}\s+)?(\d{4})/;
const GERMAN = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/**
 * Returns a date as people and programs write it in ISO 8601: `2024/5/1`, `2024年5月1日` and `May 1, 2024` become `2024-05-01`. A time
 * keeps its zone, and has none if none is written. `undefined` if the value is not a date.
 */
export function isoDate(value: string | undefined): string | undefined {
  const text = value?.trim().slice(0, 100) ?? "";
  const half = /\d\s*([ap])\.?m\b/i.exec(text)?.[1]?.toLowerCase();
  const [written, year, month, day, ...clock] = YEAR_FIRST.exec(text) ?? COMPACT.exec(text) ?? [];
  if (year !== undefined) {
    // A number with words behind it is no year.
    return month === undefined && written !== text ? undefined : moment([year, month, day], clock, half);
  }
  const german = GERMAN.exec(text);
  if (german !== null) return moment([german[3]!, german[2], german[1]], []);
  const last = YEAR_LAST.exec(text);
  if (last !== null) return moment([last[6]!, monthOf(last[1]!), last[2]], last.slice(3, 6));
  const [, dayOf, named, yearOf, ...time] = DAY_FIRST.exec(text) ?? [];
  if (yearOf !== undefined) return moment([yearOf, monthOf(named!), dayOf], time, half);
  const monthFirst = MONTH_FIRST.exec(text);
  if (monthFirst === null) return undefined;
  return moment([monthFirst[3]!, monthOf(monthFirst[1]!), monthFirst[2]], monthFirst.slice(4), half);
}

type Part = string | undefined;

/** Returns the date and time with the parts that are given; `undefined` if a part of the date is out of range. */
function moment(
  [year, month, day]: readonly [string, Part, Part],
  [hour, minute, second, zone]: readonly Part[],
  half?: string,
): string | undefined {
  if (month === undefined) return year;
  if (Number(month) < 1 || Number(month) > 12) return undefined;
  if (day === undefined) return `${year}-${pad(month)}`;
  if (Number(day) < 1 || Number(day) > 31) return undefined;
  const date = `${year}-${pad(month)}-${pad(day)}`;
  if (hour === undefined || minute === undefined || Number(hour) > 23 || Number(minute) > 59) return date;
  const inDay = half === undefined || Number(hour) > 12
    ? hour
    : `${Number(hour) % 12 + (half === "p" ? 12 : 0)}`;
  const time = `${date}T${pad(inDay)}:${minute}${second === undefined ? "" : `:${second}`}`;
  if (zone === undefined) return time;
  const [, sign, hours, minutes = "00"] = /^([+-])(\d\d)'?:?(\d\d)?$/.exec(zone) ?? [];
  return `${time}${sign === undefined ? "Z" : `${sign}${hours}:${minutes}`}`;
}

function monthOf(name: string): string {
  return String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1);
}

function pad(part: string): string {
  return part.padStart(2, "0");
}

/** Returns the BCP 47 tag for the language of a document: `zh_cn` becomes `zh-CN`. `undefined` for names of languages. */
function languageTag(value: string | undefined): string | undefined {
  const tag = value?.trim().replace(/\..*$/, "").replaceAll("_", "-") ?? "";
  if (!/^[a-z]{2,3}(?:-[a-z\d]{2,8}){0,3}$/i.test(tag)) return undefined;
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

/** Returns the fields of metadata by their names in answers and queries. */
export function metadataFields(
  { sourceUrl, accessLevel, status, description, extra, ...known }: Metadata = {},
) {
  return given({
    ...known,
    source_url: sourceUrl,
    access_level: accessLevel,
    status,
    description,
    extra: extra === undefined ? undefined : { ...extra },
  });
}
