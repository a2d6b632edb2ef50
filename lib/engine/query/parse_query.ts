/**
 * The syntax of a query: phrases, excluded words and filters.
 */
import { UserError } from "#foundation/errors.ts";
import { conditionsOf } from "#engine/index/mod.ts";
import { isBoolean, parseExpression, positiveWords, type QueryExpression } from "./boolean_query.ts";
import { type FilterMaker, tokensOf } from "./boolean_tokens.ts";
import { dateSpan } from "#engine/index/mod.ts";
import {
  conditionAt,
  exclusionAt,
  fieldAt,
  FILTER_NAMES,
  filterAt,
  type FilterName,
  quotedAt,
} from "./typed_parts.ts";
import {
  type MetadataCondition,
  QUERY_LANGUAGES,
  type QueryFilters,
  type QueryLanguage,
  type SearchFilters,
} from "./types.ts";

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
  /** The condition of a boolean query, which has no other phrases, exclusions and filters; or on words of titles and headings. */
  readonly expression?: QueryExpression;
}

const SPACE = /\s/;
const WORD = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;
/** A query without any of these is no boolean one. */
const MAYBE_BOOLEAN = /(?:^|[\s(（)）])(?:AND|OR|NOT|NEAR\/(?:-?\d*|[a-z]))(?=[\s()（）]|$)|[\p{L}\p{N}]\*/u;

/**
 * Parses a query. A boolean query (see {@linkcode isBoolean}) becomes an expression. In any other:
 * - `"…"`, `“…”`, `「…」`, `『…』`: a phrase that must be found; its words stay in the text.
 * - `-word`, `-"phrase"` at the start of a token: must not be found. A minus before anything but a letter is no operator
 *   (`-5`, `--flag`, `e-mail`), nor is one before a single Latin letter (`tar -x`).
 * - `path:`, `type:`, `lang:`, `after:`, `before:` directly followed by a value, which is in quotes if it contains a space.
 *   With a minus before it, the filter excludes.
 * - `tag:`, `author:`, `created:` … and `meta.NAME:`, the same with several values between commas; see `typedCondition()`.
 *
 * - `title:`, `heading:` directly followed by a word or a phrase that the title or a heading must have.
 *
 * All other text is returned unchanged. Throws `UserError` `empty_query`, `query_without_words`, `query_bad_date`,
 * `query_bad_lang`, and those of {@linkcode parseExpression}.
 */
export function parseQuery(text: string): ParsedQuery {
  const tokens = MAYBE_BOOLEAN.test(text) ? tokensOf(text, FILTERS) : [];
  return tokens.length > 0 && isBoolean(tokens, text)
    ? booleanQuery(parseExpression(tokens, text))
    : parseQuestion(text);
}

function booleanQuery(expression: QueryExpression): ParsedQuery {
  const text = positiveWords(expression).map(({ words }) => words).join(" ");
  if (!WORD.test(text)) throw new UserError("query_without_words");
  const filters = new FilterBuilder().build();
  return { text, phrases: [], excluded: [], excludedPhrases: [], filters, expression };
}

function parseQuestion(text: string): ParsedQuery {
  const phrases: string[] = [];
  const excluded: string[] = [];
  const excludedPhrases: string[] = [];
  const filters = new FilterBuilder();
  const conditions: QueryExpression[] = [];
  let plain = "", operators = 0, at = 0;
  while (at < text.length) {
    const starts = at === 0 || SPACE.test(text.charAt(at - 1));
    const filter = starts ? filterAt(text, at) : undefined;
    const condition = starts ? conditionAt(text, at) : undefined;
    const field = starts ? fieldAt(text, at) : undefined;
    const exclusion = starts && field === undefined ? exclusionAt(text, at) : undefined;
    const phrase = quotedAt(text, at);
    if (filter !== undefined) filters.add(filter.name, filter.value, filter.negated);
    else if (condition?.negated) {
      const test = FILTERS.condition(condition.condition), typed = text.slice(at + 1, condition.end);
      conditions.push({ kind: "not", part: { kind: "test", test, typed } });
    } else if (condition !== undefined) filters.addCondition(condition.condition);
    else if (field !== undefined) {
      conditions.push(field.negated ? { kind: "not", part: field.condition } : field.condition);
    } else if (exclusion !== undefined) (exclusion.exact ? excludedPhrases : excluded).push(exclusion.words);
    else if (phrase !== undefined) phrases.push(phrase.inner);

    const found = filter ?? condition ?? field ?? exclusion ?? phrase;
    const words = found === phrase
      ? phrase?.inner
      : found === field && !field?.negated
      ? field?.condition.words
      : "";
    plain += found === undefined ? text.charAt(at) : ` ${words} `;
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
    ...(conditions.length > 0 && {
      expression: conditions.length === 1 ? conditions[0]! : { kind: "and", parts: conditions },
    }),
  };
}

const FILTERS: FilterMaker = {
  filter(name, value, negated) {
    const builder = new FilterBuilder();
    builder.add(name, value, negated);
    return builder.build();
  },
  condition(condition) {
    const builder = new FilterBuilder();
    builder.addCondition(condition);
    return builder.build();
  },
};

/** Returns all filters that a query has, those within its expression too. */
export function typedFilters({ filters, expression }: ParsedQuery): QueryFilters[] {
  const conditions = expression === undefined ? [] : [...conditionsOf(expression)];
  return [filters, ...conditions.flatMap((condition) => condition.kind === "test" ? [condition.test] : [])];
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
  const span = dateSpan(value);
  if (span === undefined) throw new UserError("query_bad_date", { name, value });
  return new Date(span.from);
}
