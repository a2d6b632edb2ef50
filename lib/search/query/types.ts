/** Languages that `lang:` and the parameter `lang` accept. `en` stands for all languages in Latin letters. */
export const QUERY_LANGUAGES = ["en", "zh", "ja", "ko"] as const;

/** One of {@linkcode QUERY_LANGUAGES}. */
export type QueryLanguage = typeof QUERY_LANGUAGES[number];

/** Conditions on files and chunks. An empty list is no condition; of a list with values any one is enough. */
export interface FilterLists {
  /** Parts of a path, or globs in `.gitignore` syntax if they contain `*` or `?`. */
  readonly path: readonly string[];
  /** Extensions in lower case, without the dot. */
  readonly type: readonly string[];
  readonly lang: readonly QueryLanguage[];
}

/** The filters of one origin: typed into the query, or given as parameters. All must hold. */
export interface QueryFilters extends FilterLists {
  /** Only files changed at this moment or later. */
  readonly after?: Date;
  /** Only files changed before this moment. */
  readonly before?: Date;
  /** Conditions that exclude. */
  readonly not: FilterLists;
}

/** A parsed query. */
export interface ParsedQuery {
  /** The question without its operators; words in quotes are part of it. Not blank. */
  readonly text: string;
  /** Phrases in quotes, which must be found word for word. */
  readonly phrases: readonly string[];
  /** Words after a minus, excluded in any of their forms. */
  readonly excluded: readonly string[];
  /** Phrases in quotes after a minus, excluded word for word. */
  readonly excludedPhrases: readonly string[];
  readonly filters: QueryFilters;
}

/** Filters as parameters of a search. Lists except `path` may be a text with commas. A blank value counts as absent. */
export interface SearchFilters {
  readonly path?: string | readonly string[] | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly lang?: string | readonly string[] | undefined;
  /** `2024-05-01`, `2024-05`, `2024`, or a moment in ISO 8601. */
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}
