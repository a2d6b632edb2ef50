/** All texts that the program shows to people, in Chinese and English, and the function that fills in their parameters. */
import { BOUNDARY, COLLECTIONS, CORPUS, FOLDERS } from "./folders.ts";
import { COMMAND_LINE, COMPLETIONS, HELP } from "./command_line.ts";
import { CONFIG, SECRETS } from "./config.ts";
import { CONTRACT, RERANK, SEARCH } from "./search.ts";
import { DOCTOR, EVALUATE, VERIFY } from "./checks.ts";
import { DOCUMENTS, KINDS, RECOGNITION } from "./documents.ts";
import { EMBEDDING, MODELS, NEURAL } from "./models.ts";
import { INGEST, SUMMARY } from "./indexing.ts";
import { PROTOCOL, TOOL_ANSWERS, TOOLS } from "./mcp.ts";
import { SERVE, SETUP, UNINSTALL } from "./clients.ts";
import { configurationOption, type Language, shellWord, type Texts } from "./texts.ts";
export {
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

export type { Language };

/** Values for the parameters `{name}` of a message. */
export type MessageParams = Record<string, string | number>;

/** All texts that the program shows to people, by key. */
export const MESSAGES = {
  ...CONTRACT,
  ...CONFIG,
  ...COLLECTIONS,
  ...SECRETS,
  ...BOUNDARY,
  ...CORPUS,
  ...INGEST,
  ...DOCUMENTS,
  ...EMBEDDING,
  ...RECOGNITION,
  ...NEURAL,
  ...MODELS,
  ...RERANK,
  ...SEARCH,
  ...TOOLS,
  ...TOOL_ANSWERS,
  ...PROTOCOL,
  ...EVALUATE,
  ...COMMAND_LINE,
  ...FOLDERS,
  ...SUMMARY,
  ...KINDS,
  ...DOCTOR,
  ...VERIFY,
  ...SERVE,
  ...SETUP,
  ...UNINSTALL,
  ...COMPLETIONS,
  ...HELP,
} satisfies Texts;

export type MessageKey = keyof typeof MESSAGES;

/** Returns the text of `key` in `language`, with its parameters in braces. */
export function messageText(language: Language, key: MessageKey): string {
  return MESSAGES[key][language === "zh" ? 0 : 1];
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
  return messageText(language, key).replace(
    /\{(-c|\w+)(?:(!)|\|([^|}]*)\|([^|}]*))?\}/g,
    (whole, name: string, isWord?: string, one?: string, several?: string) => {
      if (name === "-c") return configurationOption();
      if (!(name in params)) return whole;
      if (isWord !== undefined) return shellWord(String(params[name]));
      return String(one === undefined ? params[name] : params[name] === 1 ? one : several);
    },
  );
}
