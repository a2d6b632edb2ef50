/**
 * Counts the documents that meet each condition of a search that found nothing, so that the answer can tell which one to remove.
 */
import {
  type ChunkConditions,
  fileMask,
  type MetadataCondition,
  type QueryFilters,
} from "#engine/query/mod.ts";
import type { OpenIndex } from "#library/store/mod.ts";

/** One condition of a search, and the documents that meet it, whatever the others say. */
export interface FilterCount {
  /** As people write it: `tags: budget`, `-tags: draft`, `created >= 2024`. */
  readonly condition: string;
  readonly documents: number;
}

/**
 * Counts the documents of some indexes for each condition on files. The language is a condition on chunks, and is not counted. `below`: see
 * {@linkcode ChunkConditions}; other files are not counted.
 */
export function filterCounts(
  indexes: readonly OpenIndex[],
  filters: readonly QueryFilters[],
  below: ChunkConditions["below"],
): FilterCount[] {
  const ofFiles = filters.flatMap(conditionsIn).filter(([, { lang, not }]) =>
    lang.length + not.lang.length === 0
  );
  return ofFiles.map(([condition, filter]) => ({
    condition,
    documents: indexes.reduce((sum, index) => {
      const { files } = index;
      const mask = fileMask(index, [filter], below?.(index))!;
      return sum + files.filter(({ chunkCount }, file) => chunkCount > 0 && mask[file] === 1).length;
    }, 0),
  }));
}

const NONE: QueryFilters = { path: [], type: [], lang: [], not: { path: [], type: [], lang: [] } };

/** The conditions of a filter one by one, as people write them. */
export function conditionsIn(
  { path, type, lang, not, after, before, metadata = [] }: QueryFilters,
): [string, QueryFilters][] {
  const list = (name: "path" | "type" | "lang", values: readonly string[], excluded: readonly string[]) => [
    ...(values.length === 0 ? [] : [[`${name}: ${values.join(", ")}`, { ...NONE, [name]: values }] as const]),
    ...(excluded.length === 0
      ? []
      : [[`-${name}: ${excluded.join(", ")}`, { ...NONE, not: { ...NONE.not, [name]: excluded } }] as const]),
  ];
  return [
    ...list("path", path, not.path),
    ...list("type", type, not.type),
    ...list("lang", lang, not.lang),
    ...(after === undefined ? [] : [[`after: ${day(after)}`, { ...NONE, after }] as const]),
    ...(before === undefined ? [] : [[`before: ${day(before)}`, { ...NONE, before }] as const]),
    ...metadata.map((condition) => [textOf(condition), { ...NONE, metadata: [condition] }] as const),
  ].map(([text, filter]) => [text, filter]);
}

/** The local time, as a date is read. */
function day(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16).replace("T00:00", "");
}

function textOf({ key, any, all, none, gte, gt, lte, lt, missing }: MetadataCondition): string {
  const bounds = Object.entries({ ">=": gte, ">": gt, "<=": lte, "<": lt });
  return [
    ...(any === undefined ? [] : [`${key}: ${any.join(", ")}`]),
    ...(all === undefined ? [] : [`${key}: ${all.join(" + ")}`]),
    ...(none === undefined ? [] : [`-${key}: ${none.join(", ")}`]),
    ...bounds.flatMap(([sign, bound]) => bound === undefined ? [] : [`${key} ${sign} ${bound}`]),
    ...(missing === undefined ? [] : [`missing: ${missing}`]),
  ].join("; ") || key;
}
