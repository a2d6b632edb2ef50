import type { CallToolResult, McpServer, StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import * as z from "zod";
import { reasonOf, UserError } from "../../errors.ts";
import type { Log } from "../../log/mod.ts";
import { type Language, message, printable } from "../../messages.ts";
import { isSystemError } from "../../sandbox/mod.ts";
import type { Library } from "../../search/mod.ts";
import { argumentProblems } from "./_argument_problems.ts";

/** The objects that the tools work with. */
export interface ToolContext {
  readonly library: Library;
  readonly language: Language;
  readonly log: Log;
  /** Most UTF-16 units of a document's text in one answer. */
  readonly documentChars: number;
  /** Largest file that is given as it is, in bytes. */
  readonly originalBytes: number;
}

/** Result of a tool: `message` is the contract's sentence, `text` is for a model to read. */
export interface ToolAnswer<Data> {
  readonly message: string;
  readonly data: Data;
  readonly text: string;
  /** Content after the text, such as a file itself. */
  readonly more?: CallToolResult["content"];
}

/** A tool as it is told to the client and called. */
export interface Tool<Input extends Record<string, unknown>, Data extends Record<string, unknown>> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject & z.ZodType<Input>;
  /** Shape of `data` in a successful answer. */
  readonly output: z.ZodType<Data>;
  readonly run: (input: Input, signal: AbortSignal) => Promise<ToolAnswer<Data>>;
}

/**
 * Registers a tool whose every answer is `{code, message, data}`: 200 with data, or 500 with the reason in the
 * user's language and `data: null`, wrong arguments included. A failure nobody foresaw is logged; the client learns
 * only that there was one.
 */
export function addTool<Input extends Record<string, unknown>, Data extends Record<string, unknown>>(
  server: McpServer,
  context: ToolContext,
  tool: Tool<Input, Data>,
): void {
  const envelope = z.object({
    code: z.literal([200, 500]),
    message: z.string(),
    data: tool.output.nullable(),
  });
  server.registerTool(tool.name, {
    title: tool.title,
    description: tool.description,
    inputSchema: unchecked(tool.input),
    outputSchema: unchecked(envelope),
    annotations: {
      title: tool.title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  }, async (args, call) => {
    const { signal } = call.mcpReq;
    try {
      const answer = await tool.run(readArguments(context.language, tool.input, args), signal);
      return result(200, answer.message, answer.data, answer.text, answer.more);
    } catch (error) {
      // The SDK sends nothing for a cancelled request, whatever its handler does.
      if (signal.aborted) return result(500, "", null, "");
      const text = explain(context, tool.name, error);
      return result(500, text, null, [text, ...await hintOf(context, error)].map(printable).join("\n"));
    }
  });
}

function result(
  code: 200 | 500,
  message: string,
  data: unknown,
  text: string,
  more: CallToolResult["content"] = [],
): CallToolResult {
  return {
    content: [{ type: "text", text }, ...more],
    structuredContent: { code, message, data },
    ...(code === 500 && { isError: true }),
  };
}

/** The contract fixes the words of some errors; which folder to process, or that a restart is needed, comes after them. */
async function hintOf({ language }: ToolContext, error: unknown): Promise<string[]> {
  if (!(error instanceof UserError)) return [];
  const { added, path, problem, updating } = error.params;
  const format = error.key === "not_text" && path
    // loaded when it is needed: a server should not start later for it
    ? (await import("../../document/mod.ts")).formatByName(String(path))
    : undefined;
  const hint = problem ? "cli_index_damaged_hint" : "cli_index_missing_hint";
  const toDo = updating ?? (path ? message(language, hint, error.params) : undefined);
  return [
    ...(error.key === "index_not_ready" && toDo !== undefined ? [String(toDo)] : []),
    ...(format === undefined ? [] : [message(language, "read_document_instead", { format })]),
    ...(added ? [message(language, "folders_added", { path: added })] : []),
  ];
}

/** Logs the failure and says it to the client. */
function explain({ language, log }: ToolContext, tool: string, error: unknown): string {
  if (error instanceof UserError) {
    log.warning(`${tool}_refused`, { key: error.key, ...error.params });
    return message(language, error.key, error.params);
  }
  log.error(`${tool}_failed`, {
    error: error instanceof Error ? error.stack ?? error.message : String(error),
  });
  if (isSystemError(error)) return message(language, "cli_system_error", { detail: reasonOf(error) });
  return message(language, "internal_error");
}

/**
 * The arguments, or a {@linkcode UserError} that names every problem. `null` counts as left out: clients that
 * make models fill in every field send it for the optional ones.
 */
function readArguments<Input>(
  language: Language,
  schema: z.ZodObject & z.ZodType<Input>,
  args: unknown,
): Input {
  const given = Object.fromEntries(Object.entries(args ?? {}).filter(([, value]) => value !== null));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new UserError("bad_arguments", {
    problems: argumentProblems(language, parsed.error.issues, given).join("; "),
    known: Object.keys(schema.shape).join(", "),
  });
}

/**
 * The schema as the client sees it, without the SDK's own check of values: a wrong argument would be answered in the
 * SDK's words and shape, not in the contract's. No `$schema` either: older clients' validators know draft 7 only and
 * throw at another name, and what we use of JSON Schema is the same in both.
 */
function unchecked(schema: z.ZodType): StandardSchemaWithJSON<unknown, unknown> {
  const convert = (io: "input" | "output") => (): Record<string, unknown> => {
    const { $schema: _, ...json } = z.toJSONSchema(schema, { io, override: dropSafeIntegerBounds });
    return json;
  };
  return {
    "~standard": {
      version: 1,
      vendor: "muxue_rag",
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: convert("input"), output: convert("output") },
    },
  };
}

/** zod gives every integer the bounds ±(2^53 - 1), which tell a model nothing. */
function dropSafeIntegerBounds({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}
