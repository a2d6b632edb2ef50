import * as z from "zod";
import { type AnswerShape, DECLARED_RAW_DATA, fittedText, rawFileAnswer } from "../../answer/mod.ts";
import { answerLimit, argument, defineTool, MAX_TOKENS_OR_ALL, READ_COST, READ_TOKENS } from "../tool.ts";
import { withReadProgress } from "./_read_progress.ts";

/**
 * Most bytes of an answer, both forms together. Official clients close the connection to a server at 10 MiB; the rest is for what is
 * around the text.
 */
const MAX_BYTES = 9.5 * 1024 * 1024;

/** The text of one file: whole, some of its lines, or as much as fits an answer of up to `mcp.max_read_chars`. */
export const readRawFile = defineTool({
  name: "read_raw_file",
  isDefault: true,
  cost: READ_COST,
  input: {
    file_path: argument(z.string().min(1), "arg_file_path"),
    start_line: argument(z.int().min(1).optional(), "arg_start_line"),
    // An answer that needs it names it.
    start_column: z.int().min(1).optional(),
    end_line: argument(z.int().min(1).optional(), "arg_end_line"),
    ...MAX_TOKENS_OR_ALL,
  },
  output: DECLARED_RAW_DATA,
  async run(input, call, signal) {
    const { library, language, log, config } = call;
    const { file_path: path, start_line: startLine, end_line: endLine, start_column: startColumn } = input;
    const range = {
      ...(startLine !== undefined && { startLine }),
      ...(endLine !== undefined && { endLine }),
    };
    const file = await withReadProgress(library.readRawFile(path, range, signal), path, call);
    // The search modules are imported with the library, after the server has answered the client's first requests.
    const { rawPart } = await import("../../search/mod.ts");
    const { formatByName } = await import("../../document/mod.ts");
    const kind = { isConverted: formatByName(file.path) !== undefined, read: call.extractedReader };
    const limit = answerLimit(call, input.max_tokens, READ_TOKENS);
    const isWhole = input.max_tokens === 0;
    const make = (chars: number) =>
      rawFileAnswer(rawPart(file, chars, startColumn), { ...kind, isWhole }, language);
    const answer = isWhole && limit.maxTokens === Infinity
      ? withinBytes(make, file.text.length, call.shape)
      : fittedText(make, ({ data }) => data.raw_content, config.max_read_chars, limit);
    const { start_line: first, end_line: last } = answer.data;
    log.info("read", { path: file.path, bytes: file.size, lines: [first, last] });
    return answer;
  },
});

/** The answer with as much of a text as a client can take in one message. */
function withinBytes<Answer extends { readonly text: string }>(
  make: (chars: number) => Answer,
  length: number,
  shape: AnswerShape,
): Answer {
  for (let chars = length;;) {
    const answer = make(chars);
    const { text, ...structured } = answer;
    const sent = JSON.stringify(structured) + (shape === "structured" ? "" : JSON.stringify(text));
    // A UTF-16 unit has at most three bytes.
    const bytes = sent.length * 3 <= MAX_BYTES ? 0 : new TextEncoder().encode(sent).length;
    if (bytes <= MAX_BYTES) return answer;
    chars = Math.floor(chars * 0.98 * MAX_BYTES / bytes);
  }
}
