import type { McpServer, ServerEvent, ServerEventBus } from "@modelcontextprotocol/server";

/** Tells the client of a lasting connection about changes, from now until the connection ends. */
export function relayChanges(server: McpServer, changes: ServerEventBus): void {
  const stop = changes.subscribe((event) => void tell(server, event).catch(() => {}));
  const closed = server.server.onclose;
  server.server.onclose = () => {
    stop();
    closed?.();
  };
}

async function tell({ server }: McpServer, event: ServerEvent): Promise<void> {
  const { tools, prompts, resources } = server.getCapabilities();
  switch (event.kind) {
    case "tools_list_changed":
      return tools?.listChanged ? await server.sendToolListChanged() : undefined;
    case "prompts_list_changed":
      return prompts?.listChanged ? await server.sendPromptListChanged() : undefined;
    case "resources_list_changed":
      return resources?.listChanged ? await server.sendResourceListChanged() : undefined;
    case "resource_updated":
      return resources?.subscribe ? await server.sendResourceUpdated({ uri: event.uri }) : undefined;
  }
}
