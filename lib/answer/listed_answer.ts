import { type Language, message } from "../messages.ts";
import type { TextAnswer } from "./answer.ts";
import { quotedAnswer, quotedText, type Quotes } from "./quoted.ts";
import { untrusted } from "./untrusted.ts";

/** The parts of an answer whose text is a first line, a quoted text, and lines after it. */
export interface ListedAnswer<Data> {
  readonly data: Data;
  /** The first lines. Names of files in them must be quoted. */
  readonly head: (quotes: Quotes) => readonly string[];
  /** The quoted text; empty if nothing but names in the first lines is quoted. */
  readonly text: string;
  readonly after?: readonly string[];
}

/** A successful answer of these parts, marked as quoting files. */
export function listedAnswer<Data extends object>(
  { data, head, text, after = [] }: ListedAnswer<Data>,
  language: Language,
): TextAnswer<Data & { readonly "untrusted_content": string }> {
  return {
    code: 200,
    message: message(language, "read_ok"),
    data: untrusted(data, language),
    text: quotedAnswer((quotes) => {
      const before = head(quotes);
      if (text !== "") return quotedText(quotes, language, { before, text, after });
      const lines = [...before, ...after].join("\n");
      // Only names are quoted, if anything.
      if (!lines.includes(`</${quotes.tag}>`)) return lines;
      return [...before, message(language, "quoted_content", { tag: quotes.tag }), ...after].join("\n");
    }),
  };
}
