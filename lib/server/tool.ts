/**
 * The interface of a tool: what it is given, and how it reports progress.
 *
 * The interface that every MCP tool implements. A tool reads and answers. It changes no file but the indexes.
 *
 * To add a tool:
 * 1. Write `lib/server/tools/NAME.ts`, see {@linkcode defineTool}. The {@linkcode Library} has the folders and their files. The
 *    answer is made in `lib/library/answer/` if it quotes files or has a special form.
 * 2. Add it to the list in `tools/mod.ts`.
 * 3. Add the messages `NAME_title` and `NAME_description`, and `arg_…` for each new argument, beside those of the other
 *    tools in `lib/foundation/messages/mcp.ts`.
 * 4. Add a test in `tests/server/`, and the tool to the lists in `tests/server/server_test.ts` and `tests/e2e/_tools.ts`.
 * 5. Describe it in the guide's page `mcp-clients.md`, in both languages, and in `packaging/mcpb/manifest.json`.
 *
 * The types or one of these tests fail while a step is missing; `tests/readme_test.ts` and `tests/scripts/release_test.ts`
 * check the last one.
 */
import type { CallToolResult, Notification } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { AnswerLimit, AnswerShape, TextAnswer } from "#library/answer/mod.ts";
import type { Config } from "#foundation/configuration/mod.ts";
import type { Log } from "#foundation/log.ts";
import type { Language, MessageKey } from "#foundation/messages/mod.ts";
import type { Library } from "#library/search/mod.ts";
import type { Notes } from "./notes.ts";
import type { IngestProgress, IngestSummary } from "#library/ingest/types.ts";

/** The objects that the tools work with. */
export interface ToolContext {
  readonly library: Library;
  readonly language: Language;
  readonly log: Log;
  /** The section `mcp` of the configuration. */
  readonly config: Config["mcp"];
  /** Updates the indexes when a client asks for it. Absent where the server may not write them. */
  readonly upkeep?: Upkeep | undefined;
  /** Messages for the clients' users. */
  readonly notes?: Notes | undefined;
}

/** The facts about one call that a tool may use. */
export interface ToolCall extends ToolContext {
  /** The form in which its answer is sent. */
  readonly shape: AnswerShape;
  /** Name of the tool that reads the text extracted from documents, if the client has it. */
  readonly extractedReader: string | undefined;
  /** Whether the client may receive links to resources beside an answer. */
  readonly links: boolean;
  /** Tells the client how far the work is, if it asked for that. */
  readonly progress: ReportProgress;
}

/** The name `x` of a tool, for which the messages `x_title` and `x_description` exist. */
type ToolName = MessageKey extends infer Key ? Key extends `${infer Name}_description` ? Name : never : never;

/**
 * The arguments of a tool by name. Each is made by {@linkcode argument}; one without a description is accepted, but not listed.
 */
export type ToolInput = Readonly<Record<string, z.ZodType>>;

/** The answer of a tool. The client receives `code`, `message` and `data` as structured content, and `text` as content. */
export interface ToolAnswer<Data> extends TextAnswer<Data> {
  /** Content after the text, such as a file itself. */
  readonly more?: readonly CallToolResult["content"][number][];
  /** Sentences for the model that the contract's message has no room for. */
  readonly hints?: readonly string[];
}

/** A tool. Its title and description are the messages `NAME_title` and `NAME_description`. */
export interface Tool<Input extends ToolInput = ToolInput, Data = unknown> {
  readonly name: ToolName;
  /**
   * Share of the 64 units that all requests in progress may use together. Default: 1. {@linkcode READ_COST} for a tool that
   * reads a file.
   */
  readonly cost?: number;
  /** Whether it is in the list of a client unless `mcp.tools` says otherwise. Default: no. */
  readonly isDefault?: true;
  /** Whether it may write the indexes. Default: no. */
  readonly writes?: true;
  readonly input: Input;
  /** Shape of `data` in a successful answer. */
  readonly output: z.ZodType<Data>;
  /** Throws a `UserError` when it cannot answer; the client receives the error's message. */
  run(
    input: z.output<z.ZodObject<Input>>,
    call: ToolCall,
    signal: AbortSignal,
  ): Promise<ToolAnswer<Data>>;
}

/** Cost of a call that reads a file of up to 100 MB. It allows two such calls at once. */
export const READ_COST = 32;

/** Cost of a call that waits for work in the background. It must not keep other requests waiting. */
export const WAITING_COST = 0;

/**
 * Declares a tool. It returns its argument; the compiler infers the types of the arguments and of the answer.
 *
 * ```ts
 * import * as z from "zod";
 * import { argument, defineTool } from "./tool.ts";
 *
 * export const readRawFile = defineTool({
 *   name: "read_raw_file",
 *   input: { file_path: argument(z.string().min(1), "arg_file_path") },
 *   output: z.object({ size: z.int() }),
 *   async run({ file_path: path }, { library }) {
 *     const { size } = await library.readRawFile(path);
 *     return { code: 200, message: "Read", data: { size }, text: `${size} bytes` };
 *   },
 * });
 * ```
 */
export function defineTool<Input extends ToolInput, Data>(tool: Tool<Input, Data>): Tool<Input, Data> {
  return tool;
}

/** Estimated tokens of an answer, if neither the call nor the configuration says otherwise. */
export const SEARCH_TOKENS = 8_000;
export const READ_TOKENS = 10_000;

/** The argument `max_tokens`, accepted but not listed. */
export const UNLISTED_MAX_TOKENS = { "max_tokens": z.int().min(200).max(1_000_000).optional() };

/** The argument `max_tokens` where 0 asks for the whole text of a file. */
export const MAX_TOKENS_OR_ALL = {
  "max_tokens": argument(z.int().min(0).max(1_000_000).optional(), "arg_max_tokens_or_all"),
};

/** The argument `max_tokens`. */
export const MAX_TOKENS = { "max_tokens": argument(UNLISTED_MAX_TOKENS["max_tokens"], "arg_max_tokens") };

/**
 * The limit of an answer: the argument `max_tokens` (0: none), at most `mcp.max_tokens` where that is a number, or the default of
 * the tool.
 */
export function answerLimit(
  { shape, config }: Pick<ToolCall, "shape" | "config">,
  asked: number | undefined,
  byDefault: number,
): AnswerLimit {
  const most = config.max_tokens === "auto" ? undefined : config.max_tokens;
  const wanted = asked === 0 ? Infinity : asked ?? most ?? byDefault;
  return { shape, maxTokens: Math.min(wanted, most ?? Infinity) };
}

/** `schema` with a message as its description, which the client receives in the user's language. */
export function argument<Schema extends z.ZodType>(schema: Schema, description: MessageKey): Schema {
  return schema.describe(description);
}

/** The progress of a call. */
interface CallProgress {
  /** Never less than before. Its unit is that of `total`, which is absent where it is unknown. */
  readonly done: number;
  readonly total?: number;
  /** A sentence for the user. */
  readonly message?: string;
}

/** Tells a client how far a call is. */
type ReportProgress = (progress: CallProgress) => void;

/** The parts of a request that its progress needs. */
interface ProgressRequest {
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
  readonly signal: AbortSignal;
  readonly notify: (notification: Notification) => Promise<void>;
}

/** Shortest time between two notifications, in milliseconds. */
const PERIOD_MS = 200;
/** After this time, in milliseconds, a report that says the same number is sent nevertheless: the work goes on. */
const ALIVE_MS = 2000;
/** The protocol wants a larger number each time. */
const STEP = 0.001;

/** A number with three decimals. */
function rounded(number: number): number {
  return Math.round(number * 1000) / 1000;
}

/**
 * Returns a function that sends `notifications/progress` for a request if the client asked for them: at most every 200 ms,
 * and with numbers that grow.
 */
export function progressOf({ _meta, signal, notify }: ProgressRequest): ReportProgress {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let sentAt = -Infinity;
  let last = -Infinity;
  return ({ done: exact, total, message }) => {
    const done = rounded(exact);
    const now = performance.now();
    const hasGrown = done > last;
    if (signal.aborted || now - sentAt < (hasGrown ? PERIOD_MS : ALIVE_MS)) return;
    sentAt = now;
    last = hasGrown ? done : rounded(last + STEP);
    const params = { progressToken, progress: last, ...(total !== undefined && { total }) };
    // The client may have left. The end of the connection stops the call.
    notify({
      method: "notifications/progress",
      params: { ...params, ...(message !== undefined && { message }) },
    }).catch(() => {});
  };
}

/** Options of {@linkcode Upkeep.update}. */
export interface UpkeepRequest {
  /** Process every file again. */
  readonly full?: boolean;
  /** Ends the request, and the work that is done only for it. The index then stays as it was. */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: IngestProgress) => void;
}

/** Vectors that were made again for one document. */
export interface ReembeddedDocument {
  readonly chunks: number;
  /** Ids of the models that the document has vectors of. */
  readonly models: readonly string[];
  /** Texts that a local model refused. They are found by their words only. */
  readonly refused: number;
  /** Problems of the update, in the user's language. */
  readonly warnings?: readonly string[];
}

/** Work on the indexes of the served folders. */
export interface Upkeep {
  /**
   * Brings the index of a served folder up to date. One update is under way at a time; requests that wait share one. Throws
   * what `ingest` throws.
   */
  update(root: string, request: UpkeepRequest): Promise<IngestSummary>;
  /**
   * Makes the vectors of a document again, known ones included, those of local models too. `path`: relative to the folder. Other
   * changes of the folder are taken up as well. Throws what `ingest` throws, `document_not_indexed` and `no_vectors_made`.
   */
  reembed(
    root: string,
    path: string,
    request: Omit<UpkeepRequest, "full">,
  ): Promise<ReembeddedDocument>;
}
