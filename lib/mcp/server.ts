import { type JSONRPCRequest, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { message, printable } from "../messages.ts";
import { consoleToStderr } from "./_console.ts";
import { registerTool } from "./_register_tool.ts";
import { StdioTransport } from "./_stdio.ts";
import type { ToolContext } from "./tool.ts";
import { TOOLS } from "./tools/mod.ts";

/** Sum of the costs of all requests in progress, until their answers are written. */
const CAPACITY = 64;

const MAX_LINE_BYTES = 16 * 1024 * 1024;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** The official clients close the connection when 10 MiB lie in their buffer. They read at most 64 KiB at once. */
const MAX_ANSWER_BYTES = 10 * 1024 * 1024 - 128 * 1024;

/**
 * Milliseconds that requests in progress may still take after the client closed the input. The official clients kill a
 * server 2 s after they closed its input, and running updates of indexes need 300 ms of them to stop.
 */
const GRACE_MS = 1200;

/** Subscriptions of one client. The list of tools never changes, so a client gains nothing by more. */
const MAX_SUBSCRIPTIONS = 16;

/** Options of {@linkcode serveMcp}. */
export interface ServeOptions extends ToolContext {
  /** The program's version, sent to the client. */
  readonly version: string;
  /** The client's messages. Default: stdin. */
  readonly input?: ReadableStream<Uint8Array>;
  /** The answers to the client. Nothing else may write to it while the server runs. Default: stdout. */
  readonly output?: WritableStream<Uint8Array>;
  /** Stops the server when it aborts. */
  readonly signal?: AbortSignal;
}

/**
 * Serves the tools over the library until the client closes the input, stops reading the output, or the signal aborts.
 * Searches in progress are then aborted. The library stays open. The caller must end the process, because a pending read of
 * stdin can keep it alive.
 *
 * Supports the protocol revisions 2024-10-07 to 2025-11-25 by `initialize`, and 2026-07-28 by `server/discover`.
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
      maxAnswerBytes: maxAnswerBytes(options.config.original_mb),
      graceMs: GRACE_MS,
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
  for (const tool of TOOLS) registerTool(server, options, tool);
  return server;
}

/** A user who allows larger files to `get_document_original` has a client that takes longer lines. Base64 adds a third. */
function maxAnswerBytes(originalMb: number): number {
  return Math.max(MAX_ANSWER_BYTES, Math.ceil(originalMb * 1_000_000 / 3) * 4 + 64 * 1024);
}

/** The cost of a request. A subscription has none: it stays unanswered as long as it lives. */
function requestCost({ method, params }: JSONRPCRequest): number {
  if (method === "subscriptions/listen") return 0;
  if (method !== "tools/call") return 1;
  return TOOLS.find(({ name }) => name === params?.name)?.cost ?? 1;
}
