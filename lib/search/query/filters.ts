import { UserError } from "../../errors.ts";
import { QUERY_LANGUAGES, type QueryFilters, type QueryLanguage, type SearchFilters } from "./types.ts";

/** Names of the filters, as typed before a colon and as parameters. */
export const FILTER_NAMES = ["path", "type", "lang", "after", "before"] as const;

/** One of {@linkcode FILTER_NAMES}. */
export type FilterName = typeof FILTER_NAMES[number];

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

/** Collects filters one by one. */
export class FilterBuilder {
  readonly #lists = emptyLists();
  readonly #not = emptyLists();
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

  /** The filters that were added so far. */
  build(): QueryFilters {
    return {
      ...this.#lists,
      ...(this.#after && { after: this.#after }),
      ...(this.#before && { before: this.#before }),
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
  const date = momentOf(value.normalize("NFKC"));
  if (date === undefined) throw new UserError("query_bad_date", { name, value });
  return date;
}

const DAY = /^(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/**
 * Returns the first moment of a day (`2024-05-01`), month (`2024-05`) or year (`2024`) in local time, with `-` or `/` as
 * separator, or a moment in ISO 8601. Returns `undefined` for other texts and for days that do not exist.
 */
function momentOf(text: string): Date | undefined {
  if (MOMENT.test(text)) {
    const moment = new Date(text);
    return Number.isNaN(moment.getTime()) ? undefined : moment;
  }
  const parts = DAY.exec(text);
  if (parts === null) return undefined;
  const [year, month, day] = [Number(parts[1]), Number(parts[2] ?? 1), Number(parts[3] ?? 1)];
  const date = new Date(year, month - 1, day);
  // `Date` turns 30 February into a day in March, and the year 24 into 1924.
  const same = date.getFullYear() === year && date.getMonth() === month - 1 && date.getDate() === day;
  return same ? date : undefined;
}
