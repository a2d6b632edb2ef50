import * as z from "zod";
import { RAW_FILE_DATA, rawFileAnswer } from "../../answer/mod.ts";
import { argument, defineTool, READ_COST } from "../tool.ts";

/** The text of one file, whole or some of its lines, up to `mcp.max_read_chars`. */
export const readRawFile = defineTool({
  name: "read_raw_file",
  cost: READ_COST,
  input: {
    file_path: argument(z.string().min(1), "arg_file_path"),
    start_line: argument(z.int().min(1).optional(), "arg_start_line"),
    start_column: argument(z.int().min(1).optional(), "arg_start_column"),
    end_line: argument(z.int().min(1).optional(), "arg_end_line"),
  },
  output: RAW_FILE_DATA,
  async run(input, { library, language, log, config }) {
    const { file_path: path, start_line: startLine, end_line: endLine, start_column: startColumn } = input;
    const file = await library.readRawFile(path, {
      ...(startLine !== undefined && { startLine }),
      ...(endLine !== undefined && { endLine }),
    });
    // The search modules are imported with the library, after the server has answered the client's first requests.
    const { rawPart } = await import("../../search/mod.ts");
    const part = rawPart(file, config.max_read_chars, startColumn);
    log.info("read", { path: part.path, bytes: part.size, lines: [part.startLine, part.endLine] });
    const { formatByName } = await import("../../document/mod.ts");
    return rawFileAnswer(part, formatByName(file.path) !== undefined, language);
  },
});
