/**
 * The list of the tools as a client sees it, and the way of a call: its arguments as models write them,
 * the tool, the answer in the client's form within its budget.
 */
import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  type ListToolsResult,
  LOG_LEVEL_META_KEY,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { type AnswerShape, hintsOf, nearestNamesLines } from "#library/answer/mod.ts";
import { TOOL_NAMES } from "#foundation/configuration/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { MAX_QUERY_CHARS } from "#foundation/constants.ts";
import { type Language, message, type MessageKey, printable } from "#foundation/messages/mod.ts";
import type { Notes } from "./connected_client.ts";
import { failureMessage } from "./errors.ts";
import { Turns } from "./guard_connection.ts";
import { progressOf, type Tool, type ToolAnswer, type ToolContext, type ToolInput } from "./tool.ts";
import { abilitiesOf, type ListedTool, offeredTool, toolsFor } from "./tools/mod.ts";
import { isRecord, readArguments } from "./tool_arguments.ts";

/** A tool whose code is loaded. */
interface LoadedTool {
  readonly listed: ListedTool;
  readonly tool: Tool;
  readonly input: z.ZodObject<ToolInput>;
}

/** The first revision with links to resources. */
const FIRST_WITH_LINKS = "2025-06-18";

/** The tools that `mcp.tools` offers, for all server instances of a process. */
export class ToolDesk {
  readonly #context: ToolContext;
  /** The calls of all tools and server instances. */
  readonly #turns = new Turns();
  readonly #tools: Promise<ReadonlyMap<string, LoadedTool>>;
  #list: ListToolsResult | undefined;

  /** Loads the code of the tools. */
  constructor(context: ToolContext) {
    this.#context = context;
    this.#tools = loadTools(context);
  }

  /** Answers `tools/list`. The first call makes the schemas, which takes long. */
  async list(): Promise<ListToolsResult> {
    const tools = await this.#tools;
    return this.#list ??= { tools: Array.from(tools.values(), (tool) => entryOf(tool, this.#context)) };
  }

  /**
   * Answers `tools/call`. Every answer is `{code, message, data}`: 200 with data, or 500 with the reason in the user's
   * language and `data: null`, for wrong arguments too. `hints` say what to do, in words that the contract's messages do not
   * have; they are in the text as well. An unexpected error is logged; the client only learns that it happened.
   */
  async call(
    { server }: McpServer,
    { name, arguments: args }: { readonly name: string; readonly arguments?: unknown },
    call: ServerContext,
  ): Promise<CallToolResult> {
    const context = this.#context;
    const { language, config } = context;
    const loaded = (await this.#tools).get(name);
    if (loaded === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${name} not found`);
    }
    const { signal } = call.mcpReq;
    const extractedReader = offeredTool("extracted", config.tools);
    using _notes = notesDuring(call, context.notes);
    try {
      await this.#turns.next();
      // The SDK calls handlers of requests that were cancelled meanwhile.
      signal.throwIfAborted();
      const shape = answerShape(config.answer, clientName(call) ?? server.getClientVersion()?.name);
      const { args: known, ignored } = readArguments(loaded.input, args, language);
      const answer = await loaded.tool.run(known, {
        ...context,
        shape,
        links: (server.getNegotiatedProtocolVersion() ?? "") >= FIRST_WITH_LINKS,
        extractedReader,
        progress: progressOf(call.mcpReq),
        traceParent: traceParentIn(call.mcpReq._meta),
      }, signal);
      return toResult(withHint(answer, ignored), shape, config.answer !== "text");
    } catch (error) {
      // The SDK sends nothing for a cancelled request, whatever its handler returns.
      if (signal.aborted) return { content: [], isError: true };
      const reason = failureMessage(name, error, context);
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
        structuredContent: { code: 500, message: reason, data: null, ...(hints.length > 0 && { hints }) },
        isError: true,
      };
    }
  }
}

/**
 * Returns the `traceparent` in the `_meta` of a request (SEP-414), as W3C's trace context defines it: version, trace, span and flags,
 * with more after them in a later version. An invalid one counts as absent.
 */
function traceParentIn(meta: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const value = meta?.["traceparent"];
  if (typeof value !== "string") return undefined;
  const parts = /^(?!ff)([0-9a-f]{2})-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/.exec(
    value,
  );
  if (parts === null) return undefined;
  const [, version, more] = parts;
  if (version === "00" && more !== undefined) return undefined;
  return value.slice(0, "00-".length + 32 + 1 + 16 + 1 + 2);
}

async function loadTools(context: ToolContext): Promise<ReadonlyMap<string, LoadedTool>> {
  const tools = toolsFor(context.config.tools, abilitiesOf(context)).map(async (listed) => {
    const tool = await listed.load();
    return [listed.name, { listed, tool, input: z.object(tool.input) }] as const;
  });
  return new Map(await Promise.all(tools));
}

/** A tool in the list of a client, in the user's language. */
function entryOf(
  { listed: { name, writes }, tool, input }: LoadedTool,
  context: ToolContext,
): ListToolsResult["tools"][number] {
  const { language, config } = context;
  const title = message(language, `${name}_title`);
  const output = z.object({
    // 200 or 500.
    code: z.int(),
    message: z.string(),
    data: tool.output.nullable(),
    // `hints` may follow. It is not declared, because each tool's schema would cost every model its tokens.
  });
  return {
    name,
    title,
    description: descriptionOf(name, context),
    inputSchema: { type: "object", ...inputJsonSchema(input, language) },
    annotations: {
      title,
      readOnlyHint: writes !== true,
      // By the protocol they have no meaning for a tool that only reads, and they would cost tokens.
      ...(writes === true && { destructiveHint: false, idempotentHint: true }),
      openWorldHint: false,
    },
    ...(config.answer !== "text" && {
      outputSchema: { type: "object" as const, ...jsonSchema(output, "output") },
    }),
  };
}

/** The description of a tool, without sentences that name a tool that `mcp.tools` leaves out. */
function descriptionOf(
  name: ListedTool["name"],
  context: ToolContext,
): string {
  const { language, config } = context;
  const offered = new Set<string>(toolsFor(config.tools, abilitiesOf(context)).map(({ name }) => name));
  // "ask" is a word as well.
  const absent = TOOL_NAMES.filter((name) => name.includes("_") && !offered.has(name));
  const sentences = message(language, `${name}_description`).split(/(?<=[.。] ?)(?=\p{Lu}|\p{Script=Han})/u);
  return sentences.filter((sentence) => !absent.some((name) => sentence.includes(name))).join("").trim();
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

/** The JSON schema without `$schema`: validators of older clients know draft 7 only, and throw at any other name. */
function jsonSchema(schema: z.ZodType, io: "input" | "output"): Record<string, unknown> {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, override: (node) => simplify(node, io) });
  return json;
}

/**
 * Removes what tells a model nothing: bounds that it never meets, that numbers count from 0 or 1, that a text is not empty, that answers have
 * no other fields, and that an object may have any. Arguments are checked with all of it.
 */
function simplify(
  { jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema },
  io: "input" | "output",
): void {
  if (io === "output") delete jsonSchema.additionalProperties;
  if (io === "input" && Object.keys(jsonSchema.properties ?? { "": 0 }).length === 0) {
    delete jsonSchema.properties;
    delete jsonSchema.additionalProperties;
  }
  if (jsonSchema.maximum !== undefined && jsonSchema.maximum >= FAR) delete jsonSchema.maximum;
  if (jsonSchema.minimum !== undefined && jsonSchema.minimum <= 1) delete jsonSchema.minimum;
  if (jsonSchema.minLength === 1) delete jsonSchema.minLength;
  if (jsonSchema.maxLength === MAX_QUERY_CHARS) delete jsonSchema.maxLength;
}

/** No model asks for as much. */
const FAR = 1_000_000;

/** The answer with a hint, in its text as well. */
function withHint(answer: ToolAnswer<unknown>, hint: string | undefined): ToolAnswer<unknown> {
  if (hint === undefined) return answer;
  return { ...answer, text: `${answer.text}\n\n${printable(hint)}`, hints: [...answer.hints ?? [], hint] };
}

/** The result of a call: complete as data for programs, and a short text for clients that pass both on to a model. */
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

/** An entry of the envelope that revision 2026-07-28 sends with each request. */
function fromEnvelope({ mcpReq: { envelope } }: ServerContext, key: string): unknown {
  return (envelope as Record<string, unknown> | undefined)?.[key];
}

function clientName(call: ServerContext): string | undefined {
  const info = fromEnvelope(call, CLIENT_INFO_META_KEY);
  const name: unknown = isRecord(info) ? info["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}

/** Whether a request asks for messages while it is served. */
function wantsNotes(call: ServerContext): boolean {
  return fromEnvelope(call, LOG_LEVEL_META_KEY) !== undefined;
}

/** Sends the messages that come while a request is served to its client, from the level on that the request names. */
function notesDuring(call: ServerContext, notes: Notes | undefined): Disposable {
  const stop = notes === undefined || !wantsNotes(call)
    ? () => {}
    : notes.subscribe(({ level, text }) => void call.mcpReq.log(level, text, "muxue_rag").catch(() => {}));
  return { [Symbol.dispose]: stop };
}
