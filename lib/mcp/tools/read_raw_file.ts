import * as z from "zod";
import { RAW_FILE_DATA, rawFileAnswer } from "../../answer/mod.ts";
import { argument, defineTool, READ_COST } from "../tool.ts";

/** The text of one file, whole or some of its lines. */
export const readRawFile = defineTool({
  name: "read_raw_file",
  cost: READ_COST,
  input: {
    file_path: argument(z.string().min(1), "arg_file_path"),
    start_line: argument(z.int().min(1).optional(), "arg_start_line"),
    end_line: argument(z.int().min(1).optional(), "arg_end_line"),
  },
  output: RAW_FILE_DATA,
  async run(input, { library, language, log }) {
    const { file_path: path, start_line: startLine, end_line: endLine } = input;
    const file = await library.readRawFile(path, {
      ...(startLine !== undefined && { startLine }),
      ...(endLine !== undefined && { endLine }),
    });
    log.info("read", { path: file.path, bytes: file.size, lines: [file.startLine, file.endLine] });
    // Imported here so that the server does not start later because of it.
    const { formatByName } = await import("../../document/mod.ts");
    return rawFileAnswer(file, formatByName(file.path) !== undefined, language);
  },
});
