import { join } from "node:path";
import type { ReadResourceResult } from "@modelcontextprotocol/server";
import { fittedText } from "../../answer/mod.ts";
import { UserError } from "../../errors.ts";
import { message } from "../../messages.ts";
import { folderNamed } from "../_collections.ts";
import { mediaTypeOf } from "../_media_type.ts";
import { answerLimit, READ_TOKENS, type ToolContext } from "../tool.ts";
import { type LineSpan, parseResourceUri, resourceUri } from "./uri.ts";

/** Media types of texts that do not begin with `text/`. */
const OTHER_TEXTS = /[/+](?:json|xml)$/;

/** Media type of the text of a document. `format`: name of the format that a loader read. */
export function textTypeOf(name: string, format: string | undefined): string {
  if (format !== undefined && format !== "text") return "text/markdown";
  const type = mediaTypeOf(name);
  return type.startsWith("text/") || OTHER_TEXTS.test(type) ? type : "text/plain";
}

/**
 * The text of a document as it is indexed, or the lines that the URI names. A text that is longer than one answer may be is
 * cut; a second part has the URI of the rest. Throws `UserError` `resource_not_found` for a URI of no document, and what
 * {@linkcode Library.readDocument} throws.
 */
export async function readResource(
  uri: string,
  context: ToolContext,
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  const { library, language, log, config } = context;
  const address = parseResourceUri(uri);
  const folder = address && folderNamed(address.collection, library.collections);
  if (address === undefined || folder === undefined) throw new UserError("resource_not_found", { uri });
  const served = await library.readDocument(join(folder.root, address.path), signal);
  // The search modules are imported with the library, after the server has answered the client's first requests.
  const { documentPart } = await import("../../search/mod.ts");
  const { startLine, endLine } = served.cited ?? {};
  const cited = startLine === undefined || endLine === undefined
    ? undefined
    : { start: startLine, end: endLine };
  const { start, end, column }: LineSpan = address.lines ?? cited ?? {};
  const request = {
    ...(start !== undefined && { startLine: start }),
    ...(end !== undefined && { endLine: end }),
    ...(column !== undefined && { startColumn: column }),
  };
  const partOf = (chars: number) => {
    const part = documentPart(served.document, request, chars, served.path);
    const { nextLine, nextColumn } = part;
    const next = nextLine === undefined ? undefined : resourceUri(folder.name, address.path, {
      start: nextLine,
      ...(nextColumn !== undefined && { column: nextColumn }),
      ...(end !== undefined && { end }),
    });
    const notice = next === undefined ? "" : message(language, "resource_continues", {
      start: part.startLine,
      end: part.endLine,
      total: part.totalLines,
      uri: next,
    });
    return { code: 200 as const, message: "", data: null, part, next, notice, text: part.text + notice };
  };
  const limit = answerLimit({ ...context, shape: "text" }, undefined, READ_TOKENS);
  const { part, next, notice } = fittedText(
    partOf,
    (answer) => answer.part.text,
    config.max_read_chars,
    limit,
  );
  log.info("read_resource", { path: served.path, lines: [part.startLine, part.endLine] });
  const type = textTypeOf(served.name, served.format);
  return {
    contents: [
      { uri, mimeType: type, text: part.text },
      ...(next === undefined ? [] : [{ uri: next, mimeType: "text/plain", text: notice }]),
    ],
  };
}
