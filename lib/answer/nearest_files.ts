import { UserError } from "../errors.ts";
import { type Language, message } from "../messages.ts";
import { quotedAnswer } from "./quoted.ts";

/** Lines that name the files nearest to a wrong path, with the mark of quoted names; none if the error names no files. */
export function nearestFilesLines(error: unknown, language: Language): string[] {
  const nearest = error instanceof UserError ? String(error.params.nearest ?? "") : "";
  if (nearest === "") return [];
  return quotedAnswer(({ tag, name }) => {
    const paths = nearest.split("\0").map(name).join(", ");
    return [message(language, "did_you_mean", { paths }), message(language, "quoted_content", { tag })].join(
      "\n",
    );
  }).split("\n");
}
