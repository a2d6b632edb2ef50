/**
 * From a call of a tool to its answer in the client's form, within its budget.
 */
import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  type McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
  type ToolAnnotations,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { type AnswerShape, errorMessage, hintsOf, nearestNamesLines } from "#library/answer/mod.ts";
import { type Config, TOOL_NAMES } from "#foundation/configuration/mod.ts";
import { reasonOf, UserError } from "#foundation/errors.ts";
import { type Language, message, type MessageKey, printable } from "#foundation/messages/mod.ts";
import { isSystemError } from "#foundation/boundary/mod.ts";
import { keepCapacity, type Turns } from "./guard_connection.ts";
import { progressOf, type Tool, type ToolAnswer, type ToolContext, type ToolInput } from "./tool.ts";
import { readArguments } from "./read_arguments.ts";
import { toolsFor } from "./tools/mod.ts";
import type { Notes } from "./notes.ts";

/** The first revision with links to resources. */
const FIRST_WITH_LINKS = "2025-06-18";

/** A tool as clients see it. All server instances of a process share it, because its schemas take long to make. */
export interface DeclaredTool {
  readonly tool: Tool;
  readonly input: z.ZodObject<ToolInput>;
  /** The calls of all tools and server instances. */
  readonly turns: Turns;
  /** Its entry in the list of tools. */
  readonly declaration: {
    readonly title: string;
    readonly description: string;
    readonly inputSchema: Schema;
    readonly outputSchema?: Schema;
    readonly annotations: ToolAnnotations;
  };
}

type Schema = StandardSchemaWithJSON<unknown, unknown>;

/** Makes the declaration of a tool for the user's language. Its JSON schemas are made when the first client needs them. */
export function declareTool(tool: Tool, { language, config }: ToolContext, turns: Turns): DeclaredTool {
  const title = message(language, `${tool.name}_title`);
  const input = z.object(tool.input);
  const output = z.object({
    code: z.literal([200, 500]),
    message: z.string(),
    data: tool.output.nullable(),
    // `hints` may follow. It is not declared, because each tool's schema would cost every model its tokens.
  });
  const declaration = {
    title,
    description: descriptionOf(tool, { language, config }),
    inputSchema: unchecked(() => inputJsonSchema(input, language)),
    ...(config.answer !== "text" && { outputSchema: unchecked(() => jsonSchema(output, "output")) }),
    annotations: {
      title,
      readOnlyHint: tool.writes !== true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
  return { tool, input, declaration, turns };
}

/** The description of a tool, without sentences that name a tool that `mcp.tools` leaves out. */
function descriptionOf(
  { name }: Tool,
  { language, config }: Pick<ToolContext, "language" | "config">,
): string {
  const offered = new Set<string>(toolsFor(config.tools).map(({ name }) => name));
  const absent = TOOL_NAMES.filter((name) => !offered.has(name));
  const sentences = message(language, `${name}_description`).split(/(?<=[.。] ?)(?=\p{Lu}|\p{Script=Han})/u);
  return sentences.filter((sentence) => !absent.some((name) => sentence.includes(name))).join("").trim();
}

/**
 * Registers a tool with the server. Every answer is `{code, message, data}`: 200 with data, or 500 with the reason in the
 * user's language and `data: null`, for wrong arguments too. `hints` say what to do, in words that the contract's messages
 * do not have; they are in the text as well. An unexpected error is logged; the client only learns that it
 * happened.
 */
export function registerTool(
  server: McpServer,
  context: ToolContext,
  { tool, input, declaration, turns }: DeclaredTool,
): void {
  const { language, config } = context;
  const extractedReader = offeredTool("extracted", config.tools);
  server.registerTool(tool.name, declaration, async (args, call): Promise<CallToolResult> => {
    const { signal, envelope } = call.mcpReq;
    using _capacity = keepCapacity(server, call.mcpReq);
    using _notes = notesDuring(call, context.notes);
    try {
      await turns.next();
      // The SDK calls handlers of requests that were cancelled meanwhile.
      signal.throwIfAborted();
      const shape = answerShape(
        config.answer,
        clientName(envelope) ?? server.server.getClientVersion()?.name,
      );
      const { args: known, ignored } = readArguments(input, args, language);
      const answer = await tool.run(known, {
        ...context,
        shape,
        links: takesLinks(server),
        extractedReader,
        progress: progressOf(call.mcpReq),
      }, signal);
      return toResult(withHint(answer, ignored), shape, config.answer !== "text");
    } catch (error) {
      // The SDK sends nothing for a cancelled request, whatever its handler returns.
      if (signal.aborted) return { content: [], isError: true };
      const reason = failureMessage(tool.name, error, context);
      // The answer says what is wrong with a call. Only what nobody expected is worth a message beside it.
      if (!(error instanceof UserError) && wantsNotes(call)) {
        await call.mcpReq.log("warning", reason, "muxue_rag").catch(() => {});
      }
      const hints = [
        ...(await hintsOf(error, language, extractedReader)).map(printable),
        ...nearestNamesLines(error, language),
      ];
      return {
        content: [{ type: "text", text: [printable(reason), ...hints].join("\n") }],
        structuredContent: {
          code: 500,
          message: reason,
          data: null,
          ...(hints.length > 0 && { hints }),
        },
        isError: true,
      };
    }
  });
}

/** Whether the client knows links to resources, which clients of the revisions before them refuse as an unknown content. */
function takesLinks({ server }: McpServer): boolean {
  return (server.getNegotiatedProtocolVersion() ?? "") >= FIRST_WITH_LINKS;
}

/** The answer with a hint, in its text as well. */
function withHint(answer: ToolAnswer<unknown>, hint: string | undefined): ToolAnswer<unknown> {
  if (hint === undefined) return answer;
  return { ...answer, text: `${answer.text}\n\n${printable(hint)}`, hints: [...answer.hints ?? [], hint] };
}

/**
 * The result of a call. The structured answer is complete for every client, because programs read it too. A client that passes it on
 * to its model gets a short text beside it.
 */
function toResult(
  { text, more = [], ...answer }: ToolAnswer<unknown>,
  shape: AnswerShape,
  hasSchema: boolean,
): CallToolResult {
  return {
    content: [{ type: "text", text: shape === "structured" ? answer.message : text }, ...more],
    ...(hasSchema && { structuredContent: { ...answer } }),
  };
}

/** Logs the error and returns the message for the client. */
function failureMessage(tool: string, error: unknown, { language, log }: ToolContext): string {
  if (error instanceof UserError) {
    log.warning(`${tool}_refused`, { key: error.key, ...error.params });
    return errorMessage(error, language);
  }
  log.error(`${tool}_failed`, {
    error: error instanceof Error ? error.stack ?? error.message : String(error),
  });
  if (isSystemError(error)) return message(language, "cli_system_error", { detail: reasonOf(error) });
  return message(language, "internal_error");
}

/**
 * A JSON schema for the client without the SDK's check of values. The SDK would answer a wrong argument in its own words and
 * not in the shape of the contract.
 */
function unchecked(make: () => Record<string, unknown>): Schema {
  let made: Record<string, unknown> | undefined;
  const json = () => made ??= make();
  return {
    "~standard": {
      version: 1,
      vendor: "muxue_rag",
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: json, output: json },
    },
  };
}

/** The JSON schema of a tool's arguments. Their descriptions are message keys, which become texts here. */
function inputJsonSchema(schema: z.ZodObject<ToolInput>, language: Language): Record<string, unknown> {
  const json = jsonSchema(schema, "input");
  const properties = json.properties as Record<string, { description?: string }>;
  for (const [name, property] of Object.entries(properties)) {
    // Rarely used arguments without a description are accepted, but cost no tokens in every client.
    if (property.description === undefined) delete properties[name];
    else property.description = message(language, property.description as MessageKey);
  }
  return json;
}

/**
 * The JSON schema without `$schema`: validators of older clients know draft 7 only and throw at any other name, and
 * the parts of JSON Schema that are used here are the same in all drafts.
 */
function jsonSchema(schema: z.ZodType, io: "input" | "output"): Record<string, unknown> {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, override: (node) => simplify(node, io) });
  return json;
}

/** Removes what tells a model nothing: the bounds ±(2^53 - 1) of every integer, and that answers have no other fields. */
function simplify(
  { jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema },
  io: "input" | "output",
): void {
  if (io === "output") delete jsonSchema.additionalProperties;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

/**
 * Clients by a beginning of the name that they send, in lower case, and the part of an answer that they give a model. The
 * guide's page `mcp-clients.md` has the same table. A client that passes on both parts gets the structured one, beside which
 * the text is short.
 */
export const CLIENTS: readonly (readonly [name: string, shape: AnswerShape])[] = [
  ["claude-code", "structured"],
  ["codex", "structured"],
  ["cursor", "structured"],
  ["github-copilot", "structured"],
  ["visual studio code", "structured"],
  ["claude-ai", "text"],
  ["cline", "text"],
  ["gemini-cli", "text"],
  ["goose", "text"],
  ["hermes", "text"],
  ["kimi", "text"],
  ["opencode", "text"],
  ["qwen-cli", "text"],
  ["windsurf", "text"],
  ["zed", "text"],
];

/** The shape of the answers for a client: that of the configuration, or what is known of the client, or both forms. */
function answerShape(setting: AnswerShape | "auto", client: string | undefined): AnswerShape {
  if (setting !== "auto") return setting;
  const name = client?.trim().toLowerCase() ?? "";
  return CLIENTS.find(([beginning]) => name.startsWith(beginning))?.[1] ?? "both";
}

/** The client's name in the envelope of a request, which revision 2026-07-28 sends with each. */
function clientName(envelope: object | undefined): string | undefined {
  const info: unknown = (envelope as Record<string, unknown> | undefined)?.[CLIENT_INFO_META_KEY];
  const name: unknown = typeof info === "object" && info !== null && "name" in info ? info.name : undefined;
  return typeof name === "string" ? name : undefined;
}

/** Whether a request asks for messages while it is served, as requests of revision 2026-07-28 can. */
function wantsNotes({ mcpReq: { envelope } }: ServerContext): boolean {
  return (envelope as Record<string, unknown> | undefined)?.[LOG_LEVEL_META_KEY] !== undefined;
}

/** Sends the messages that come while a request is served to its client, from the level on that the request names. */
function notesDuring(call: ServerContext, notes: Notes | undefined): Disposable {
  const stop = notes === undefined || !wantsNotes(call)
    ? () => {}
    : notes.subscribe(({ level, text }) => void call.mcpReq.log(level, text, "muxue_rag").catch(() => {}));
  return { [Symbol.dispose]: stop };
}

/** Tools for a purpose, the most suitable first. */
const CHOICES = {
  search: ["search_rag", "query_knowledge_hub", "search_by_keyword", "search_by_semantic"],
  read: ["get_document_content", "read_documents", "read_raw_file"],
  extracted: ["get_document_content", "read_documents"],
  list: ["list_documents", "index_status", "list_collections"],
} as const;

/** The name of the most suitable tool for a purpose among those that `mcp.tools` offers; `undefined` if there is no such tool. */
export function offeredTool(
  purpose: keyof typeof CHOICES,
  wanted: Config["mcp"]["tools"],
): string | undefined {
  const offered = new Set<string>(toolsFor(wanted).map(({ name }) => name));
  return CHOICES[purpose].find((name) => offered.has(name));
}

/** The same where a text needs a name in any case. */
export function toolFor(purpose: keyof typeof CHOICES, wanted: Config["mcp"]["tools"]): string {
  return offeredTool(purpose, wanted) ?? CHOICES[purpose][0];
}
