/**
 * Filters as JSON, as programs and models write them: `{"tags": {"any": ["budget"]}, "created": {"gte": 2024}, "meta.project": "apollo"}`.
 */
import { UserError } from "#foundation/errors.ts";
import { nearest } from "#foundation/edit_distance.ts";
import { folded } from "#foundation/written_values.ts";
import { DATE_FIELDS, dateSpan, isDateField, KEPT_FIELDS, numberOf } from "#engine/index/mod.ts";
import { TYPED_KEYS } from "./metadata_conditions.ts";
import { filtersOf } from "./parse_query.ts";
import { type MetadataCondition, type MetadataKey, type QueryFilters, type SearchFilters } from "./types.ts";

/** The fields of the normal form, as errors list them. */
const METADATA_KEYS = ["title", ...Object.keys(KEPT_FIELDS), "description"] as MetadataKey[];
/** Names of the conditions on files, which the object of a filter may hold beside those on metadata. */
const FILE_KEYS = ["path", "type", "lang", "after", "before"] as const;

/** Names of fields beside those that a query uses, which would be text there. */
const NAMES: ReadonlyMap<string, MetadataKey> = new Map([
  ["标题", "title"],
  ["日期", "created"],
  ["语言", "language"],
  ["描述", "description"],
]);

/** The parts of a condition, with the other name of `any`. */
const LISTS = ["any", "all", "none", "in"] as const;
const BOUNDS = ["gte", "gt", "lte", "lt"] as const;
const PARTS: readonly string[] = [...LISTS, ...BOUNDS, "missing"];

/** The fields that documents have beside the known ones. */
export interface OtherFields {
  /** Whether a document has one of this name, in any case. */
  readonly has: (name: string) => boolean;
  /** Their names as the documents write them. Takes a look at every document, for an error. */
  readonly names: () => Iterable<string>;
}

/**
 * Returns the filters of parameters, with the conditions on metadata; all of them must hold. A text, number or list of them as a condition
 * stands for `any`. Throws `UserError` `query_bad_date`, `query_bad_lang`, `filter_unknown_key`, `filter_unknown_key_suggest`,
 * `filter_bad_value`, `filter_bad_text`, `filter_bad_choice`, `filter_unknown_part`, `filter_no_bounds`, `filter_bad_bound` or `filter_bad_date`.
 */
export function givenFilters({ json, ...files }: SearchFilters, others: OtherFields): QueryFilters[] {
  if (json === undefined) return [filtersOf(files)];
  const given = Object.entries(json).filter(([, value]) => value !== null && value !== undefined);
  const isOfFiles = ([name]: readonly [string, unknown]) => FILE_KEYS.some((key) => key === name);
  const own = given.filter(isOfFiles).map(([name, value]) => [name, fileValue(name, value)]);
  const metadata = given.filter((entry) => !isOfFiles(entry))
    .map(([name, value]) => conditionOf(name, keyOf(name, others), value));
  return [filtersOf(files), { ...filtersOf(Object.fromEntries(own)), metadata }];
}

function fileValue(name: string, value: unknown): string | string[] {
  if (isText(value)) return String(value);
  if (name !== "after" && name !== "before" && isTexts(value)) return textsOf(value);
  throw new UserError("filter_bad_text", { name });
}

/** Throws `UserError` `filter_unknown_key` or `filter_unknown_key_suggest` for a condition on a field that no document has. */
export function checkFields(conditions: readonly MetadataCondition[], others: OtherFields): void {
  for (const { key } of conditions) keyOf(key, others);
}

function keyOf(name: string, others: OtherFields): MetadataKey {
  const plain = folded(name).replaceAll("-", "_");
  const known = METADATA_KEYS.find((key) => key === plain) ?? TYPED_KEYS.get(plain) ?? NAMES.get(plain);
  if (known !== undefined) return known;
  const [, other] = /^meta\.(.+)$/isu.exec(name.trim()) ?? [];
  if (other !== undefined && others.has(other)) return `meta.${folded(other)}`;
  const fields = Array.from(others.names(), (field): MetadataKey => `meta.${field}`);
  const keys = [...METADATA_KEYS, ...FILE_KEYS, ...fields];
  const shown = name.slice(0, MAX_NAME_CHARS);
  // `project` for `meta.project` is the usual mistake.
  const meant = new Map([
    ...fields.map((field) => [folded(field).slice("meta.".length), field] as const),
    ...keys.map((key) => [folded(key), key] as const),
  ]);
  const suggestion = other === undefined
    ? meant.get(nearest(folded(shown), [...meant.keys()]) ?? "")
    : nearestField(other.slice(0, MAX_NAME_CHARS), fields);
  const named = [...keys.slice(0, MOST_NAMED), ...(keys.length > MOST_NAMED ? ["…"] : [])].join(", ");
  throw suggestion === undefined
    ? new UserError("filter_unknown_key", { name: shown, known: named })
    : new UserError("filter_unknown_key_suggest", { name: shown, suggestion, known: named });
}

/** The field `meta.NAME` whose own name is the nearest: the beginning, which all have, makes no two of them alike. */
function nearestField(other: string, fields: readonly MetadataKey[]): MetadataKey | undefined {
  const found = nearest(other, fields.map((field) => field.slice("meta.".length)));
  return found === undefined ? undefined : `meta.${found}`;
}

/** Characters of a name that a client made up, and names of fields, that a message repeats. */
const MAX_NAME_CHARS = 80;
const MOST_NAMED = 30;

function conditionOf(name: string, key: MetadataKey, value: unknown): MetadataCondition {
  const shown = name.slice(0, MAX_NAME_CHARS);
  if (isText(value) || isTexts(value)) return { key, any: valuesOf(shown, key, value) };
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UserError("filter_bad_value", { name: shown, known: PARTS.join(", ") });
  }
  const condition: Record<string, unknown> = { key };
  for (const [written, given] of Object.entries(value)) {
    if (given === null || given === undefined) continue;
    const part = written.toLowerCase().replace(/^\$/, "");
    if (!PARTS.includes(part)) {
      throw new UserError("filter_unknown_part", {
        name: shown,
        part: written.slice(0, MAX_NAME_CHARS),
        known: PARTS.join(", "),
      });
    }
    if (part === "missing") condition[part] = missingOf(shown, given);
    else if (BOUNDS.some((bound) => bound === part)) condition[part] = boundOf(shown, key, given);
    else if (isText(given) || isTexts(given)) {
      const list = part === "in" ? "any" : part;
      condition[list] = [...condition[list] as string[] ?? [], ...valuesOf(shown, key, given)];
    } else throw new UserError("filter_bad_value", { name: `${shown}.${part}`, known: PARTS.join(", ") });
  }
  return condition as unknown as MetadataCondition;
}

/** Throws `UserError` `filter_bad_date` for a text that is no date where only dates are. */
function valuesOf(name: string, key: MetadataKey, given: Text | readonly Text[]): string[] {
  const texts = textsOf(given);
  const bad = isDateField(key) ? texts.find((text) => dateSpan(text) === undefined) : undefined;
  if (bad === undefined) return texts;
  throw new UserError("filter_bad_date", { name, value: bad.slice(0, MAX_NAME_CHARS) });
}

function missingOf(name: string, given: unknown): "include" | "exclude" {
  if (given === "include" || given === "exclude") return given;
  throw new UserError("filter_bad_choice", { name: `${name}.missing`, known: "include, exclude" });
}

function boundOf(name: string, key: MetadataKey, given: unknown): string {
  if (!isDateField(key) && !key.startsWith("meta.")) {
    throw new UserError("filter_no_bounds", { name, known: `${DATE_FIELDS.join(", ")}, meta.*` });
  }
  const text = isText(given) ? String(given) : "";
  if (dateSpan(text) !== undefined || !isDateField(key) && numberOf(text) !== undefined) return text;
  throw new UserError("filter_bad_bound", { name, value: text.slice(0, MAX_NAME_CHARS) });
}

type Text = string | number | boolean;

function isText(value: unknown): value is Text {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function isTexts(value: unknown): value is readonly Text[] {
  return Array.isArray(value) && value.every(isText);
}

function textsOf(value: Text | readonly Text[]): string[] {
  return (isText(value) ? [value] : value).map(String);
}
