import { basename } from "node:path";
import type { McpServer, Resource } from "@modelcontextprotocol/server";
import { UserError } from "../../errors.ts";
import { message } from "../../messages.ts";
import { keepCapacity } from "../_guard_connection.ts";
import { protocolError } from "../_protocol_error.ts";
import type { ToolContext } from "../tool.ts";
import { documentList, type ListedResource, uriOf } from "./document_list.ts";
import { readResource, textTypeOf } from "./read_resource.ts";
import { URI_TEMPLATE } from "./uri.ts";

/** Resources in one answer: about 100 kB. */
const PAGE = 500;

/** Answers the requests for resources: every indexed document is one. */
export function registerResources(mcp: McpServer, context: ToolContext): void {
  const { server } = mcp;
  const { library, language } = context;
  server.setRequestHandler("resources/list", async ({ params }) => {
    try {
      const list = await documentList(library);
      const { cursor } = params ?? {};
      const page = list.after(cursor, PAGE + 1);
      if (page === undefined) throw new UserError("list_cursor_unknown");
      const shown = page.slice(0, PAGE);
      return {
        resources: shown.map(resourceOf),
        ...(page.length > PAGE && { nextCursor: uriOf(shown.at(-1)!) }),
      };
    } catch (error) {
      throw await protocolError(error, "resources/list", context);
    }
  });
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{
      name: "document",
      title: message(language, "resource_template_title"),
      description: message(language, "resource_template_about"),
      uriTemplate: URI_TEMPLATE,
    }],
  }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }, { mcpReq }) => {
    using _capacity = keepCapacity(mcp, mcpReq);
    try {
      return await readResource(uri, context, mcpReq.signal);
    } catch (error) {
      throw await protocolError(error, "resources/read", context, uri);
    }
  });
}

function resourceOf(document: ListedResource): Resource {
  const { path, title, format, size, mtimeMs } = document.file;
  return {
    uri: uriOf(document),
    name: path,
    title: title ?? basename(path),
    mimeType: textTypeOf(path, format),
    // Of a document that is converted, the size says nothing about its text.
    ...(format === undefined && { size }),
    annotations: { lastModified: new Date(mtimeMs).toISOString() },
  };
}
