import { type Language, message, type MessageKey, type MessageParams, printable } from "../messages.ts";

/** `message` for a terminal: the names put into it are made {@linkcode printable}. */
export function printableMessage(language: Language, key: MessageKey, params: MessageParams = {}): string {
  const clean = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === "string" ? printable(value) : value,
  ]);
  return message(language, key, Object.fromEntries(clean));
}
