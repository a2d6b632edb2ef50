/**
 * The syntax of a query: phrases, excluded words and filters.
 */
import { UserError } from "#foundation/errors.ts";
import { METADATA_NAME, periodOf, typedCondition } from "./metadata_conditions.ts";
import { type MetadataCondition, QUERY_LANGUAGES, type QueryLanguage, type SearchFilters } from "./types.ts";

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

/** Names of the filters, as typed before a colon and as parameters. */
const FILTER_NAMES = ["path", "type", "lang", "after", "before"] as const;

/** One of {@linkcode FILTER_NAMES}. */
type FilterName = typeof FILTER_NAMES[number];

const FILTER = new RegExp(`^[-－]?(${FILTER_NAMES.join("|")})[:：]`, "i");
const SPACE = /\s/;
const WORD = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;
/** One or more extensions, so that `type：什么` is read as a question. */
const EXTENSIONS = /^[*.\w+#,，-]+$/;

/**
 * Parses a query:
 * - `"…"`, `“…”`, `「…」`, `『…』`: a phrase that must be found; its words stay in the text.
 * - `-word`, `-"phrase"` at the start of a token: must not be found. A minus before anything but a letter is no operator
 *   (`-5`, `--flag`, `e-mail`), nor is one before a single Latin letter (`tar -x`).
 * - `path:`, `type:`, `lang:`, `after:`, `before:` directly followed by a value, which is in quotes if it contains a space.
 *   With a minus before it, the filter excludes.
 * - `tag:`, `author:`, `created:` … and `meta.NAME:`, the same with several values between commas; see `typedCondition()`.
 *
 * All other text is returned unchanged. Throws `UserError` `empty_query`, `query_without_words`, `query_bad_date`,
 * `query_bad_lang`.
 */
export function parseQuery(text: string): ParsedQuery {
  const phrases: string[] = [];
  const excluded: string[] = [];
  const excludedPhrases: string[] = [];
  const filters = new FilterBuilder();
  let plain = "", operators = 0, at = 0;
  while (at < text.length) {
    const starts = at === 0 || SPACE.test(text.charAt(at - 1));
    const filter = starts ? filterAt(text, at) : undefined;
    const condition = starts ? conditionAt(text, at) : undefined;
    const exclusion = starts ? exclusionAt(text, at) : undefined;
    const phrase = quotedAt(text, at);
    if (filter !== undefined) filters.add(filter.name, filter.value, filter.negated);
    else if (condition !== undefined) filters.addCondition(condition.condition);
    else if (exclusion !== undefined) (exclusion.exact ? excludedPhrases : excluded).push(exclusion.words);
    else if (phrase !== undefined) phrases.push(phrase.inner);

    const found = filter ?? condition ?? exclusion ?? phrase;
    plain += found === undefined ? text.charAt(at) : found === phrase ? ` ${phrase.inner} ` : " ";
    at = found?.end ?? at + 1;
    if (found !== undefined) operators++;
  }
  if (operators > 0 && !WORD.test(plain)) throw new UserError("query_without_words");
  if (plain.trim() === "") throw new UserError("empty_query");
  return {
    text: operators === 0 ? text : plain.replace(/[^\S\n]+/g, " ").trim(),
    phrases,
    excluded,
    excludedPhrases,
    filters: filters.build(),
  };
}

/** Returns the filter that begins at `at`. */
function filterAt(
  text: string,
  at: number,
): { name: FilterName; value: string; negated: boolean; end: number } | undefined {
  const [prefix, written] = FILTER.exec(text.slice(at)) ?? [];
  if (prefix === undefined || written === undefined) return undefined;
  const name = written.toLowerCase() as FilterName;
  const start = at + prefix.length;
  const quoted = quotedAt(text, start);
  // `?` is a wildcard in paths, but elsewhere it ends a question.
  const value = quoted?.inner ??
    tokenAt(text, start).replace(name === "path" ? /[,;，。；、！？]+$/ : /[,;，。；、！？!?]+$/, "");
  if (value === "" || name === "type" && !EXTENSIONS.test(value)) return undefined;
  const negated = prefix.length > written.length + 1;
  return { name, value, negated, end: quoted?.end ?? start + tokenAt(text, start).length };
}

/** Returns the condition on metadata that begins at `at`. */
function conditionAt(text: string, at: number): { condition: MetadataCondition; end: number } | undefined {
  const negated = /[-－]/.test(text.charAt(at));
  const [prefix, name] = METADATA_NAME.exec(text.slice(negated ? at + 1 : at, at + MAX_NAME)) ?? [];
  if (prefix === undefined || name === undefined) return undefined;
  const { values, end } = valuesAt(text, at + prefix.length + (negated ? 1 : 0));
  const condition = values.length === 0 ? undefined : typedCondition(name, values, negated);
  return condition && { condition, end };
}

/** Names of fields are looked for in so many UTF-16 units. */
const MAX_NAME = 100;
/** Between values. A `，` ends the last value, because a Chinese sentence goes on behind it. */
const COMMA = /[,、]/;

/** Returns the values between commas from `at` on, those in quotes as they are, and the end of the last one. */
function valuesAt(text: string, at: number): { values: string[]; end: number } {
  const values: string[] = [];
  for (;;) {
    const quoted = quotedAt(text, at);
    const written = quoted?.inner ?? /^[^\s,，、]*/.exec(text.slice(at))![0];
    const value = quoted === undefined ? written.replace(/(?:[;。；！？!?]|(?<!\.)\.)+$/, "") : written;
    if (value !== "") values.push(value);
    at = quoted?.end ?? at + written.length;
    if (!COMMA.test(text.charAt(at))) return { values, end: at };
    at++;
  }
}

/** Returns the excluded word or phrase that begins at `at`. `exact`: it is in quotes. */
function exclusionAt(text: string, at: number): { words: string; exact: boolean; end: number } | undefined {
  if (!/[-－]/.test(text.charAt(at))) return undefined;
  const quoted = quotedAt(text, at + 1);
  if (quoted !== undefined) return { words: quoted.inner, exact: true, end: quoted.end };
  const token = tokenAt(text, at + 1);
  const words = token.replace(/[^\p{L}\p{N}\p{M}+#]+$/u, "");
  if (!/^\p{L}/u.test(words) || /^[a-z]$/i.test(words)) return undefined;
  return { words, exact: false, end: at + 1 + token.length };
}

function tokenAt(text: string, at: number): string {
  return /^\S*/.exec(text.slice(at))![0];
}

/** Opening quotation marks with their closing ones. */
const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "＂": "＂",
  "“": "”",
  "「": "」",
  "『": "』",
};

/** A letter or digit of a script with spaces between its words: a straight quote beside it may be an inch sign. */
const LATIN = /[\p{Script=Latin}\p{N}]/u;
const WORDS = /[\p{L}\p{N}]/u;

/**
 * Returns the text in quotes that begins at `at`, and the end of its closing quote. Returns `undefined` if no quote opens
 * there, if it is not closed, or if it contains no word. A straight quote opens only before a word and closes only after
 * one, so `5" and 6"` contains no phrase.
 */
function quotedAt(text: string, at: number): { inner: string; end: number } | undefined {
  const closing = CLOSING[text.charAt(at)];
  if (closing === undefined) return undefined;
  const straight = closing === text.charAt(at);
  if (straight && LATIN.test(text.charAt(at - 1))) return undefined;
  let to = text.indexOf(closing, at + 1);
  while (straight && to >= 0 && LATIN.test(text.charAt(to + 1))) to = text.indexOf(closing, to + 1);
  const inner = text.slice(at + 1, to).trim();
  return to < 0 || !WORDS.test(inner) ? undefined : { inner, end: to + 1 };
}

/** Returns the filters of parameters. Throws `UserError` `query_bad_date`, `query_bad_lang`. */
export function filtersOf(parameters: SearchFilters): QueryFilters {
  const builder = new FilterBuilder();
  for (const name of FILTER_NAMES) {
    const given = parameters[name] ?? [];
    for (const value of typeof given === "string" ? [given] : given) {
      if (value.trim() !== "") builder.add(name, value.trim(), false);
    }
  }
  return builder.build();
}

/** Collects filters one by one. */
class FilterBuilder {
  readonly #lists = emptyLists();
  readonly #not = emptyLists();
  readonly #metadata: MetadataCondition[] = [];
  #after: Date | undefined;
  #before: Date | undefined;

  /**
   * Adds a filter. `negated`: the filter had a minus. Of several dates, the narrower one counts. Throws `UserError`
   * `query_bad_date`, `query_bad_lang`.
   */
  add(name: FilterName, value: string, negated: boolean): void {
    const lists = negated ? this.#not : this.#lists;
    if (name === "path") lists.path.push(value);
    else if (name === "type") lists.type.push(...extensions(value));
    else if (name === "lang") lists.lang.push(...languages(value));
    else this.#narrow((name === "after") !== negated, dateOf(name, value));
  }

  /** Adds a condition on metadata. */
  addCondition(condition: MetadataCondition): void {
    this.#metadata.push(condition);
  }

  /** The filters that were added so far. */
  build(): QueryFilters {
    return {
      ...this.#lists,
      ...(this.#after && { after: this.#after }),
      ...(this.#before && { before: this.#before }),
      ...(this.#metadata.length > 0 && { metadata: this.#metadata }),
      not: this.#not,
    };
  }

  #narrow(after: boolean, date: Date): void {
    if (after && !(this.#after && this.#after > date)) this.#after = date;
    if (!after && !(this.#before && this.#before < date)) this.#before = date;
  }
}

function emptyLists(): { path: string[]; type: string[]; lang: QueryLanguage[] } {
  return { path: [], type: [], lang: [] };
}

/** Other names of languages. Of tags such as `zh-CN`, the part before the hyphen counts. */
const LANGUAGE_NAMES: Readonly<Record<string, QueryLanguage>> = {
  english: "en",
  chinese: "zh",
  japanese: "ja",
  korean: "ko",
  英文: "en",
  英语: "en",
  中文: "zh",
  汉语: "zh",
  日文: "ja",
  日语: "ja",
  韩文: "ko",
  韩语: "ko",
};

/** `md`, `.MD` and `*.md` all name the extension `md`. */
function extensions(value: string): string[] {
  return parts(value).map((part) => part.replace(/^\*?\./, "")).filter((part) => part !== "");
}

function languages(value: string): QueryLanguage[] {
  return parts(value).map((part) => {
    const tag = part.split(/[-_]/)[0]!;
    const language = LANGUAGE_NAMES[part] ?? QUERY_LANGUAGES.find((known) => known === tag);
    if (language === undefined) {
      throw new UserError("query_bad_lang", { value: part, known: QUERY_LANGUAGES.join(", ") });
    }
    return language;
  });
}

function parts(value: string): string[] {
  return value.normalize("NFKC").toLowerCase().split(",").map((part) => part.trim())
    .filter((part) => part !== "");
}

function dateOf(name: FilterName, value: string): Date {
  const period = periodOf(value);
  if (period === undefined) throw new UserError("query_bad_date", { name, value });
  return new Date(period.from);
}
