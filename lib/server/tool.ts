/**
 * The interface that every MCP tool implements, and what tools share: arguments, limits of an answer, cursors, progress.
 * A tool reads and answers. It changes no file but the indexes.
 */
import type { CallToolResult, Notification } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { AnswerLimit, AnswerShape, TextAnswer } from "#library/answer/mod.ts";
import type { Config } from "#foundation/configuration/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { present } from "#foundation/present.ts";
import type { Log } from "#foundation/log.ts";
import type { Language, MessageKey } from "#foundation/messages/mod.ts";
import type { AskOptions } from "#library/ask/mod.ts";
import type { Library } from "#library/search/mod.ts";
import type { Notes } from "./connected_client.ts";
import type { FileEnd, IngestProgress, IngestSummary } from "#library/ingest/types.ts";

/** The objects that the tools work with. */
export interface ToolContext {
  readonly library: Library;
  readonly language: Language;
  readonly log: Log;
  /** The section `mcp` of the configuration. */
  readonly config: Config["mcp"];
  /** Updates the indexes when a client asks for it. Absent where the server may not write them. */
  readonly upkeep?: Upkeep | undefined;
  /** The language model that answers questions. Absent where none is configured, or the user has not consented to its server. */
  readonly answering?: Answering | undefined;
  /** Messages for the clients' users. */
  readonly notes?: Notes | undefined;
}

/** The language model that answers questions, and which files it may get texts of. */
export type Answering = Pick<AskOptions, "model" | "prompts" | "maxOutputTokens" | "mayBeSent" | "traces">;

/** Options of {@linkcode Upkeep.update}. */
export interface UpkeepRequest {
  /** Process every file again. */
  readonly full?: boolean;
  /** Ends the request, and the work that is done only for it. The index then stays as it was. */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: IngestProgress) => void;
  /** Called with the ends of all files when the update is done. */
  readonly onEnds?: (ends: readonly FileEnd[]) => void;
  /** Called when another process is updating the folder, so that the request waits. */
  readonly onBusy?: (error: UserError) => void;
  /** The person or program that asks, for the trace. */
  readonly principal?: string | undefined;
}

/** The work under way on the index of a folder. */
export interface WorkUnderWay {
  /** Whether another process does it. Its progress is not known. */
  readonly isElsewhere: boolean;
  readonly progress?: IngestProgress;
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
  /** The update of a served folder that is under way, also by another process; `undefined` without one that finds changes. */
  underWay(root: string): Promise<WorkUnderWay | undefined>;
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
  /** The client's `traceparent`, if it has sent a valid one. */
  readonly traceParent?: string | undefined;
}

/** The name `x` of a tool, for which the messages `x_title` and `x_description` exist. */
export type ToolName = MessageKey extends infer Key ? Key extends `${infer Name}_description` ? Name : never
  : never;

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

/** A tool. Its name stands in the list of `tools/mod.ts`. */
export interface Tool<Input extends ToolInput = ToolInput, Data = unknown> {
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

/**
 * Declares a tool. It returns its argument; the compiler infers the types of the arguments and of the answer.
 *
 * ```ts
 * import * as z from "zod";
 * import { argument, defineTool } from "./tool.ts";
 *
 * export const readRawFile = defineTool({
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

/** The search modules. They are imported with the library, after the server has answered the client's first requests. */
export const searchModules = () => import("#library/search/mod.ts");

/** Estimated tokens of an answer, if neither the call nor the configuration says otherwise. */
export const SEARCH_TOKENS = 8_000;
export const READ_TOKENS = 10_000;

/** Filters as one object, with conditions on metadata: the argument `filters`. `#engine/query` checks what stands in it. */
export const FILTERS_ARGUMENT = z.looseObject({}).optional();

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

/** UTF-16 units of a fingerprint. */
const PRINT_CHARS = 6;

/**
 * Returns the argument `cursor` that continues a list after its first `count` entries: the count and a fingerprint of the
 * other arguments. The server keeps no state for it.
 */
export function cursorAfter(count: number, args: object): string {
  return `${count}.${fingerprint(args)}`;
}

/**
 * Entries that earlier answers had. Throws `UserError` `cursor_unknown` for a cursor of a call with other arguments, and for
 * one after more than `most` entries: a client can make up any count.
 */
export function entriesBefore(cursor: string | undefined, args: object, most = Infinity): number {
  if (cursor === undefined || cursor.trim() === "") return 0;
  const [count = "", print] = cursor.trim().split(".");
  if (!/^\d{1,9}$/.test(count) || Number(count) > most || print !== fingerprint(args)) {
    throw new UserError("cursor_unknown");
  }
  return Number(count);
}

/** Arguments that say how much is shown of a list, not of which one. */
const SHOWN_ONLY: ReadonlySet<string> = new Set([
  ...["cursor", "max_tokens", "top_k", "limit", "snippet_chars", "include_images"],
]);

/** 32 bits of FNV-1a over the arguments that choose and order the entries. */
function fingerprint(args: object): string {
  const chosen = Object.entries(args).filter(([name, value]) => value !== undefined && !SHOWN_ONLY.has(name));
  let hash = 0x811c9dc5;
  for (const unit of JSON.stringify(chosen.sort(([a], [b]) => a < b ? -1 : 1))) {
    hash = Math.imul(hash ^ unit.codePointAt(0)!, 0x01000193) >>> 0;
  }
  return hash.toString(36).slice(0, PRINT_CHARS);
}

/** Arguments of a list that few servers need more than a page of. They are accepted, but not listed. */
export const UNLISTED_PAGE = { ...UNLISTED_MAX_TOKENS, cursor: z.string().optional() };

/** The page that a call asks for. Throws `UserError` `cursor_unknown`. */
export function pageOf(
  input: { readonly cursor?: string | undefined; readonly "max_tokens"?: number | undefined },
  call: Pick<ToolCall, "shape" | "config">,
) {
  const offset = entriesBefore(input.cursor, input);
  return {
    offset,
    limit: answerLimit(call, input["max_tokens"], SEARCH_TOKENS),
    cursorAfter: (shown: number) => cursorAfter(offset + shown, input),
  };
}

interface CallProgress {
  /** Never less than before. Its unit is that of `total`, which is absent where it is unknown. */
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}

type ReportProgress = (progress: CallProgress) => void;

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
    const params = present({ progressToken, progress: last, total, message });
    // The client may have left. The end of the connection stops the call.
    notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
