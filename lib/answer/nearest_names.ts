import { UserError } from "../errors.ts";
import { type Language, message } from "../messages.ts";
import { quotedAnswer } from "./quoted.ts";

/**
 * Lines that name the files nearest to a wrong path, or the headings nearest to a wrong one, with the mark of quoted names;
 * no lines if the error has no such names.
 */
export function nearestNamesLines(error: unknown, language: Language): string[] {
  const nearest = error instanceof UserError ? String(error.params.nearest ?? "") : "";
  if (nearest === "") return [];
  return quotedAnswer(({ tag, name }) => {
    const names = nearest.split("\0").map(name).join(", ");
    return [message(language, "did_you_mean", { names }), message(language, "quoted_content", { tag })].join(
      "\n",
    );
  }).split("\n");
}
