import { BOUNDARY } from "./messages/boundary.ts";
import { COLLECTIONS } from "./messages/collections.ts";
import { COMMAND_LINE } from "./messages/command_line.ts";
import { COMPLETIONS } from "./messages/completions.ts";
import { CONFIG } from "./messages/config.ts";
import { CONTRACT } from "./messages/contract.ts";
import { CORPUS } from "./messages/corpus.ts";
import { DOCTOR } from "./messages/doctor.ts";
import { DOCUMENTS } from "./messages/documents.ts";
import { EMBEDDING } from "./messages/embedding.ts";
import { EVALUATE } from "./messages/evaluate.ts";
import { FOLDERS } from "./messages/folders.ts";
import { HELP } from "./messages/help.ts";
import { INGEST } from "./messages/ingest.ts";
import { KINDS } from "./messages/kinds.ts";
import { MODELS } from "./messages/models.ts";
import { NEURAL } from "./messages/neural.ts";
import { PROTOCOL } from "./messages/protocol.ts";
import { RERANK } from "./messages/rerank.ts";
import { RECOGNITION } from "./messages/recognition.ts";
import { SEARCH } from "./messages/search.ts";
import { SECRETS } from "./messages/secrets.ts";
import { SERVE } from "./messages/serve.ts";
import { SETUP } from "./messages/setup.ts";
import { shellWord } from "./messages/shell_word.ts";
import { configurationOption } from "./messages/suggested_command.ts";
import { SUMMARY } from "./messages/summary.ts";
import { TOOL_ANSWERS } from "./messages/tool_answers.ts";
import { TOOLS } from "./messages/tools.ts";
import { UNINSTALL } from "./messages/uninstall.ts";
import { VERIFY } from "./messages/verify.ts";
import type { Language, Texts } from "./messages/texts.ts";

export { pageList, placeList } from "./messages/lists.ts";
export { shellWord } from "./messages/shell_word.ts";
export { suggestedCommand, suggestWithConfiguration } from "./messages/suggested_command.ts";
export { printable, printableJson, printableText, printableToml } from "./messages/printable.ts";

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

/**
 * Returns the text of `key` in `language`. Each `{name}` is replaced by `params.name`, each `{name!}` by `params.name` as
 * one word of a command line, and each `{name|one|several}` by the first word if `params.name` is 1, otherwise by the
 * second. `{-c}` stands for the option of the configuration file that the command line names.
 *
 * ```ts
 * import { message } from "./messages.ts";
 * import { equal } from "node:assert/strict";
 *
 * equal(message("en", "cli_files_listed", { count: 1 }), "1 file");
 * equal(message("zh", "cli_files_listed", { count: 2 }), "共 2 个");
 * ```
 */
export function message(language: Language, key: MessageKey, params: MessageParams = {}): string {
  return MESSAGES[key][language].replace(
    /\{(-c|\w+)(?:(!)|\|([^|}]*)\|([^|}]*))?\}/g,
    (whole, name: string, isWord?: string, one?: string, several?: string) => {
      if (name === "-c") return configurationOption();
      if (!(name in params)) return whole;
      if (isWord !== undefined) return shellWord(String(params[name]));
      return String(one === undefined ? params[name] : params[name] === 1 ? one : several);
    },
  );
}
