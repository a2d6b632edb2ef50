import { LANGUAGES } from "../config/mod.ts";
import type { Language } from "../messages.ts";
import type { Io } from "./io.ts";

/**
 * The language that the command line or `MUXUE_RAG_LANGUAGE` asks for; `undefined` without one. It is read leniently and
 * before the rest is parsed, so that errors are reported in it.
 */
export function languageAskedFor(argv: readonly string[], env: Io["env"]): Language | undefined {
  for (const [at, argument] of argv.entries()) {
    if (argument === "--") break;
    const value = argument === "--language" ? argv[at + 1] : /^--language=(.*)$/s.exec(argument)?.[1];
    const language = languageNamed(value);
    if (language !== undefined) return language;
  }
  return languageNamed(env["MUXUE_RAG_LANGUAGE"]);
}

function languageNamed(value: string | undefined): Language | undefined {
  return LANGUAGES.find((language) => language === value);
}
