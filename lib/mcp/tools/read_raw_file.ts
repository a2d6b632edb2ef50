import * as z from "zod";
import { DECLARED_RAW_DATA, fittedText, rawFileAnswer } from "../../answer/mod.ts";
import { answerLimit, argument, defineTool, MAX_TOKENS, READ_COST, READ_TOKENS } from "../tool.ts";
import { withReadProgress } from "./_read_progress.ts";

/** The text of one file, whole or some of its lines, up to `mcp.max_read_chars`. */
export const readRawFile = defineTool({
  name: "read_raw_file",
  isDefault: true,
  cost: READ_COST,
  input: {
    file_path: argument(z.string().min(1), "arg_file_path"),
    start_line: argument(z.int().min(1).optional(), "arg_start_line"),
    start_column: argument(z.int().min(1).optional(), "arg_start_column"),
    end_line: argument(z.int().min(1).optional(), "arg_end_line"),
    ...MAX_TOKENS,
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
    const answer = fittedText(
      (chars) => rawFileAnswer(rawPart(file, chars, startColumn), kind, language),
      ({ data }) => data.raw_content,
      config.max_read_chars,
      answerLimit(call, input.max_tokens, READ_TOKENS),
    );
    const { start_line: first, end_line: last } = answer.data;
    log.info("read", { path: file.path, bytes: file.size, lines: [first, last] });
    return answer;
  },
});
