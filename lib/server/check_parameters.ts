import {
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  type SpecTypeName,
  specTypeSchemas,
} from "@modelcontextprotocol/server";
import { type Language, message, type MessageKey } from "#foundation/messages/mod.ts";

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
const TYPES: Readonly<Record<string, MessageKey>> = {
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
export function parameterProblems(language: Language, request: JSONRPCRequest): string | undefined {
  const name = SCHEMAS[request.method];
  if (name === undefined || !Object.hasOwn(SCHEMAS, request.method)) return undefined;
  const { method, params } = request;
  if (LEGACY_ONLY.has(method) && params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined) return undefined;
  // The SDK's requests may lack `params` where none of them is required.
  const checked = specTypeSchemas[name]["~standard"].validate({ method, params: params ?? {} });
  if (checked.issues === undefined) {
    const isUnknown = ONE_PAGE.has(method) && (params?.cursor ?? "") !== "";
    return isUnknown ? message(language, "list_cursor_unknown") : undefined;
  }
  const problems = (checked.issues as readonly Issue[]).slice(0, MAX_PROBLEMS)
    .map((issue) => problemOf(language, issue, params));
  return message(language, "mcp_bad_parameters", { method, problems: [...new Set(problems)].join("; ") });
}

function problemOf(
  language: Language,
  { code, expected, values, path = [] }: Issue,
  params: unknown,
): string {
  const keys = path.slice(1);
  const name = keys.join(".") || "params";
  if (valueAt(params, keys) === undefined) return message(language, "argument_missing", { name });
  const type = expected === undefined ? undefined : TYPES[expected];
  if (code === "invalid_type" && type !== undefined) {
    return message(language, "argument_wrong_type", { name, expected: message(language, type) });
  }
  if (code === "invalid_value" && values !== undefined) {
    return message(language, "argument_not_one_of", { name, choices: values.join(", ") });
  }
  return message(language, "argument_invalid", { name });
}

function valueAt(params: unknown, keys: readonly PropertyKey[]): unknown {
  let value = params ?? {};
  for (const key of keys) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key] as object;
  return value;
}
