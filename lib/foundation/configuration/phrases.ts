/** Phrases and problems of a configuration as texts. A start without a remark about its configuration has none. */
import { type Language, message, type MessageParams } from "#foundation/messages/mod.ts";
import type { Phrase, Problem } from "./given_value.ts";

/** The text of a phrase. */
export function phraseText(language: Language, phrase: Phrase): string {
  const params: MessageParams = {};
  for (const [name, value] of Object.entries(phrase.params ?? {})) {
    params[name] = typeof value === "object" ? phraseText(language, value) : value;
  }
  return message(language, phrase.key, params);
}

/** A problem as one line: position, key and text. */
export function problemLine(language: Language, { position, path, phrase }: Problem): string {
  const text = phraseText(language, phrase);
  return path === ""
    ? message(language, "config_file_problem", { place: position.text, text })
    : message(language, "config_problem", { place: position.text, key: path, text });
}
