/**
 * Records an assistant's session on the guide with an official client and the real program: list, search, read, cite, write a new
 * file, search again. Writes `examples/session.md` and `examples/session.zh-CN.md`; a test compares them with a new recording.
 *
 *     deno run -A --config deno.dev.json scripts/transcript.ts
 */
import type { Language } from "#foundation/messages/mod.ts";
import { recordSession } from "./transcript/session.ts";

/** The page of each language. */
export const SESSION_PAGES: Readonly<Record<Language, string>> = {
  en: "examples/session.md",
  zh: "examples/session.zh-CN.md",
};

if (import.meta.main) {
  for (const [language, page] of Object.entries(SESSION_PAGES)) {
    await Deno.writeTextFile(
      new URL(`../${page}`, import.meta.url),
      await recordSession(language as Language),
    );
  }
}
