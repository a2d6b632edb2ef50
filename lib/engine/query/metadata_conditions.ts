/**
 * Conditions on metadata as they are typed into a query: `tag:budget,cost`, `created:2024..2025`, `meta.project:apollo`.
 */
import { UserError } from "#foundation/errors.ts";
import { dateSpan, isDateField, numberOf } from "#engine/index/mod.ts";
import type { MetadataCondition, MetadataKey } from "./types.ts";

/**
 * Keys with their names as typed before a colon. `title` is missing, because `title:` looks for words of a title, and `description`,
 * because `description:` in a question is text: few would type a whole one.
 */
const TYPED: readonly (readonly [key: MetadataKey, ...names: string[]])[] = [
  ["tags", "tag", "标签"],
  ["authors", "author", "作者"],
  ["created", "date", "创建"],
  ["modified", "修改"],
  ["published", "发布"],
  ["status", "状态"],
  ["access_level", "密级"],
  ["language"],
  ["source_url"],
];

/** The keys by their typed names, in lower case. */
export const TYPED_KEYS: ReadonlyMap<string, MetadataKey> = new Map(
  TYPED.flatMap(([key, ...names]) => [key, ...names].map((name) => [name, key] as const)),
);

/** A name with its colon. Any other field is `meta.NAME`. */
export const METADATA_NAME: RegExp = new RegExp(
  `^(${[...TYPED_KEYS.keys()].join("|")}|meta\\.[\\p{L}\\p{N}_.-]+)[:：]`,
  "iu",
);

const META = /^meta\./i;

/**
 * Returns the condition of a typed filter. `name`: a name that {@linkcode METADATA_NAME} finds. `values`: one or more, any of which
 * is enough. A single value may be a range: `2024..2025`, `..2023`, `>=2024-05`, `<12.5`. `negated`: the filter had a minus, so that
 * documents with such a value are left out. Returns `undefined` for a range with a minus, which one condition cannot say. Throws
 * `UserError` `query_bad_date` or, for a range that ends before it begins, `query_empty_range`.
 */
export function typedCondition(
  name: string,
  values: readonly string[],
  negated: boolean,
): MetadataCondition | undefined {
  const key = TYPED_KEYS.get(name.toLowerCase()) ?? `meta.${name.replace(META, "")}` as MetadataKey;
  const isDate = isDateField(key);
  const isBound = (text: string) => dateSpan(text) !== undefined || !isDate && numberOf(text) !== undefined;
  const bounds = values.length === 1 && (isDate || META.test(key)) ? boundsOf(values[0]!) : undefined;
  if (isDate) {
    const bad = (bounds ? Object.values(bounds) : values).find((text) => !isBound(text));
    if (bad !== undefined) throw new UserError("query_bad_date", { name, value: values.join(",") });
  }
  if (bounds === undefined || !Object.values(bounds).every(isBound)) {
    return negated ? { key, none: values } : { key, any: values };
  }
  const { gte, lte } = bounds;
  const [from, to] = [gte, lte].map((bound) => bound === undefined ? undefined : dateSpan(bound));
  if (isDate && from !== undefined && to !== undefined && from.from >= to.to) {
    throw new UserError("query_empty_range", { name, value: values[0]!, turned: `${lte}..${gte}` });
  }
  // The opposite bound would also leave out values that cannot be compared, such as `beta` with 2.
  return negated ? undefined : { key, ...bounds };
}

type Bounds = Pick<MetadataCondition, "gte" | "gt" | "lte" | "lt">;

const COMPARED = { ">=": "gte", ">": "gt", "<=": "lte", "<": "lt" } as const;

/** Returns the bounds that a range names; `undefined` if the text is no range. */
function boundsOf(text: string): Bounds | undefined {
  const normal = text.normalize("NFKC");
  const [, sign, bound] = /^([<>]=?)\s*(.+)$/.exec(normal) ?? [];
  if (sign !== undefined) return { [COMPARED[sign as keyof typeof COMPARED]]: bound! };
  const [, from, to] = /^(.*?)\.\.(.*)$/.exec(normal) ?? [];
  if (!from && !to) return undefined;
  return { ...(from && { gte: from }), ...(to && { lte: to }) };
}
