/** The filters and languages of a search, apart from the code that reads them: a start of the server does not load that. */

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
}
