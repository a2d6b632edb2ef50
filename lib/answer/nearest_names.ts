import { UserError } from "../errors.ts";
import { type Language, message } from "../messages.ts";
import { quotedAnswer } from "./quoted.ts";

/**
 * A hint with the files nearest to a wrong path, or the headings nearest to a wrong one, and on a second line the mark of
 * quoted names; no hint if the error has no such names.
 */
export function nearestNamesLines(error: unknown, language: Language): string[] {
  const nearest = error instanceof UserError ? String(error.params.nearest ?? "") : "";
  if (nearest === "") return [];
  const hint = quotedAnswer(({ tag, name }) => {
    const names = nearest.split("\0").map(name).join(", ");
    return `${message(language, "did_you_mean", { names })}\n${message(language, "quoted_content", { tag })}`;
  });
  return [hint];
}
