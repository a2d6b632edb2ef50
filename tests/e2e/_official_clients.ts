import * as current from "@modelcontextprotocol/client";
import { StdioClientTransport as CurrentTransport } from "@modelcontextprotocol/client/stdio";
import { Client as FormerClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FormerTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as FormerHttpTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { startHttpProgram } from "./_http_program.ts";
import type { Sandbox } from "./_program.ts";

/** The common interface of the official clients. */
export interface OfficialClient extends AsyncDisposable {
  readonly revision: string | undefined;
  readonly serverName: string | undefined;
  listTools(): Promise<string[]>;
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<ToolResult>;
  /** Requests beside those for tools, which the clients of both lines have under the same names. */
  readonly requests: ClientRequests;
  /** Asks to be told about the list of resources and about these resources. Each notification is passed on. */
  listen(uris: readonly string[], onNotification: (method: string, params: unknown) => void): Promise<void>;
}

// deno-lint-ignore no-explicit-any
type Answered = Promise<any>;

/** Methods of the clients of both lines. */
export interface ClientRequests {
  listResources(params?: { cursor?: string }): Answered;
  listResourceTemplates(): Answered;
  readResource(params: { uri: string }): Answered;
  listPrompts(): Answered;
  getPrompt(params: { name: string; arguments?: Record<string, string> }): Answered;
  complete(params: {
    ref: { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string };
    argument: { name: string; value: string };
  }): Answered;
  getServerCapabilities(): unknown;
}

/** A client of either line, before revision 2026-07-28. */
interface SessionClient {
  fallbackNotificationHandler?:
    | ((notification: { method: string; params?: unknown }) => Promise<void>)
    | undefined;
  subscribeResource(params: { uri: string }): Promise<unknown>;
  setLoggingLevel(level: "info"): Promise<unknown>;
}

function listener(client: SessionClient): OfficialClient["listen"] {
  return async (uris, onNotification) => {
    client.fallbackNotificationHandler = ({ method, params }) =>
      Promise.resolve(onNotification(method, params));
    await client.setLoggingLevel("info");
    for (const uri of uris) await client.subscribeResource({ uri });
  };
}

/** Options of a call, as both lines of the SDK have them. */
export interface CallOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  readonly onprogress?: (
    progress: { progress: number; total?: number | undefined; message?: string | undefined },
  ) => void;
}

/** The answer of a tool. */
export interface ToolResult {
  readonly text: string;
  // deno-lint-ignore no-explicit-any
  readonly content: readonly any[];
  readonly code: number;
  readonly message: string;
  /** Of an error. */
  readonly hints: readonly string[];
  // deno-lint-ignore no-explicit-any
  readonly data: any;
  readonly isError: boolean;
}

// deno-lint-ignore no-explicit-any
function toResult(raw: any): ToolResult {
  return {
    text: raw.content[0].text,
    content: raw.content,
    hints: [],
    ...raw.structuredContent,
    isError: raw.isError ?? false,
  };
}

const IDENTITY = { name: "e2e", version: "0" };

function serverParameters(sandbox: Sandbox) {
  const { cmd, args } = sandbox.start(["serve", "--dir", sandbox.folder]);
  return { command: cmd, args, env: sandbox.env, cwd: sandbox.cwd, stderr: "ignore" as const };
}

/** A transport of the older SDK's client, and what ends with the client. */
type Connect<Transport> = (sandbox: Sandbox) => Promise<[transport: Transport, server?: AsyncDisposable]>;

const formerOverHttp: Connect<FormerHttpTransport> = async (sandbox) => {
  const server = await startHttpProgram(sandbox);
  return [new FormerHttpTransport(server.url), server];
};

const newerOverHttp: Connect<current.StreamableHTTPClientTransport> = async (sandbox) => {
  const server = await startHttpProgram(sandbox);
  return [new current.StreamableHTTPClientTransport(server.url), server];
};

/** A client of the older SDK, over stdio unless `connect` says otherwise. */
export async function formerClient(
  sandbox: Sandbox,
  connect: Connect<FormerTransport | FormerHttpTransport> = (sandbox) =>
    Promise.resolve([new FormerTransport(serverParameters(sandbox))]),
): Promise<OfficialClient> {
  const client = new FormerClient(IDENTITY);
  const [transport, server] = await connect(sandbox);
  let revision: string | undefined;
  Object.assign(transport, { setProtocolVersion: (version: string) => void (revision = version) });
  await client.connect(transport);
  return {
    revision,
    serverName: client.getServerVersion()?.name,
    listTools: async () => (await client.listTools()).tools.map((tool: { name: string }) => tool.name),
    call: async (name, args, options = {}) =>
      toResult(await client.callTool({ name, arguments: args }, undefined, options)),
    requests: client as ClientRequests,
    listen: listener(client as SessionClient),
    async [Symbol.asyncDispose]() {
      await client.close();
      await server?.[Symbol.asyncDispose]();
    },
  };
}

/** A client of the newer SDK, over stdio unless `connect` says otherwise. */
function newerClient(
  mode: "legacy" | "auto",
  connect: Connect<CurrentTransport | current.StreamableHTTPClientTransport> = (sandbox) =>
    Promise.resolve([new CurrentTransport(serverParameters(sandbox))]),
) {
  return async (sandbox: Sandbox): Promise<OfficialClient> => {
    const client = new current.Client(IDENTITY, { versionNegotiation: { mode } });
    const [transport, server] = await connect(sandbox);
    await client.connect(transport);
    return {
      revision: client.getNegotiatedProtocolVersion(),
      serverName: client.getServerVersion()?.name,
      listTools: async () => (await client.listTools()).tools.map((tool: { name: string }) => tool.name),
      call: async (name, args, options = {}) =>
        toResult(await client.callTool({ name, arguments: args }, options)),
      requests: client as ClientRequests,
      listen: mode === "legacy" ? listener(client as SessionClient) : async (uris, onNotification) => {
        client.fallbackNotificationHandler = ({ method, params }) =>
          Promise.resolve(onNotification(method, params));
        await client.listen({ resourcesListChanged: true, resourceSubscriptions: [...uris] });
      },
      async [Symbol.asyncDispose]() {
        await client.close();
        await server?.[Symbol.asyncDispose]();
      },
    };
  };
}

/** The official clients, by name, with the protocol revision that they agree on. Each serves the sandbox's folder. */
export const OFFICIAL_CLIENTS: readonly [
  name: string,
  revision: string,
  connect: (sandbox: Sandbox) => Promise<OfficialClient>,
][] = [
  ["@modelcontextprotocol/sdk", "2025-11-25", (sandbox) => formerClient(sandbox)],
  ["@modelcontextprotocol/client", "2025-11-25", newerClient("legacy")],
  ["@modelcontextprotocol/client with discovery", "2026-07-28", newerClient("auto")],
  ["@modelcontextprotocol/sdk over HTTP", "2025-11-25", (sandbox) => formerClient(sandbox, formerOverHttp)],
  ["@modelcontextprotocol/client over HTTP", "2025-11-25", newerClient("legacy", newerOverHttp)],
  ["@modelcontextprotocol/client with discovery over HTTP", "2026-07-28", newerClient("auto", newerOverHttp)],
];
