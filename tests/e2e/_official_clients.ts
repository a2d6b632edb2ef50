import * as current from "@modelcontextprotocol/client";
import { StdioClientTransport as CurrentTransport } from "@modelcontextprotocol/client/stdio";
import { Client as FormerClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FormerTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as FormerHttpTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { startHttpProgram } from "./_http_program.ts";
import type { Sandbox } from "./_program.ts";

// deno-lint-ignore no-explicit-any
type Answered = Promise<any>;

/** Methods that the clients of both lines have under the same names. */
export interface ClientRequests {
  listResources(params?: { cursor?: string }): Answered;
  listResourceTemplates(): Answered;
  readResource(params: { uri: string }): Answered;
  listPrompts(): Answered;
  getPrompt(params: { name: string; arguments?: Record<string, string> }): Answered;
  complete(params: {
    ref: { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string };
    argument: { name: string; value: string };
    context?: { arguments: Record<string, string> };
  }): Answered;
  getServerCapabilities(): unknown;
}

/** Methods of the clients of both lines that are called here alone. `listen` is of revision 2026-07-28, what follows it of earlier ones. */
interface AnyClient extends ClientRequests {
  getServerVersion(): { name: string } | undefined;
  listTools(): Promise<{ tools: { name: string }[] }>;
  close(): Promise<void>;
  fallbackNotificationHandler?: (notification: { method: string; params?: unknown }) => Promise<void>;
  listen(what: { resourcesListChanged: boolean; resourceSubscriptions: readonly string[] }): Promise<unknown>;
  subscribeResource(params: { uri: string }): Promise<unknown>;
  setLoggingLevel(level: "info"): Promise<unknown>;
}

/** The common interface of the official clients. */
export interface OfficialClient extends AsyncDisposable {
  readonly revision: string | undefined;
  readonly serverName: string | undefined;
  listTools(): Promise<string[]>;
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<ToolResult>;
  readonly requests: ClientRequests;
  /** Asks to be told about the list of resources and about these resources. Each notification is passed on. */
  listen(uris: readonly string[], onNotification: (method: string, params: unknown) => void): Promise<void>;
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

/** The parts of a connection in which the clients differ. */
interface Connection {
  readonly client: unknown;
  readonly revision: string | undefined;
  // deno-lint-ignore no-explicit-any
  readonly callTool: (call: { name: string; arguments: any }, options: CallOptions) => Answered;
  /** It ends with the client. */
  readonly server: AsyncDisposable | undefined;
}

function officialClient({ client: given, revision, callTool, server }: Connection): OfficialClient {
  const client = given as AnyClient;
  return {
    revision,
    serverName: client.getServerVersion()?.name,
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, args, options = {}) {
      const { content, structuredContent, isError = false } = await callTool(
        { name, arguments: args },
        options,
      );
      return { text: content[0].text, content, hints: [], ...structuredContent, isError };
    },
    requests: client,
    async listen(uris, onNotification) {
      client.fallbackNotificationHandler = ({ method, params }) =>
        Promise.resolve(onNotification(method, params));
      if (revision === "2026-07-28") {
        await client.listen({ resourcesListChanged: true, resourceSubscriptions: uris });
        return;
      }
      await client.setLoggingLevel("info");
      for (const uri of uris) await client.subscribeResource({ uri });
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await server?.[Symbol.asyncDispose]();
    },
  };
}

const IDENTITY = { name: "e2e", version: "0" };

/** The command that a transport over stdio starts: `serve` for the folder, or with these arguments. */
function serverParameters({ start, folder, env, cwd }: Sandbox, argv: readonly string[] = ["--dir", folder]) {
  const { cmd: command, args } = start(["serve", ...argv]);
  return { command, args, env, cwd, stderr: "ignore" as const };
}

/** A client of the older SDK, over stdio, or over HTTP to `server`. */
export async function formerClient(
  sandbox: Sandbox,
  { server, argv }: { server?: Awaited<ReturnType<typeof startHttpProgram>>; argv?: readonly string[] } = {},
): Promise<OfficialClient> {
  const client = new FormerClient(IDENTITY);
  const transport = server === undefined
    ? new FormerTransport(serverParameters(sandbox, argv))
    : new FormerHttpTransport(server.url);
  let revision: string | undefined;
  Object.assign(transport, { setProtocolVersion: (version: string) => void (revision = version) });
  await client.connect(transport);
  const callTool: Connection["callTool"] = (call, options) => client.callTool(call, undefined, options);
  return officialClient({ client, revision, server, callTool });
}

/** A client of the newer SDK. `mode`: whether it discovers what the server can. */
async function newerClient(
  sandbox: Sandbox,
  mode: "legacy" | "auto",
  overHttp: boolean,
): Promise<OfficialClient> {
  const client = new current.Client(IDENTITY, { versionNegotiation: { mode } });
  const server = overHttp ? await startHttpProgram(sandbox) : undefined;
  await client.connect(
    server === undefined
      ? new CurrentTransport(serverParameters(sandbox))
      : new current.StreamableHTTPClientTransport(server.url),
  );
  return officialClient({
    ...{ client, server, revision: client.getNegotiatedProtocolVersion() },
    callTool: (call, options) => client.callTool(call, options),
  });
}

/** The official clients, by name, with the protocol revision that they agree on. Each serves the sandbox's folder. */
export const OFFICIAL_CLIENTS: readonly [
  name: string,
  revision: string,
  connect: (sandbox: Sandbox) => Promise<OfficialClient>,
][] = [false, true].flatMap((overHttp) => {
  const over = overHttp ? " over HTTP" : "";
  const former = async (sandbox: Sandbox) =>
    formerClient(sandbox, overHttp ? { server: await startHttpProgram(sandbox) } : {});
  return [
    [`@modelcontextprotocol/sdk${over}`, "2025-11-25", former],
    [
      `@modelcontextprotocol/client${over}`,
      "2025-11-25",
      (sandbox) => newerClient(sandbox, "legacy", overHttp),
    ],
    [
      `@modelcontextprotocol/client with discovery${over}`,
      "2026-07-28",
      (sandbox) => newerClient(sandbox, "auto", overHttp),
    ],
  ] satisfies typeof OFFICIAL_CLIENTS;
});
