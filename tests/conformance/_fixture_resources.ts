/** Resources and prompts that the official test suite expects from a server that is tested. */
import { completable, type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import * as z from "zod";
import { PIXEL } from "./_fixture_content.ts";

/** Registers the resources and the prompts with a server. */
export function registerFixtureResources(server: McpServer): void {
  server.server.registerCapabilities({ logging: {}, resources: { subscribe: true, listChanged: true } });
  const plain = { mimeType: "text/plain" };
  server.registerResource("static-text", "test://static-text", plain, ({ href: uri }) => ({
    contents: [{ uri, ...plain, text: "This is the content of the static text resource." }],
  }));
  server.registerResource("watched", "test://watched-resource", plain, ({ href: uri }) => ({
    contents: [{ uri, ...plain, text: "watched" }],
  }));
  server.registerResource(
    "static-binary",
    "test://static-binary",
    { mimeType: "image/png" },
    ({ href: uri }) => ({
      contents: [{ uri, mimeType: "image/png", blob: PIXEL }],
    }),
  );
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { mimeType: "application/json" },
    ({ href: uri }, { id }) => ({
      contents: [{
        uri,
        mimeType: "application/json",
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      }],
    }),
  );
  server.server.setRequestHandler("resources/subscribe", () => ({}));
  server.server.setRequestHandler("resources/unsubscribe", () => ({}));
  registerPrompts(server);
}

function registerPrompts(server: McpServer): void {
  const user = (content: unknown) => ({
    role: "user" as const,
    content: content as { type: "text"; text: string },
  });
  const says = (text: string) => user({ type: "text", text });
  server.registerPrompt("test_simple_prompt", { description: "Fixture" }, () => ({
    messages: [says("This is a simple prompt for testing.")],
  }));
  const completed = completable(
    z.string().describe("First test argument"),
    (value) => ["paris", "park", "party"].filter((word) => word.startsWith(value)),
  );
  server.registerPrompt("test_prompt_with_arguments", {
    description: "Fixture",
    argsSchema: z.object({ arg1: completed, arg2: z.string().describe("Second test argument") }),
  }, ({ arg1, arg2 }) => ({ messages: [says(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }));
  server.registerPrompt("test_prompt_with_embedded_resource", {
    description: "Fixture",
    argsSchema: z.object({ resourceUri: z.string().describe("URI of the resource to embed") }),
  }, ({ resourceUri: uri }) => ({
    messages: [
      user({
        type: "resource",
        resource: { uri, mimeType: "text/plain", text: "Embedded resource content for testing." },
      }),
      says("Please process the embedded resource above."),
    ],
  }));
  server.registerPrompt("test_prompt_with_image", { description: "Fixture" }, () => ({
    messages: [
      user({ type: "image", data: PIXEL, mimeType: "image/png" }),
      says("Please analyze the image above."),
    ],
  }));
}
