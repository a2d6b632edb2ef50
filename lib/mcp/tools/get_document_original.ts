import { pathToFileURL } from "node:url";
import * as z from "zod";
import { quotedAnswer } from "../../answer/mod.ts";
import { UserError } from "../../errors.ts";
import { message } from "../../messages.ts";
import { argument, defineTool, READ_COST } from "../tool.ts";
import { mediaTypeOf } from "../_media_type.ts";

/** The bytes of a file as an embedded resource, up to `mcp.original_mb`. */
export const getDocumentOriginal = defineTool({
  name: "get_document_original",
  isDefault: true,
  cost: READ_COST,
  input: { file_path: argument(z.string().min(1), "arg_file_path") },
  output: z.object({
    file_info: z.looseObject({ file_path: z.string(), media_type: z.string() }),
  }),
  async run({ file_path: asked }, { library, language, log, config }, signal) {
    const maxBytes = config.original_mb * 1_000_000;
    const { bytes, path, name, size, modified } = await library.readOriginal(asked, maxBytes, signal).catch(
      ofThisTool,
    );
    const type = mediaTypeOf(name);
    log.info("read_original", { path, bytes: size });
    const ok = message(language, "read_ok");
    return {
      code: 200,
      message: ok,
      data: {
        file_info: {
          file_path: path,
          file_name: name,
          file_size: size,
          modify_time: modified.toISOString(),
          media_type: type,
        },
      },
      text: quotedAnswer((quotes) =>
        message(language, "original_given", { message: ok, path: quotes.name(path), type, size })
      ),
      more: [{
        type: "resource",
        resource: { uri: pathToFileURL(path).href, mimeType: type, blob: bytes.toBase64() },
      }],
    };
  },
});

/** Rethrows the error for a large file with the setting that limits this tool. */
function ofThisTool(error: unknown): never {
  const isTooLarge = error instanceof UserError && error.key === "file_too_large";
  throw isTooLarge ? new UserError("original_too_large", error.params, { cause: error }) : error;
}
