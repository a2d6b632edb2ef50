import { UserError } from "../../errors.ts";
import { FILTER_NAMES, FilterBuilder, type FilterName } from "./filters.ts";
import { quotedAt } from "./quoted.ts";
import type { ParsedQuery } from "./types.ts";

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
    const exclusion = starts ? exclusionAt(text, at) : undefined;
    const phrase = quotedAt(text, at);
    if (filter !== undefined) filters.add(filter.name, filter.value, filter.negated);
    else if (exclusion !== undefined) (exclusion.exact ? excludedPhrases : excluded).push(exclusion.words);
    else if (phrase !== undefined) phrases.push(phrase.inner);

    const found = filter ?? exclusion ?? phrase;
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
