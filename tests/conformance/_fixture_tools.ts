/** Tools that the official test suite expects from a server that is tested. */
import {
  fromJsonSchema,
  type McpServer,
  type ServerContext,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { PIXEL, text } from "./_fixture_content.ts";

/** The schema that the scenario `json-schema-2020-12` wants to find unchanged in the list of tools. */
const JSON_SCHEMA_2020_12 = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

const NUMBERED = (names: readonly string[]) => names.map((title, at) => ({ const: `value${at + 1}`, title }));

const pause = (ms = 50) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Registers the tools with a server. */
export function registerFixtureTools(server: McpServer, bus: ServerEventBus): void {
  const tool = (name: string, run: (context: ServerContext) => unknown) =>
    server.registerTool(
      name,
      { description: `Fixture ${name}` },
      ((context: ServerContext) => run(context)) as never,
    );
  registerContent(tool);
  registerInteraction(server, tool);
  server.registerTool(
    "json_schema_2020_12_tool",
    {
      description: "Tool with JSON Schema 2020-12 features",
      inputSchema: fromJsonSchema(JSON_SCHEMA_2020_12 as never),
    },
    () => text("done"),
  );
  server.registerTool("test_x_mcp_header", {
    description: "Fixture with a parameter that is also a header",
    inputSchema: fromJsonSchema({
      type: "object",
      properties: { region: { type: "string", "x-mcp-header": "Region" } },
      required: ["region"],
    } as never),
  }, () => text("done"));
  tool("test_trigger_tool_change", () => {
    bus.publish({ kind: "tools_list_changed" });
    return text("changed");
  });
  tool("test_trigger_prompt_change", () => {
    bus.publish({ kind: "prompts_list_changed" });
    return text("changed");
  });
}

type RegisterTool = (name: string, run: (context: ServerContext) => unknown) => void;

function registerContent(tool: RegisterTool): void {
  const image = { type: "image", data: PIXEL, mimeType: "image/png" };
  tool("test_simple_text", () => text("This is a simple text response for testing."));
  tool("test_image_content", () => ({ content: [image] }));
  tool("test_audio_content", () => ({
    content: [{
      type: "audio",
      data: "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=",
      mimeType: "audio/wav",
    }],
  }));
  tool("test_embedded_resource", () => ({
    content: [{
      type: "resource",
      resource: {
        uri: "test://embedded-resource",
        mimeType: "text/plain",
        text: "This is an embedded resource content.",
      },
    }],
  }));
  tool("test_multiple_content_types", () => ({
    content: [
      { type: "text", text: "Multiple content types test:" },
      image,
      {
        type: "resource",
        resource: {
          uri: "test://mixed-content-resource",
          mimeType: "application/json",
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }));
  tool("test_error_handling", () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
}

function registerInteraction(server: McpServer, tool: RegisterTool): void {
  tool("test_tool_with_logging", async ({ mcpReq }) => {
    await mcpReq.log("info", "Tool execution started");
    await pause();
    await mcpReq.log("info", "Tool processing data");
    await pause();
    await mcpReq.log("info", "Tool execution completed");
    return text("logged");
  });
  tool("test_logging_tool", async ({ mcpReq }) => {
    await mcpReq.log("info", "logged");
    return text("logged");
  });
  tool("test_tool_with_progress", async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress, total: 100 },
        });
      }
      if (progress < 100) await pause();
    }
    return text("done");
  });
  tool("test_reconnection", async ({ http }) => {
    http?.closeSSE?.();
    await pause(100);
    return text("Reconnection test completed successfully");
  });
  // Requests to the client name the call that they belong to. Otherwise the SDK sends them on the stream of the session, and
  // loses them if the client has not opened it yet.
  server.registerTool(
    "test_sampling",
    { description: "Fixture test_sampling", inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const answer = await mcpReq.requestSampling({
        messages: [{ role: "user", content: { type: "text", text: prompt } }],
        maxTokens: 100,
      }, { relatedRequestId: mcpReq.id });
      return text(`LLM response: ${JSON.stringify(answer.content)}`);
    },
  );
  server.registerTool(
    "test_elicitation",
    { description: "Fixture test_elicitation", inputSchema: z.object({ message: z.string() }) },
    async ({ message }, { mcpReq }) => {
      const { action, content } = await mcpReq.elicitInput({
        message,
        requestedSchema: {
          type: "object",
          properties: {
            username: { type: "string", description: "User's response" },
            email: { type: "string", description: "User's email address" },
          },
          required: ["username", "email"],
        },
      }, { relatedRequestId: mcpReq.id });
      return text(`User response: action=${action}, content=${JSON.stringify(content)}`);
    },
  );
  const elicit = (name: string, properties: Record<string, unknown>) =>
    tool(name, async ({ mcpReq }) => {
      const { action, content } = await mcpReq.elicitInput({
        message: "Please fill in",
        requestedSchema: { type: "object", properties, required: [] } as never,
      }, { relatedRequestId: mcpReq.id });
      return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`);
    });
  elicit("test_elicitation_sep1034_defaults", {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  });
  const options = ["option1", "option2", "option3"];
  elicit("test_elicitation_sep1330_enums", {
    untitledSingle: { type: "string", enum: options },
    titledSingle: { type: "string", oneOf: NUMBERED(["First Option", "Second Option", "Third Option"]) },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: options } },
    titledMulti: {
      type: "array",
      items: { anyOf: NUMBERED(["First Choice", "Second Choice", "Third Choice"]) },
    },
  });
}
