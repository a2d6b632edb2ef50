/**
 * Conditions on metadata as they are typed into a query: `tag:budget,cost`, `created:2024..2025`, `meta.project:apollo`.
 */
import { UserError } from "#foundation/errors.ts";
import type { MetadataCondition, MetadataKey } from "./types.ts";

/** Keys with their names as typed before a colon. `title` is missing, because `title:` looks for words of a title. */
const TYPED: readonly (readonly [key: MetadataKey, ...names: string[]])[] = [
  ["tags", "tag", "标签"],
  ["authors", "author", "作者"],
  ["created", "创建"],
  ["modified", "修改"],
  ["published", "发布"],
  ["status", "状态"],
  ["access_level", "密级"],
  ["language"],
  ["source_url"],
];

const KEYS: ReadonlyMap<string, MetadataKey> = new Map(
  TYPED.flatMap(([key, ...names]) => [key, ...names].map((name) => [name, key] as const)),
);

/** A name with its colon. Any other field is `meta.NAME`. */
export const METADATA_NAME: RegExp = new RegExp(
  `^(${[...KEYS.keys()].join("|")}|meta\\.[\\p{L}\\p{N}_.-]+)[:：]`,
  "iu",
);

const DATES: ReadonlySet<string> = new Set<MetadataKey>(["created", "modified", "published"]);
const META = /^meta\./i;

/**
 * Returns the condition of a typed filter. `name`: a name that {@linkcode METADATA_NAME} finds. `values`: one or more, any of which
 * is enough. A single value may be a range: `2024..2025`, `..2023`, `>=2024-05`, `<12.5`. `negated`: the filter had a minus, so that
 * documents with such a value are left out. Returns `undefined` for a range with a minus that one condition cannot say. Throws
 * `UserError` `query_bad_date`.
 */
export function typedCondition(
  name: string,
  values: readonly string[],
  negated: boolean,
): MetadataCondition | undefined {
  const key = KEYS.get(name.toLowerCase()) ?? `meta.${name.replace(META, "")}` as MetadataKey;
  const isDate = DATES.has(key);
  const isBound = (text: string) => periodOf(text) !== undefined || !isDate && isNumber(text);
  const bounds = values.length === 1 && (isDate || META.test(key)) ? boundsOf(values[0]!) : undefined;
  if (isDate) {
    const bad = (bounds ? Object.values(bounds) : values).find((text) => !isBound(text));
    if (bad !== undefined) throw new UserError("query_bad_date", { name, value: values.join(",") });
  }
  if (bounds === undefined || !Object.values(bounds).every(isBound)) {
    return negated ? { key, none: values } : { key, any: values };
  }
  if (!negated) return { key, ...bounds };
  const [[bound, value], more] = Object.entries(bounds) as [[keyof typeof OPPOSITE, string], unknown?];
  return more === undefined ? { key, [OPPOSITE[bound]]: value, missing: "include" } : undefined;
}

type Bounds = Pick<MetadataCondition, "gte" | "gt" | "lte" | "lt">;

const COMPARED = { ">=": "gte", ">": "gt", "<=": "lte", "<": "lt" } as const;
const OPPOSITE = { gte: "lt", gt: "lte", lte: "gt", lt: "gte" } as const;

/** Returns the bounds that a range names; `undefined` if the text is no range. */
function boundsOf(text: string): Bounds | undefined {
  const normal = text.normalize("NFKC");
  const [, sign, bound] = /^([<>]=?)\s*(.+)$/.exec(normal) ?? [];
  if (sign !== undefined) return { [COMPARED[sign as keyof typeof COMPARED]]: bound! };
  const [, from, to] = /^(.*?)\.\.(.*)$/.exec(normal) ?? [];
  if (!from && !to) return undefined;
  return { ...(from && { gte: from }), ...(to && { lte: to }) };
}

function isNumber(text: string): boolean {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text);
}

/** A span of time, in milliseconds since 1970. */
export interface Period {
  readonly from: number;
  /** Exclusive. */
  readonly until: number;
}

const DAY = /^(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/**
 * Returns the day (`2024-05-01`), month (`2024-05`) or year (`2024`) in local time, with `-` or `/` as separator, or the moment in
 * ISO 8601 that a text names. Returns `undefined` for other texts and for days that do not exist.
 */
export function periodOf(text: string): Period | undefined {
  const normal = text.normalize("NFKC");
  if (MOMENT.test(normal)) {
    const from = new Date(normal).getTime();
    return Number.isNaN(from) ? undefined : { from, until: from + 1 };
  }
  const parts = DAY.exec(normal);
  if (parts === null) return undefined;
  const [year, month, day] = [Number(parts[1]), Number(parts[2] ?? 1), Number(parts[3] ?? 1)];
  const date = new Date(year, month - 1, day);
  // `Date` turns 30 February into a day in March, and the year 24 into 1924.
  const same = date.getFullYear() === year && date.getMonth() === month - 1 && date.getDate() === day;
  if (!same) return undefined;
  const until = parts[3] !== undefined
    ? new Date(year, month - 1, day + 1)
    : parts[2] !== undefined
    ? new Date(year, month, 1)
    : new Date(year + 1, 0, 1);
  return { from: date.getTime(), until: until.getTime() };
}
