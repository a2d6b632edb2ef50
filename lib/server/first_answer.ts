/**
 * The answer to the `initialize` that a client on stdin sends first. It is sent before the SDK is loaded, whose schemas take longer
 * than the rest of a start, and mostly before the thread of the server is started. The SDK then reads the same message, so that it
 * knows the client; its own answer, which is equal, is not sent. Everything that is not a plain `initialize` waits for the SDK.
 */
import { identityOf, type IdentityParts, type ServerParts } from "./identity.ts";
import { shapeProblem, textProblem } from "./message_limits.ts";

/** Options of `serveMcp`. */
export interface ServeOptions extends ServerParts {
  readonly input: ReadableStream<Uint8Array>;
  /** The answers to the client. Nothing else may write to it while the server runs. */
  readonly output: WritableStream<Uint8Array>;
  /** The id of the first message of the input, if {@linkcode firstAnswer} has answered it already. */
  readonly answered?: string | number | undefined;
  /** Stops the server when it aborts. */
  readonly signal?: AbortSignal;
}

/** Reads the bytes of the input. */
export type MessageReader = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;

/** A connection whose first message may have been answered. */
export interface ConnectionStart {
  /** Reads the input from its beginning, the answered message included. */
  readonly reader: MessageReader;
  /** The id of the message that was answered. */
  readonly answered?: string | number | undefined;
}

/** The revisions that begin with `initialize`, the newest first. A client that asks for another one is offered the newest. */
export const REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"] as const;

/** Milliseconds to wait for the first message before the SDK is loaded: a message that comes while it loads is read only afterwards. */
const PATIENCE_MS = 50;

const NEWLINE = 10;

/** Answers the first message if it comes at once and is a plain `initialize`. Never throws. */
export async function startConnection(options: ServeOptions): Promise<ConnectionStart> {
  const { answered } = options;
  const source = options.input.getReader();
  if (answered !== undefined) return { reader: source, answered };
  const first = source.read();
  // The transport reads the same promise, and gets its error.
  first.catch(() => {});
  let isFirst = true;
  const reader: MessageReader = {
    read() {
      if (!isFirst) return source.read();
      isFirst = false;
      return first;
    },
    cancel: (reason) => source.cancel(reason),
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<void>((resolve) => timer = setTimeout(resolve, PATIENCE_MS));
  try {
    const { value } = await Promise.race([first, patience]) ?? {};
    const answer = value && firstAnswer(value, options);
    if (!answer) return { reader };
    const writer = options.output.getWriter();
    // A client that has gone is noticed by the next answer.
    const written = writer.write(new TextEncoder().encode(`${JSON.stringify(answer)}\n`)).catch(() => {});
    writer.closed.catch(() => {});
    writer.releaseLock();
    await Promise.race([written, patience]);
    return { reader, answered: answer.id };
  } catch {
    return { reader };
  } finally {
    clearTimeout(timer);
  }
}

/** The answer to `initialize`, if the first line of `bytes` is one that the SDK accepts without changing anything. Never throws. */
export function firstAnswer(bytes: Uint8Array, parts: IdentityParts) {
  const message = firstMessage(bytes);
  if (!isInitialize(message) || textProblem(message) !== undefined) return undefined;
  const { serverInfo, capabilities, instructions } = identityOf(parts);
  const wanted = message.params.protocolVersion;
  const protocolVersion = REVISIONS.find((revision) => revision === wanted) ?? REVISIONS[0];
  return {
    jsonrpc: "2.0",
    id: message.id,
    result: { protocolVersion, capabilities, serverInfo, instructions },
  };
}

/** The message in the first line; `undefined` for one that is no JSON, or too large for its kind. */
function firstMessage(bytes: Uint8Array): unknown {
  const end = bytes.indexOf(NEWLINE);
  if (end < 0) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, end));
    return shapeProblem(text) === undefined ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

interface Initialize {
  readonly id: string | number;
  readonly params: { readonly protocolVersion: string };
}

/** Whether a message is an `initialize` as most clients send it. Rarer parts are left to the SDK, which may refuse them. */
function isInitialize(message: unknown): message is Initialize {
  if (!hasOnly(message, ["jsonrpc", "id", "method", "params"])) return false;
  const { jsonrpc, id, method, params } = message;
  return jsonrpc === "2.0" && method === "initialize" &&
    (typeof id === "string" || Number.isSafeInteger(id)) &&
    hasOnly(params, ["protocolVersion", "capabilities", "clientInfo"]) &&
    typeof params["protocolVersion"] === "string" && isClient(params["clientInfo"]) &&
    areCapabilities(params["capabilities"]);
}

function isClient(info: unknown): boolean {
  const texts = ["title", "websiteUrl", "description"];
  return hasOnly(info, ["name", "version", ...texts]) &&
    typeof info["name"] === "string" && typeof info["version"] === "string" &&
    texts.every((key) => info[key] === undefined || typeof info[key] === "string");
}

function areCapabilities(given: unknown): boolean {
  if (!hasOnly(given, ["roots", "sampling", "elicitation"])) return false;
  const { roots = {}, sampling = {}, elicitation = {} } = given;
  return hasOnly(roots, ["listChanged"]) && ["undefined", "boolean"].includes(typeof roots["listChanged"]) &&
    hasOnly(sampling, ["context", "tools"]) && Object.values(sampling).every(isEmpty) &&
    hasOnly(elicitation, ["form", "url"]) && Object.values(elicitation).every(isEmpty);
}

function isEmpty(value: unknown): boolean {
  return hasOnly(value, []);
}

/** Whether a value is an object with no other keys than these. */
function hasOnly(value: unknown, keys: readonly string[]): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    Object.keys(value).every((key) => keys.includes(key));
}
