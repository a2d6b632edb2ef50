import * as z from "zod";
import { type Language, message } from "../messages.ts";

/** The field that marks `data` as quoting files. A client may give a model the structured answer alone, without the text. */
export const UNTRUSTED = { "untrusted_content": z.string().optional() };

/** `data` with that field, before all others. */
export function untrusted<Data extends object>(
  data: Data,
  language: Language,
): Data & { readonly untrusted_content: string } {
  return { untrusted_content: message(language, "content_untrusted"), ...data };
}
