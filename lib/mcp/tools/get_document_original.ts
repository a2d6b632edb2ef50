import type { McpServer } from "@modelcontextprotocol/server";
import { pathToFileURL } from "node:url";
import * as z from "zod";
import { message } from "../../messages.ts";
import { mediaTypeOf } from "./_media_type.ts";
import { quotedAnswer } from "../../answer/mod.ts";
import { addTool, type ToolContext } from "./_tool.ts";

const DATA = z.object({
  file_info: z.object({
    file_path: z.string(),
    file_name: z.string(),
    file_size: z.int(),
    modify_time: z.string(),
    media_type: z.string(),
  }),
});

/** Adds `get_document_original`: the bytes of a file as an embedded resource, up to a configured size. */
export function addGetDocumentOriginal(server: McpServer, context: ToolContext): void {
  const { language, library, log, originalBytes } = context;
  addTool(server, context, {
    name: "get_document_original",
    title: message(language, "get_document_original_title"),
    description: message(language, "get_document_original_description"),
    input: z.strictObject({ file_path: z.string().min(1).describe(message(language, "arg_file_path")) }),
    output: DATA,
    async run({ file_path: asked }) {
      const { bytes, path, name, size, modified } = await library.readOriginal(asked, originalBytes);
      const type = mediaTypeOf(name);
      log.info("read_original", { path, bytes: size });
      const ok = message(language, "read_ok");
      return {
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
}
