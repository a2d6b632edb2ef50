/**
 * The guard between a connection and the SDK: how much runs at once, cancelled requests,
 * and sentences about wrong parameters.
 */
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type McpServer,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  SERVER_INFO_META_KEY,
  type ServerContext,
  type SpecTypeName,
  specTypeSchemas,
  type Transport,
} from "@modelcontextprotocol/server";
import { setImmediate } from "node:timers";
import { type Language, type START, startMessage } from "#foundation/messages/start.ts";
import { MESSAGE_LIMITS } from "./message_limits.ts";

/** The work that a connection may do, for transports that do not limit it themselves. */
export interface ConnectionGuard {
  /** Starts the requests in the order of arrival, as far as there is capacity. */
  readonly gate?: RequestGate;
  /** The cost of a request, from 0 to the gate's capacity. */
  readonly cost?: (request: JSONRPCRequest) => number;
  /** Called once for each request, when it is answered or given up. */
  readonly onSettled?: (request: JSONRPCRequest, outcome: Outcome) => void;
}

type Id = JSONRPCRequest["id"];
type Outcome = "answered" | "failed" | "cancelled";

/** A request under way. */
interface OpenRequest {
  readonly request: JSONRPCRequest;
  /** Frees its capacity, the first time it is called. */
  readonly settle: (outcome: Outcome) => void;
  /** Whether a handler works on it, see {@linkcode keepCapacity}. */
  isHandled: boolean;
}

const OPEN = new WeakMap<McpServer, ReadonlyMap<Id, OpenRequest>>();

/** Code for a resource that does not exist, in revisions before 2026-07-28. The SDK writes that of invalid parameters. */
const RESOURCE_NOT_FOUND = -32002;

/**
 * Makes the server check the parameters of requests before the SDK does, whose errors are JSON of its validator under the
 * code of internal errors, and start them through the gate. Call it before the server is connected.
 */
export function guardConnection(
  server: McpServer,
  language: Language,
  { gate, cost = () => 0, onSettled }: ConnectionGuard,
): void {
  const open = new Map<Id, OpenRequest>();
  OPEN.set(server, open);
  const cancel = (id: Id) => {
    const entry = open.get(id);
    if (entry !== undefined && !entry.isHandled) entry.settle("cancelled");
  };
  const begin = (request: JSONRPCRequest): symbol => {
    const key = Symbol();
    let isSettled = false;
    const settle = (outcome: Outcome) => {
      if (isSettled) return;
      isSettled = true;
      if (open.get(request.id)?.settle === settle) open.delete(request.id);
      if (gate?.withdraw(key) === false) gate.settle(key);
      onSettled?.(request, outcome);
    };
    open.set(request.id, { request, settle, isHandled: false });
    return key;
  };
  const connect = server.connect.bind(server);
  server.connect = async (transport: Transport) => {
    await connect(transport);

    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      const request = "id" in message && message.id !== undefined ? open.get(message.id)?.request : undefined;
      const written = withoutIcons(withCodeOfRevision(message, request), request);
      // Before the answer is sent: a connection for one request closes with it.
      if ("id" in message && !("method" in message) && message.id !== undefined) {
        open.get(message.id)?.settle("error" in message ? "failed" : "answered");
      }
      await send(written, options);
    };
    const closed = transport.onclose;
    transport.onclose = () => {
      // It aborts the handlers, so that their work stops before other work starts.
      closed?.();
      for (const id of [...open.keys()]) cancel(id);
    };
    const deliver = transport.onmessage!;
    transport.onmessage = <T extends JSONRPCMessage>(incoming: T, extra?: Parameters<typeof deliver>[1]) => {
      if (isJSONRPCNotification(incoming) && incoming.method === "notifications/cancelled") {
        const { requestId } = incoming.params ?? {};
        deliver(incoming, extra);
        return queueMicrotask(() => cancel(requestId as Id));
      }
      if (!isJSONRPCRequest(incoming)) return deliver(incoming, extra);
      const message = withToolName(incoming);
      const key = begin(message);
      const problem = parameterProblems(language, message);
      if (problem !== undefined) {
        return void transport.send({
          jsonrpc: "2.0",
          id: message.id,
          error: { code: ProtocolErrorCode.InvalidParams, message: problem },
        });
      }
      const units = gate === undefined ? 0 : cost(message);
      if (units === 0) return deliver(message, extra);
      gate!.add({ key, cost: units, bytes: 0, start: () => deliver(message, extra) });
    };
  };
}

/**
 * Lets a request keep its capacity until the result is disposed, also where it is cancelled meanwhile: a client that cancels
 * its requests at once must not begin more work than one that waits for the answers. For handlers that take more than a
 * moment.
 */
export function keepCapacity(server: McpServer, { id, signal }: ServerContext["mcpReq"]): Disposable {
  const entry = OPEN.get(server)?.get(id);
  if (entry !== undefined) entry.isHandled = true;
  return {
    [Symbol.dispose]() {
      if (entry === undefined) return;
      entry.isHandled = false;
      if (signal.aborted) entry.settle("cancelled");
    },
  };
}

/** The message, with the code of its revision where it says that a resource does not exist. */
function withCodeOfRevision(message: JSONRPCMessage, request: JSONRPCRequest | undefined): JSONRPCMessage {
  if (!("error" in message)) return message;
  const { method, params } = request ?? {};
  const isAboutResource = method?.startsWith("resources/") && hasUri(message.error.data);
  if (!isAboutResource || params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined) return message;
  return { ...message, error: { ...message.error, code: RESOURCE_NOT_FOUND } };
}

function hasUri(data: unknown): boolean {
  return typeof data === "object" && data !== null && "uri" in data;
}

/** The message without the server's icon, which the SDK would send with every answer of revision 2026-07-28. */
function withoutIcons(message: JSONRPCMessage, request: JSONRPCRequest | undefined): JSONRPCMessage {
  if (!("result" in message) || request?.method === "server/discover") return message;
  const info = message.result._meta?.[SERVER_INFO_META_KEY];
  if (typeof info !== "object" || info === null || !("icons" in info)) return message;
  const { icons: _, ...rest } = info;
  const _meta = { ...message.result._meta, [SERVER_INFO_META_KEY]: rest };
  return { ...message, result: { ...message.result, _meta } };
}

/** The request, with `search_rag` for a tool `search`, unlisted: models write the name of other servers' tool. */
function withToolName(request: JSONRPCRequest): JSONRPCRequest {
  const { method, params } = request;
  if (method !== "tools/call" || params?.["name"] !== "search") return request;
  const args = params["arguments"];
  const isObject = typeof args === "object" && args !== null;
  const { query, ...others } = (isObject ? args : {}) as Record<string, unknown>;
  const given = query === undefined || "keyword" in others ? args : { keyword: query, ...others };
  return {
    ...request,
    params: { ...params, name: "search_rag", ...(given !== undefined && { arguments: given }) },
  };
}

/** The schema of each request that a server answers. */
const SCHEMAS: Readonly<Record<string, SpecTypeName>> = {
  "initialize": "InitializeRequest",
  "tools/call": "CallToolRequest",
  "tools/list": "ListToolsRequest",
  "resources/list": "ListResourcesRequest",
  "resources/templates/list": "ListResourceTemplatesRequest",
  "resources/read": "ReadResourceRequest",
  "resources/subscribe": "SubscribeRequest",
  "resources/unsubscribe": "UnsubscribeRequest",
  "prompts/list": "ListPromptsRequest",
  "prompts/get": "GetPromptRequest",
  "completion/complete": "CompleteRequest",
  "logging/setLevel": "SetLevelRequest",
};

/** Lists that fit into one answer, so that no answer has a cursor for them. */
const ONE_PAGE: ReadonlySet<string> = new Set(["tools/list", "prompts/list", "resources/templates/list"]);

/** Requests that the protocol without sessions does not have. There they are unknown, whatever their parameters. */
const LEGACY_ONLY: ReadonlySet<string> = new Set([
  "initialize",
  "resources/subscribe",
  "resources/unsubscribe",
  "logging/setLevel",
]);

/** Names of all requests that a server answers. Others come from the client. */
export const REQUESTS: ReadonlySet<string> = new Set([
  ...Object.keys(SCHEMAS),
  "ping",
  "server/discover",
  "subscriptions/listen",
]);

/** Names of the types that parameters have, as messages. */
const TYPES: Readonly<Record<string, keyof typeof START>> = {
  string: "argument_text",
  object: "mcp_type_object",
  record: "mcp_type_object",
  array: "mcp_type_list",
  number: "mcp_type_number",
  boolean: "mcp_type_boolean",
};

/** Problems in one sentence. The rest is left out. */
const MAX_PROBLEMS = 10;

/** The part of zod's issues that the sentences use. */
interface Issue {
  readonly code?: string;
  readonly expected?: string;
  readonly values?: readonly unknown[];
  readonly path?: readonly PropertyKey[];
}

/** One sentence about the wrong parameters of a request, in the user's language; `undefined` where they are right. */
function parameterProblems(language: Language, request: JSONRPCRequest): string | undefined {
  const name = SCHEMAS[request.method];
  if (name === undefined || !Object.hasOwn(SCHEMAS, request.method)) return undefined;
  const { method, params } = request;
  if (LEGACY_ONLY.has(method) && params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined) return undefined;
  // The SDK's requests may lack `params` where none of them is required.
  const checked = specTypeSchemas[name]["~standard"].validate({ method, params: params ?? {} });
  if (checked.issues === undefined) {
    const isUnknown = ONE_PAGE.has(method) && (params?.cursor ?? "") !== "";
    return isUnknown ? startMessage(language, "list_cursor_unknown") : undefined;
  }
  const problems = (checked.issues as readonly Issue[]).slice(0, MAX_PROBLEMS)
    .map((issue) => problemOf(language, issue, params));
  return startMessage(language, "mcp_bad_parameters", {
    method,
    problems: [...new Set(problems)].join("; "),
  });
}

function problemOf(
  language: Language,
  { code, expected, values, path = [] }: Issue,
  params: unknown,
): string {
  const keys = path.slice(1);
  const name = keys.join(".") || "params";
  if (parameterAt(params, keys) === undefined) return startMessage(language, "argument_missing", { name });
  const type = expected === undefined ? undefined : TYPES[expected];
  if (code === "invalid_type" && type !== undefined) {
    return startMessage(language, "argument_wrong_type", { name, expected: startMessage(language, type) });
  }
  if (code === "invalid_value" && values !== undefined) {
    return startMessage(language, "argument_not_one_of", { name, choices: values.join(", ") });
  }
  return startMessage(language, "argument_invalid", { name });
}

function parameterAt(params: unknown, keys: readonly PropertyKey[]): unknown {
  let value = params ?? {};
  for (const key of keys) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key] as object;
  return value;
}

/** The JSON-RPC id of a request, or a symbol for work without an id. */
export type RequestKey = string | number | symbol;

/** Work that starts when the gate has capacity for it. */
interface GatedWork {
  readonly key: RequestKey;
  /** Share of the gate's capacity that it uses until {@linkcode RequestGate.settle}. At most the capacity. */
  readonly cost: number;
  /** Bytes of memory it uses while it waits. */
  readonly bytes: number;
  readonly start: () => void;
}

/**
 * Starts work in the order of arrival, as long as the total cost of running work is at most `capacity`. The waiting work is
 * limited too: {@linkcode RequestGate.roomy} makes the reader wait while it has more than `maxWaitingBytes`.
 */
export class RequestGate {
  readonly #capacity: number;
  readonly #maxWaitingBytes: number;
  #waiting: GatedWork[] = [];
  /** Index of the first entry of `#waiting` not yet started. Moving it takes constant time, unlike `shift()`. */
  #head = 0;
  #waitingBytes = 0;
  #load = 0;
  /** Costs of the running work. If a client uses an id twice at the same time, the id has two costs. */
  readonly #running = new Map<RequestKey, number[]>();
  #watchers: { until: () => boolean; resolve: () => void }[] = [];

  constructor(capacity: number, maxWaitingBytes: number) {
    this.#capacity = capacity;
    this.#maxWaitingBytes = maxWaitingBytes;
  }

  /** Number of the requests that have not started. */
  get waiting(): number {
    return this.#waiting.length - this.#head;
  }

  /** Starts the work at once, or as soon as there is capacity. */
  add(work: GatedWork): void {
    this.#waiting.push(work);
    this.#waitingBytes += work.bytes;
    this.#advance();
  }

  /** Frees the capacity of work that is done or cancelled. Ignores unknown keys. */
  settle(key: RequestKey): void {
    const costs = this.#running.get(key);
    if (costs === undefined) return;
    this.#load -= costs.shift() ?? 0;
    if (costs.length === 0) this.#running.delete(key);
    this.#advance();
  }

  /** Removes work that has not started. Returns `false` if no waiting work has this key. */
  withdraw(key: RequestKey): boolean {
    const index = this.#waiting.findIndex((work, index) => index >= this.#head && work.key === key);
    if (index < 0) return false;
    this.#waitingBytes -= this.#waiting.splice(index, 1)[0]!.bytes;
    this.#advance();
    return true;
  }

  /** Removes all waiting work. */
  clear(): void {
    this.#waiting = [];
    this.#head = 0;
    this.#waitingBytes = 0;
    this.#notify();
  }

  /** Resolves when more work may be added. */
  roomy(): Promise<void> {
    return this.#when(() => this.#waitingBytes <= this.#maxWaitingBytes);
  }

  /** Resolves when no work is running or waiting. */
  idle(): Promise<void> {
    return this.#when(() => this.#running.size === 0 && this.#head === this.#waiting.length);
  }

  #advance(): void {
    while (this.#head < this.#waiting.length) {
      const work = this.#waiting[this.#head]!;
      if (this.#load + work.cost > this.#capacity) break;
      this.#head++;
      this.#waitingBytes -= work.bytes;
      this.#load += work.cost;
      const costs = this.#running.get(work.key);
      if (costs) costs.push(work.cost);
      else this.#running.set(work.key, [work.cost]);
      work.start();
    }
    if (this.#head > 1000 || this.#head === this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#head);
      this.#head = 0;
    }
    this.#notify();
  }

  #when(until: () => boolean): Promise<void> {
    if (until()) return Promise.resolve();
    return new Promise((resolve) => this.#watchers.push({ until, resolve }));
  }

  #notify(): void {
    if (this.#watchers.length === 0) return;
    const ready = this.#watchers.filter((watcher) => watcher.until());
    this.#watchers = this.#watchers.filter((watcher) => !ready.includes(watcher));
    for (const watcher of ready) watcher.resolve();
  }
}

/**
 * Lets calls begin one in each turn of the event loop. A search of a small index computes without waiting for anything, and many of
 * them in one turn would delay all that comes from outside: cancellations, the end of stdin, the signal to end.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  /** Resolves in a turn in which no other call has begun: at once if there is none. */
  next(): Promise<void> {
    if (this.#isTaken) return new Promise((resolve) => void this.#waiting.push(resolve));
    this.#take();
    return Promise.resolve();
  }

  #take(): void {
    this.#isTaken = true;
    setImmediate(() => {
      this.#isTaken = false;
      const first = this.#waiting.shift();
      if (first === undefined) return;
      this.#take();
      first();
    });
  }
}

/** The error of a message over a limit. */
export function limitError(problem: string): { readonly code: number; readonly message: string } {
  return { code: ProtocolErrorCode.InvalidRequest, message: `Invalid request: over a limit of ${problem}` };
}

/** The id of a request over a limit, for the answer; null where it is absent or itself too long. */
export function idOfRefused(message: unknown): string | number | null {
  if (!isJSONRPCRequest(message)) return null;
  const { id } = message;
  return typeof id === "string" && id.length > MESSAGE_LIMITS.nameChars ? null : id;
}
