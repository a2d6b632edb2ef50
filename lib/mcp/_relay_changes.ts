import type { McpServer, ServerEvent, ServerEventBus } from "@modelcontextprotocol/server";
import { clientOf, type ConnectedClient } from "./_connected_client.ts";

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
