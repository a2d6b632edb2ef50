import * as z from "zod";
import { type Language, message } from "../messages.ts";
import type { TextAnswer } from "./answer.ts";
import { quotedAnswer } from "./quoted.ts";
import { untrusted } from "./untrusted.ts";

/** Shape of `data` in the answer of `reembed_document`. */
export const REEMBEDDED_DATA = z.looseObject({
  file_path: z.string(),
  chunks: z.int(),
  models: z.array(z.string()),
  refused: z.int(),
});

/** The answer with the number of new vectors of a document. */
export function reembeddedAnswer(
  path: string,
  { chunks, models, refused, warnings = [] }: {
    readonly chunks: number;
    readonly models: readonly string[];
    readonly refused: number;
    readonly warnings?: readonly string[];
  },
  language: Language,
): TextAnswer<z.output<typeof REEMBEDDED_DATA>> {
  return {
    code: 200,
    message: message(language, "cli_done"),
    data: untrusted({
      file_path: path,
      chunks,
      models: [...models],
      refused,
      ...(warnings.length > 0 && { warnings: [...warnings] }),
    }, language),
    text: quotedAnswer((quotes) =>
      [
        message(language, "reembedded_summary", {
          path: quotes.name(path),
          chunks,
          models: models.join(", "),
          refused: refused === 0 ? "" : message(language, "reembedded_refused", { count: refused }),
        }),
        ...warnings,
      ].join("\n")
    ),
  };
}
