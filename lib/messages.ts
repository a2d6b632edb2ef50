import { BOUNDARY } from "./messages/boundary.ts";
import { COMMAND_LINE } from "./messages/command_line.ts";
import { CONFIG } from "./messages/config.ts";
import { CONTRACT } from "./messages/contract.ts";
import { CORPUS } from "./messages/corpus.ts";
import { DOCTOR } from "./messages/doctor.ts";
import { DOCUMENTS } from "./messages/documents.ts";
import { EMBEDDING } from "./messages/embedding.ts";
import { EVAL_COMMAND } from "./messages/eval_command.ts";
import { EVALUATE } from "./messages/evaluate.ts";
import { HELP } from "./messages/help.ts";
import { INGEST } from "./messages/ingest.ts";
import { KINDS } from "./messages/kinds.ts";
import { PROGRESS } from "./messages/progress.ts";
import { SEARCH } from "./messages/search.ts";
import { SECRETS } from "./messages/secrets.ts";
import { SETUP } from "./messages/setup.ts";
import { SUMMARY } from "./messages/summary.ts";
import type { Language, Texts } from "./messages/texts.ts";

export { pageList } from "./messages/page_list.ts";
export { placeList } from "./messages/place_list.ts";
export { printable, printableJson, printableText, printableToml } from "./messages/printable.ts";

export type { Language };

/** Values put into a message where its text says `{name}`. */
export type MessageParams = Record<string, string | number>;

/** Every text the program says to a person. */
export const MESSAGES = {
  ...CONTRACT,
  ...CONFIG,
  ...SECRETS,
  ...BOUNDARY,
  ...CORPUS,
  ...INGEST,
  ...DOCUMENTS,
  ...EMBEDDING,
  ...SEARCH,
  ...EVALUATE,
  ...COMMAND_LINE,
  ...PROGRESS,
  ...SUMMARY,
  ...KINDS,
  ...EVAL_COMMAND,
  ...DOCTOR,
  ...SETUP,
  ...HELP,
} satisfies Texts;

/** The name of a message. */
export type MessageKey = keyof typeof MESSAGES;

/**
 * The text of `key` in `language`, with every `{name}` replaced by `params.name`, and every `{name|one|several}` by the first
 * word where `params.name` is 1, else by the second.
 */
export function message(language: Language, key: MessageKey, params: MessageParams = {}): string {
  return MESSAGES[key][language].replace(
    /\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}/g,
    (whole, name: string, one?: string, several?: string) => {
      if (!(name in params)) return whole;
      return String(one === undefined ? params[name] : params[name] === 1 ? one : several);
    },
  );
}
