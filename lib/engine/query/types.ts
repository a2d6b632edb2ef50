/** The filters and languages of a search, apart from the code that reads them: a start of the server does not load that. */
import type { KEPT_FIELDS } from "#engine/index/mod.ts";

/** Languages that `lang:` and the parameter `lang` accept. `en` stands for all languages in Latin letters. */
export const QUERY_LANGUAGES = ["en", "zh", "ja", "ko"] as const;

/** One of {@linkcode QUERY_LANGUAGES}. */
export type QueryLanguage = typeof QUERY_LANGUAGES[number];

/** Filters as parameters of a search. Lists except `path` may be a text with commas. A blank value counts as absent. */
export interface SearchFilters {
  readonly path?: string | readonly string[] | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly lang?: string | readonly string[] | undefined;
  /** `2024-05-01`, `2024-05`, `2024`, or a moment in ISO 8601. */
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  /**
   * Filters as one object, as a program or model wrote it: those above, and conditions on metadata by the names of fields, such as
   * `{"tags": {"any": ["budget"]}}`. They must hold as well.
   */
  readonly json?: Readonly<Record<string, unknown>> | undefined;
}

/** A field of the normal form, or `meta.` and the name of another field of a document. */
export type MetadataKey = "title" | "description" | keyof typeof KEPT_FIELDS | `meta.${string}`;

/**
 * A condition on one field of a document's metadata. All parts that are given must hold.
 *
 * - A text names a value as a whole. Case, width of characters (NFKC) and runs of spaces are ignored. Of a field with several values,
 *   each counts. The tag `a` names `a/b` as well, and the language `zh` names `zh-CN`.
 * - A date is the span of time that it says: `2024` is the whole year, in local time. A value with a time zone is a moment. A value that
 *   is less exact than the condition does not meet it: `2024` may be before or after `2024-05`.
 * - In other fields (`meta.NAME`), numbers are compared as numbers, and dates as dates. A plain number is a number, unless the other side is a date.
 */
export interface MetadataCondition {
  readonly key: MetadataKey;
  /** At least one of them must be a value of the field. */
  readonly any?: readonly string[];
  /** All of them must be values of the field. */
  readonly all?: readonly string[];
  /** None of them may be a value of the field. */
  readonly none?: readonly string[];
  /**
   * Bounds of a date or a number, as written: `2024`, `2024-05`, `2024-05-01`, a moment in ISO 8601, `12.5`. One value must be within all
   * of them. `gte` and `lte` include the span of the bound, so `lte: 2025` is the end of that year.
   */
  readonly gte?: string;
  readonly gt?: string;
  readonly lte?: string;
  readonly lt?: string;
  /** Whether a document without the field passes. Default: `include` for a condition that only has `none`, else `exclude`. */
  readonly missing?: "include" | "exclude";
}

/** The filters of one origin: typed into the query, or given as parameters. All must hold. */
export interface QueryFilters extends FilterLists {
  /** Only files changed at this moment or later. */
  readonly after?: Date;
  /** Only files changed before this moment. */
  readonly before?: Date;
  /** Conditions on what documents say about themselves; see {@linkcode MetadataCondition}. */
  readonly metadata?: readonly MetadataCondition[];
  /** Conditions that exclude. */
  readonly not: FilterLists;
}

/** Conditions on files and chunks. An empty list is no condition; of a list with values any one is enough. */
interface FilterLists {
  /** Parts of a path, or globs in `.gitignore` syntax if they contain `*` or `?`. */
  readonly path: readonly string[];
  /** Extensions in lower case, without the dot. */
  readonly type: readonly string[];
  readonly lang: readonly QueryLanguage[];
}
