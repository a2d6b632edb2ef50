import { type JSONRPCRequest, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { message, printable } from "../messages.ts";
import { consoleToStderr } from "./_console.ts";
import { StdioTransport } from "./stdio.ts";
import type { ToolContext } from "./tools/_tool.ts";
import { addExplainSearch } from "./tools/explain_search.ts";
import { addGetDocumentContent } from "./tools/get_document_content.ts";
import { addGetDocumentOriginal } from "./tools/get_document_original.ts";
import { addListDocumentSections } from "./tools/list_document_sections.ts";
import { addReadRawFile } from "./tools/read_raw_file.ts";
import { addSearchRag } from "./tools/search_rag.ts";

/** Requests in hand at once, until their answers are written. */
const CAPACITY = 64;

/** A file may be 100 MB: two at once are enough. */
const READ_COST = 32;
const READERS = new Set([
  "read_raw_file",
  "get_document_content",
  "get_document_original",
  "list_document_sections",
]);

const MAX_LINE_BYTES = 16 * 1024 * 1024;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** How long a client that has closed stdin waits for its answers, unless told otherwise. */
const GRACE_MS = 400;

/** Nothing we offer ever changes, so nobody gains by more. */
const MAX_SUBSCRIPTIONS = 16;

/** How {@linkcode serveMcp} is started. */
export interface ServeOptions extends ToolContext {
  /** The program's version, told to the client. */
  readonly version: string;
  /** The client's messages. Default: stdin. */
  readonly input?: ReadableStream<Uint8Array>;
  /** The answers to the client; nobody else may write to it meanwhile. Default: stdout. */
  readonly output?: WritableStream<Uint8Array>;
  /** Ends the serving. */
  readonly signal?: AbortSignal;
  /** After the client closed the input, how long answers to requests in hand may still take, in milliseconds. Default: 400. */
  readonly graceMs?: number;
}

/**
 * Serves the tools over the library until the client closes the input, stops taking
 * output, or the signal aborts; then searches in hand are aborted. The library stays open. Whoever
 * called ends the process: a pending read of stdin can hold it.
 *
 * Revisions 2024-10-07 to 2025-11-25 by `initialize`, and 2026-07-28 by `server/discover`.
 */
export async function serveMcp(options: ServeOptions): Promise<void> {
  using _console = consoleToStderr();
  const transport = new StdioTransport(
    options.input ?? Deno.stdin.readable,
    options.output ?? Deno.stdout.writable,
    {
      maxLineBytes: MAX_LINE_BYTES,
      capacity: CAPACITY,
      maxWaitingBytes: MAX_WAITING_BYTES,
      graceMs: options.graceMs ?? GRACE_MS,
      cost: requestCost,
    },
  );
  const connection = serveStdio(() => createServer(options), {
    transport,
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    onerror: (error) => options.log.debug("mcp_error", { error: error.message }),
  });
  const stop = () => void connection.close();
  options.signal?.addEventListener("abort", stop);
  if (options.signal?.aborted) stop();
  await transport.ended;
  options.signal?.removeEventListener("abort", stop);
}

function createServer(options: ServeOptions): McpServer {
  const { language, library, version } = options;
  const roots = library.roots.map(printable).join(language === "zh" ? "、" : ", ") ||
    message(language, "mcp_no_roots");
  const server = new McpServer(
    { name: "muxue_rag", title: message(language, "mcp_title"), version },
    {
      capabilities: { tools: { listChanged: false } },
      instructions: message(language, "mcp_instructions", { roots }),
    },
  );
  addSearchRag(server, options);
  addReadRawFile(server, options);
  addGetDocumentContent(server, options);
  addGetDocumentOriginal(server, options);
  addListDocumentSections(server, options);
  addExplainSearch(server, options);
  return server;
}

/** A subscription stays unanswered as long as it lives, so it cannot count. */
function requestCost(request: JSONRPCRequest): number {
  if (request.method === "subscriptions/listen") return 0;
  return request.method === "tools/call" && READERS.has(String(request.params?.name)) ? READ_COST : 1;
}
