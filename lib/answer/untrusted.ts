import * as z from "zod";
import { type Language, message } from "../messages.ts";

/** The mark that `data` with texts of files bears: clients may show a model nothing but the structured answer. */
export const UNTRUSTED = { "untrusted_content": z.string().optional() };

/** `data` with the mark, ahead of the texts. */
export function untrusted<Data extends object>(
  language: Language,
  data: Data,
): Data & { readonly untrusted_content: string } {
  return { untrusted_content: message(language, "content_untrusted"), ...data };
}
