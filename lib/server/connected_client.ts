/**
 * What a connected client wants to hear: subscriptions, log levels, changes.
 */
import type { LoggingLevel, McpServer, ServerEvent, ServerEventBus } from "@modelcontextprotocol/server";
import { UserError } from "#foundation/errors.ts";
import { folderNamed, parseResourceUri, resourceUri } from "./resources/uri.ts";
import { MESSAGE_LIMITS, protocolError } from "./message_limits.ts";
import type { Notes, ServerNote } from "./notes.ts";
import type { ToolContext } from "./tool.ts";

/** Levels of messages, from most to least verbose. */
const LEVELS: readonly LoggingLevel[] = [
  ...["debug", "info", "notice", "warning"] as const,
  ...["error", "critical", "alert", "emergency"] as const,
];

/** Whether a message of a level is to be sent where a client asked for messages from `least` on. */
function isWanted({ level }: ServerNote, least: LoggingLevel): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(least);
}

/** The requests of the client of a connection that hold until it ends, in the revisions with `initialize`. */
class ConnectedClient {
  /** The lowest level of messages to send, until `logging/setLevel` sets another. */
  level: LoggingLevel = "warning";
  /** For each document, the URIs by which the client has subscribed to it. */
  readonly #subscriptions = new Map<string, Set<string>>();

  /** The URIs by which the client knows a document that it has subscribed to. */
  urisOf(uri: string): Iterable<string> {
    return this.#subscriptions.get(uri) ?? [];
  }

  /** Begins to tell the client about a document. Throws `UserError`. */
  subscribe(uri: string, canonical: string): void {
    const given = this.#subscriptions.get(canonical) ?? new Set();
    if (!given.has(uri)) {
      const { subscriptions, subscribedChars } = MESSAGE_LIMITS;
      const { count, chars } = this.#size;
      if (count >= subscriptions) {
        throw new UserError("resource_too_many_subscriptions", { limit: subscriptions });
      }
      if (chars + uri.length > subscribedChars) {
        const found = chars + uri.length;
        throw new UserError("resource_subscriptions_too_long", { limit: subscribedChars, found });
      }
    }
    this.#subscriptions.set(canonical, given.add(uri));
  }

  /** Ends it. Does nothing if the client has not subscribed. */
  unsubscribe(uri: string, canonical: string): void {
    const given = this.#subscriptions.get(canonical);
    given?.delete(uri);
    if (given?.size === 0) this.#subscriptions.delete(canonical);
  }

  get #size(): { readonly count: number; readonly chars: number } {
    let count = 0, chars = 0;
    for (const given of this.#subscriptions.values()) {
      count += given.size;
      for (const { length } of given) chars += length;
    }
    return { count, chars };
  }
}

const CLIENTS = new WeakMap<McpServer, ConnectedClient>();

/** The client of a server instance. */
function clientOf(server: McpServer): ConnectedClient {
  const client = CLIENTS.get(server) ?? new ConnectedClient();
  CLIENTS.set(server, client);
  return client;
}

/** Answers the requests by which a client subscribes to resources. */
export function registerSubscriptions(server: McpServer, context: ToolContext): void {
  const client = clientOf(server);
  const canonicalOf = (uri: string) => {
    const address = parseResourceUri(uri);
    const folder = address && folderNamed(address.collection, context.library.collections);
    if (address === undefined || folder === undefined) throw new UserError("resource_not_found", { uri });
    return resourceUri(folder.name, address.path);
  };
  for (const change of ["subscribe", "unsubscribe"] as const) {
    server.server.setRequestHandler(`resources/${change}`, async ({ params: { uri } }) => {
      try {
        client[change](uri, canonicalOf(uri));
        return {};
      } catch (error) {
        throw await protocolError(error, `resources/${change}`, context, uri);
      }
    });
  }
}

/** Answers the requests by which a client chooses the level of messages. */
export function registerLogging(server: McpServer): void {
  const client = clientOf(server);
  server.server.setRequestHandler("logging/setLevel", ({ params: { level } }) => {
    client.level = level;
    return {};
  });
}

/** Sends messages to the client of a lasting connection, from now until the connection ends. */
export function relayNotes(server: McpServer, notes: Notes): void {
  const client = clientOf(server);
  const stop = notes.subscribe((note) => {
    if (!isWanted(note, client.level)) return;
    const params = { level: note.level, logger: "muxue_rag", data: note.text };
    void server.server.notification({ method: "notifications/message", params }).catch(() => {});
  });
  const closed = server.server.onclose;
  server.server.onclose = () => {
    stop();
    closed?.();
  };
}

/**
 * Tells the client of a lasting connection about changes, from now until the connection ends. In the revisions with
 * `initialize` (`era` `legacy`) it has subscribed to some resources; in the other the SDK knows what it has asked for.
 */
export function relayChanges(server: McpServer, changes: ServerEventBus, era: "legacy" | "modern"): void {
  const client = era === "legacy" ? clientOf(server) : undefined;
  const stop = changes.subscribe((event) => void tell(server, event, client).catch(() => {}));
  const closed = server.server.onclose;
  server.server.onclose = () => {
    stop();
    closed?.();
  };
}

async function tell(
  { server }: McpServer,
  event: ServerEvent,
  client: ConnectedClient | undefined,
): Promise<void> {
  const { tools, prompts, resources } = server.getCapabilities();
  switch (event.kind) {
    case "tools_list_changed":
      return tools?.listChanged ? await server.sendToolListChanged() : undefined;
    case "prompts_list_changed":
      return prompts?.listChanged ? await server.sendPromptListChanged() : undefined;
    case "resources_list_changed":
      return resources?.listChanged ? await server.sendResourceListChanged() : undefined;
    case "resource_updated":
      if (!resources?.subscribe) return;
      for (const uri of client?.urisOf(event.uri) ?? [event.uri]) await server.sendResourceUpdated({ uri });
  }
}
