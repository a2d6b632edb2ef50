/**
 * The parts of a query that begin at a place: quotes, exclusions, filters and conditions on metadata.
 */
import { METADATA_NAME, typedCondition } from "./metadata_conditions.ts";
import type { WordCondition } from "#engine/index/mod.ts";
import { type MetadataCondition, QUERY_LANGUAGES } from "./types.ts";

/** Names of the filters, as typed before a colon and as parameters. */
export const FILTER_NAMES = ["path", "type", "lang", "after", "before"] as const;

/** One of {@linkcode FILTER_NAMES}. */
export type FilterName = typeof FILTER_NAMES[number];

const CHINESE: ReadonlyMap<string, FilterName> = new Map([["路径", "path"], ["类型", "type"], [
  "语言",
  "lang",
]]);
const FILTER = new RegExp(`^[-－]?(${[...FILTER_NAMES, ...CHINESE.keys()].join("|")})[:：]`, "i");
/** One or more extensions, so that `type：什么` is read as a question. */
const EXTENSIONS = /^[*.\w+#,，-]+$/;

/** Returns the filter that begins at `at`. */
export function filterAt(
  text: string,
  at: number,
): { name: FilterName; value: string; negated: boolean; end: number } | undefined {
  const [prefix, written] = FILTER.exec(text.slice(at)) ?? [];
  if (prefix === undefined || written === undefined) return undefined;
  const chinese = CHINESE.get(written);
  const name = chinese ?? written.toLowerCase() as FilterName;
  const start = at + prefix.length;
  const quoted = quotedAt(text, start);
  // `?` is a wildcard in paths, but elsewhere it ends a question.
  const value = quoted?.inner ??
    tokenAt(text, start).replace(name === "path" ? /[,;，。；、！？]+$/ : /[,;，。；、！？!?]+$/, "");
  if (value === "" || name === "type" && !EXTENSIONS.test(value)) return undefined;
  // `语言：中文` is text.
  if (chinese === "lang" && !QUERY_LANGUAGES.some((known) => known === value.toLowerCase())) return undefined;
  const negated = prefix.length > written.length + 1;
  return { name, value, negated, end: quoted?.end ?? start + tokenAt(text, start).length };
}

/** Returns the condition on metadata that begins at `at`. `negated`: it must not hold, which one condition cannot say. */
export function conditionAt(
  text: string,
  at: number,
): { condition: MetadataCondition; negated: boolean; end: number } | undefined {
  const minus = /[-－]/.test(text.charAt(at));
  const [prefix, name] = METADATA_NAME.exec(text.slice(minus ? at + 1 : at, at + MAX_NAME)) ?? [];
  if (prefix === undefined || name === undefined) return undefined;
  const { values, end } = valuesAt(text, at + prefix.length + (minus ? 1 : 0));
  if (values.length === 0) return undefined;
  const condition = typedCondition(name, values, minus);
  if (condition !== undefined) return { condition, negated: false, end };
  return { condition: typedCondition(name, values, false)!, negated: true, end };
}

const FIELD = /^[-－]?(title|heading|标题|章节)[:：]/i;
const PREFIX = /^([\p{L}\p{N}\p{M}_'’]+)\*$/u;
const HAS_WORD = /[\p{L}\p{N}]/u;

/** Returns the condition on words of the title or of a heading that begins at `at`. `negated`: it must not hold. */
export function fieldAt(
  text: string,
  at: number,
): { condition: WordCondition; negated: boolean; end: number } | undefined {
  const [prefix, name] = FIELD.exec(text.slice(at, at + MAX_NAME)) ?? [];
  if (prefix === undefined || name === undefined) return undefined;
  const start = at + prefix.length;
  const quoted = quotedAt(text, start);
  const token = tokenAt(text, start);
  if (!HAS_WORD.test(token)) return undefined;
  const end = quoted?.end ?? start + token.length;
  return {
    condition: {
      ...wordCondition(token, quoted?.inner),
      within: /^(?:title|标题)$/i.test(name) ? "title" : "heading",
      typed: text.slice(at, end).replace(/^[-－]/, ""),
    },
    negated: prefix.length > name.length + 1,
    end,
  };
}

/** Returns the condition of a typed word with a letter or digit. `quoted`: the text in quotes that it is. */
export function wordCondition(typed: string, quoted: string | undefined): WordCondition {
  if (quoted !== undefined) return { kind: "words", words: quoted, form: "exact", typed: `"${quoted}"` };
  const [, beginning] = PREFIX.exec(typed) ?? [];
  if (beginning !== undefined) return { kind: "words", words: beginning, form: "prefix", typed };
  const words = typed.replace(/[^\p{L}\p{N}\p{M}+#]+$/u, "");
  return { kind: "words", words, form: "stem", typed: words };
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
export function exclusionAt(
  text: string,
  at: number,
): { words: string; exact: boolean; end: number } | undefined {
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
export function quotedAt(text: string, at: number): { inner: string; end: number } | undefined {
  const closing = CLOSING[text.charAt(at)];
  if (closing === undefined) return undefined;
  const straight = closing === text.charAt(at);
  if (straight && LATIN.test(text.charAt(at - 1))) return undefined;
  let to = text.indexOf(closing, at + 1);
  while (straight && to >= 0 && LATIN.test(text.charAt(to + 1))) to = text.indexOf(closing, to + 1);
  const inner = text.slice(at + 1, to).trim();
  return to < 0 || !WORDS.test(inner) ? undefined : { inner, end: to + 1 };
}
