import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { relayNotes } from "./_connected_client.ts";
import { consoleToStderr } from "./_console.ts";
import { createServer, declareTools, type ServerParts } from "./_create_server.ts";
import { CAPACITY, requestCost } from "./_request_cost.ts";
import { relayChanges } from "./_relay_changes.ts";
import { splitEras } from "./_split_eras.ts";
import { StdioTransport } from "./_stdio.ts";

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
export interface ServeOptions extends ServerParts {
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
 * Supports the protocol revisions 2024-10-07 to 2025-11-25 by `initialize`, and 2026-07-28, each request by its own `_meta`.
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
  const eras = splitEras(transport);
  const tools = declareTools(options);
  const serve = (era: keyof typeof eras) =>
    serveStdio(() => {
      const server = createServer(options, tools);
      if (options.changes !== undefined) relayChanges(server, options.changes, era);
      if (options.notes !== undefined && era === "legacy") relayNotes(server, options.notes);
      return server;
    }, {
      transport: eras[era],
      legacy: era === "legacy" ? "serve" : "reject",
      maxSubscriptions: MAX_SUBSCRIPTIONS,
      onerror: (error) => options.log.debug("mcp_error", { error: error.message }),
    });
  const connections = [serve("legacy"), serve("modern")];
  const stop = () => connections.forEach((connection) => void connection.close());
  options.signal?.addEventListener("abort", stop);
  if (options.signal?.aborted) stop();
  await transport.ended;
  options.signal?.removeEventListener("abort", stop);
}

/** A user who allows larger files to `get_document_original` has a client that takes longer lines. Base64 adds a third. */
function maxAnswerBytes(originalMb: number): number {
  return Math.max(MAX_ANSWER_BYTES, Math.ceil(originalMb * 1_000_000 / 3) * 4 + 64 * 1024);
}
