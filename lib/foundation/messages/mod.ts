/** All texts that the program shows to people, in Chinese and English, and the function that fills in their parameters. */
import { ASKING } from "./asking.ts";
import { CHECKS } from "./checks.ts";
import { CLIENTS } from "./clients.ts";
import { COMMAND_LINE } from "./command_line.ts";
import { CONFIG } from "./config.ts";
import { DOCUMENTS } from "./documents.ts";
import { FOLDERS } from "./folders.ts";
import { GENERATION } from "./generation.ts";
import { INDEXING } from "./indexing.ts";
import { LANGUAGE } from "./language.ts";
import { MCP } from "./mcp.ts";
import { MODELS } from "./models.ts";
import { PAGES } from "./pages.ts";
import { PEOPLE } from "./people.ts";
import { SEARCH } from "./search.ts";
import { filled, type MessageParams, setTexts, START } from "./start.ts";
import { STORE } from "./store.ts";
import type { Language, Texts } from "./texts.ts";
import { TRACES } from "./traces.ts";
import { WHY_NOT } from "./why_not.ts";
export {
  languageOfText,
  pageList,
  placeList,
  printable,
  printableJson,
  printableText,
  printableToml,
  shellWord,
  suggestedCommand,
  suggestWithConfiguration,
} from "./texts.ts";

export type { Language, MessageParams };

/** All texts that the program shows to people, by key. */
export const MESSAGES = {
  ...ASKING,
  ...CHECKS,
  ...CLIENTS,
  ...COMMAND_LINE,
  ...CONFIG,
  ...DOCUMENTS,
  ...FOLDERS,
  ...GENERATION,
  ...INDEXING,
  ...LANGUAGE,
  ...MCP,
  ...MODELS,
  ...PAGES,
  ...PEOPLE,
  ...SEARCH,
  ...START,
  ...STORE,
  ...TRACES,
  ...WHY_NOT,
} satisfies Texts;

setTexts(MESSAGES);

export type MessageKey = keyof typeof MESSAGES;

/** Returns the text of `key` in `language`, with its parameters in braces. */
export function messageText(language: Language, key: MessageKey): string {
  return MESSAGES[key][language === "zh" ? 0 : 1];
}

/** A part of a message: a key and its parameters, which may be parts as well. */
export interface Phrase {
  readonly key: MessageKey;
  readonly params?: Readonly<Record<string, string | number | Phrase>>;
}

/**
 * Returns the text of `key` in `language`. Each `{name}` is replaced by `params.name`, each `{name!}` by `params.name` as
 * one word of a command line, and each `{name|one|several}` by the first word if `params.name` is 1, otherwise by the
 * second. `{-c}` stands for the option of the configuration file that the command line names.
 *
 * ```ts
 * import { message } from "./mod.ts";
 * import { equal } from "node:assert/strict";
 *
 * equal(message("en", "cli_files_listed", { count: 1 }), "1 file");
 * equal(message("zh", "cli_files_listed", { count: 2 }), "共 2 个");
 * ```
 */
export function message(language: Language, key: MessageKey, params: MessageParams = {}): string {
  return filled(messageText(language, key), params);
}

/** The text of a phrase. */
export function phraseText(language: Language, { key, params = {} }: Phrase): string {
  const texts = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === "object" ? phraseText(language, value) : value,
  ]);
  return message(language, key, Object.fromEntries(texts));
}
