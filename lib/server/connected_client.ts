/**
 * The notices that a connected client has asked for, and how it is told: messages about the server by their level,
 * and changes of the documents that it has subscribed to.
 */
import type { LoggingLevel, McpServer, ServerEvent, ServerEventBus } from "@modelcontextprotocol/server";
import { UserError } from "#foundation/errors.ts";
import { MESSAGE_LIMITS } from "./message_limits.ts";

/** A message about the server for the people who use its clients. */
export interface ServerNote {
  readonly level: Extract<LoggingLevel, "info" | "warning" | "error">;
  /** In the user's language. */
  readonly text: string;
}

/** Passes values on to listeners, which must not throw. The SDK's `InMemoryServerEventBus` would load the SDK at the start. */
export class Publisher<T> {
  readonly #listeners = new Set<(value: T) => void>();

  /** Calls all listeners. */
  publish(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }

  /** Calls `listener` for each value from now on, until the result is called. */
  subscribe(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** Passes messages on to the clients that are connected. */
export class Notes extends Publisher<ServerNote> {}

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
export class ConnectedClient {
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
export function clientOf(server: McpServer): ConnectedClient {
  const client = CLIENTS.get(server) ?? new ConnectedClient();
  CLIENTS.set(server, client);
  return client;
}

/** Sends messages to the client of a lasting connection, from now until the connection ends. */
export function relayNotes(server: McpServer, notes: Notes): void {
  const client = clientOf(server);
  const stop = notes.subscribe((note) => {
    if (!isWanted(note, client.level)) return;
    const params = { level: note.level, logger: "muxue_rag", data: note.text };
    void server.server.notification({ method: "notifications/message", params }).catch(() => {});
  });
  onClose(server, stop);
}

/** Tells a client of changes until it is gone: in `legacy` of those it subscribed to, else of those the SDK knows. */
export function relayChanges(server: McpServer, changes: ServerEventBus, era: "legacy" | "modern"): void {
  const client = era === "legacy" ? clientOf(server) : undefined;
  const stop = changes.subscribe((event) => void tell(server, event, client).catch(() => {}));
  onClose(server, stop);
}

/** Calls `stop` when the connection ends, before the handlers that were set earlier. */
function onClose({ server }: McpServer, stop: () => void): void {
  const closed = server.onclose;
  server.onclose = () => {
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
