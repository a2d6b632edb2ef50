import assert from "node:assert/strict";
import { join } from "node:path";
import { headersFor, META, startHttpProgram } from "./_http_program.ts";
import { type Message, openPipe } from "./_mcp_pipe.ts";
import { officialSchemas, type RevisionSchema } from "./_official_schemas.ts";
import { makeIndexed, type Sandbox } from "./_program.ts";
import { OFFLINE_TOOLS, SAMPLE_CALLS, SAMPLE_FILES } from "./_tools.ts";

/** The definition of each result. */
const RESULTS: Readonly<Record<string, string>> = {
  "initialize": "InitializeResult",
  "server/discover": "DiscoverResult",
  "ping": "EmptyResult",
  "tools/list": "ListToolsResult",
  "tools/call": "CallToolResult",
  "resources/list": "ListResourcesResult",
  "resources/templates/list": "ListResourceTemplatesResult",
  "resources/read": "ReadResourceResult",
  "prompts/list": "ListPromptsResult",
  "prompts/get": "GetPromptResult",
  "completion/complete": "CompleteResult",
  "logging/setLevel": "EmptyResult",
};

/** A connection that sends requests and returns all messages up to the answer. */
interface Connection extends AsyncDisposable {
  exchange(request: Message): Promise<Message[]>;
}

async function overStdio(sandbox: Sandbox): Promise<Connection> {
  const pipe = await openPipe(sandbox, ["--dir", sandbox.folder], null);
  return {
    async exchange(request) {
      await pipe.send(request);
      return "id" in request ? await pipe.receiveUntil(request.id) : [];
    },
    [Symbol.asyncDispose]: () => pipe[Symbol.asyncDispose](),
  };
}

async function overHttp(sandbox: Sandbox): Promise<Connection> {
  const server = await startHttpProgram(sandbox);
  let session: Record<string, string> = {};
  return {
    async exchange(request) {
      const version = request.params?._meta?.["io.modelcontextprotocol/protocolVersion"];
      const name = request.params?.name ?? request.params?.uri;
      const response = await fetch(server.url, {
        method: "POST",
        headers: {
          ...{ "Content-Type": "application/json", "Accept": "application/json, text/event-stream" },
          ...session,
          ...(version !== undefined && headersFor(request.method, name)),
          ...(version !== undefined && { "MCP-Protocol-Version": version }),
        },
        body: JSON.stringify(request),
      });
      const text = await response.text();
      if (request.method === "initialize") {
        session = {
          "Mcp-Session-Id": response.headers.get("mcp-session-id")!,
          "MCP-Protocol-Version": request.params.protocolVersion,
        };
      }
      if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
        return text === "" ? [] : [JSON.parse(text)];
      }
      return [...text.matchAll(/^data: ?(\{.*)$/gm)].map(([, data]) => JSON.parse(data!));
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Sends requests in one revision, and checks every message of the server by its schema. */
class Checked {
  readonly #connection: Connection;
  readonly #schema: RevisionSchema;
  readonly #meta: Record<string, unknown>;
  #id = 0;
  /** Names of the definitions by which messages were checked, each with their number. */
  readonly seen = new Map<string, number>();

  constructor(connection: Connection, schema: RevisionSchema, meta: Record<string, unknown>) {
    this.#connection = connection;
    this.#schema = schema;
    this.#meta = meta;
  }

  async ask(method: string, params: Record<string, unknown> = {}): Promise<Message> {
    const id = ++this.#id;
    const meta = Object.keys(this.#meta).length === 0 && params._meta === undefined
      ? {}
      : { _meta: { ...this.#meta, ...(params._meta as object) } };
    const messages = await this.#connection.exchange({
      jsonrpc: "2.0",
      id,
      method,
      params: { ...params, ...meta },
    });
    for (const message of messages) this.#check(method, message);
    return messages.find((message) => message.id === id);
  }

  async tell(method: string): Promise<void> {
    await this.#connection.exchange({ jsonrpc: "2.0", method });
  }

  #check(method: string, message: Message): void {
    if ("method" in message) {
      return this.#valid("id" in message ? "ServerRequest" : "ServerNotification", message);
    }
    if ("error" in message) return this.#valid(this.#first("JSONRPCErrorResponse", "JSONRPCError"), message);
    this.#valid(this.#first("JSONRPCResultResponse", "JSONRPCResponse"), message);
    this.#valid(RESULTS[method]!, message.result);
    const whole = `${RESULTS[method]}Response`;
    if (this.#schema.has(whole)) this.#valid(whole, message);
  }

  #first(...definitions: string[]): string {
    return definitions.find((definition) => this.#schema.has(definition))!;
  }

  #valid(definition: string, value: unknown): void {
    assert.ok(this.#schema.has(definition), definition);
    this.seen.set(definition, (this.seen.get(definition) ?? 0) + 1);
    const problems = this.#schema.problems(definition, value);
    assert.deepEqual(problems, [], `${definition}: ${JSON.stringify(value).slice(0, 600)}`);
  }
}

/** Sends all requests that the server says it answers, and some that it refuses. */
async function converse(checked: Checked, capabilities: Message, folder: string): Promise<void> {
  const path = join(folder, "tea.md");
  const { result: { tools } } = await checked.ask("tools/list");
  assert.deepEqual(tools.map(({ name }: { name: string }) => name), OFFLINE_TOOLS);
  const call = async (name: string, args: unknown) =>
    (await checked.ask("tools/call", { name, arguments: args, _meta: { progressToken: name } })).result;
  const { structuredContent: { data } } = await call("query_knowledge_hub", { query: "green tea" });
  const chunk = data.citations.find(({ source }: { source: string }) => source === path).chunk_id;
  for (const name of OFFLINE_TOOLS) {
    assert.notEqual((await call(name, SAMPLE_CALLS[name].args(path, chunk))).isError, true, name);
  }
  assert.equal((await call("read_raw_file", { file_path: join(folder, "no.md") })).isError, true);
  if ("resources" in capabilities) {
    const { result: { resources } } = await checked.ask("resources/list");
    await checked.ask("resources/templates/list");
    if (resources.length > 0) await checked.ask("resources/read", { uri: resources[0].uri });
    assert.ok("error" in await checked.ask("resources/read", { uri: "muxue://no/no.md" }));
  }
  if ("prompts" in capabilities) {
    const { result: { prompts } } = await checked.ask("prompts/list");
    for (const { name, arguments: wanted = [] } of prompts) {
      const given = wanted.map(({ name }: { name: string }) => [name, "tea.md"]);
      await checked.ask("prompts/get", { name, arguments: Object.fromEntries(given) });
    }
    const argument = prompts[0].arguments?.[0]?.name;
    if ("completions" in capabilities && argument !== undefined) {
      const ref = { type: "ref/prompt", name: prompts[0].name };
      await checked.ask("completion/complete", { ref, argument: { name: argument, value: "t" } });
    }
  }
  assert.equal((await checked.ask("tools/call", { name: "no_such_tool" })).error.code, -32602);
  assert.equal((await checked.ask("tools/call", {})).error.code, -32602);
  assert.equal((await checked.ask("no/such/method")).error.code, -32601);
}

const CLIENT = { name: "schemas", version: "0" };
const LEGACY = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

Deno.test("the official schemas refuse results that lack a field or have content of an unknown type", async () => {
  const schemas = await officialSchemas();
  assert.deepEqual([...schemas.keys()], [...LEGACY, "2026-07-28"]);
  for (const [revision, schema] of schemas) {
    const refused = (definition: string, value: unknown) => schema.problems(definition, value).length > 0;
    assert.ok(
      refused("CallToolResult", { content: [{ type: "nothing" }], resultType: "complete" }),
      revision,
    );
    assert.ok(refused("ListToolsResult", { tools: [{ name: "a" }], resultType: "complete" }), revision);
    // Links to resources are content since 2025-06-18.
    const link = { type: "resource_link", name: "a", uri: "file:///a" };
    assert.equal(
      refused("CallToolResult", { content: [link], resultType: "complete" }),
      revision < "2025-06-18",
    );
  }
});

for (const [transport, connect] of [["stdio", overStdio], ["HTTP", overHttp]] as const) {
  Deno.test(`every message over ${transport} is valid by the official schema of its revision`, async (t) => {
    const schemas = await officialSchemas();
    await using place = await makeIndexed(SAMPLE_FILES, { env: { MUXUE_RAG_MCP_TOOLS: "all" } });
    for (const revision of LEGACY) {
      await t.step(revision, async () => {
        await using connection = await connect(place);
        const checked = new Checked(connection, schemas.get(revision)!, {});
        const { result } = await checked.ask("initialize", {
          protocolVersion: revision,
          capabilities: {},
          clientInfo: CLIENT,
        });
        assert.equal(result.protocolVersion, revision);
        await checked.tell("notifications/initialized");
        await checked.ask("ping");
        if ("logging" in result.capabilities) await checked.ask("logging/setLevel", { level: "debug" });
        await converse(checked, result.capabilities, place.folder);
        assert.ok(checked.seen.get("CallToolResult")! > OFFLINE_TOOLS.length);
      });
    }
    await t.step("2026-07-28", async () => {
      await using connection = await connect(place);
      const checked = new Checked(connection, schemas.get("2026-07-28")!, META);
      const { result } = await checked.ask("server/discover");
      await converse(checked, result.capabilities, place.folder);
      assert.ok(checked.seen.get("CallToolResultResponse")! > OFFLINE_TOOLS.length);
      const newer = { "io.modelcontextprotocol/protocolVersion": "2999-01-01" };
      assert.deepEqual(
        (await checked.ask("tools/list", { _meta: newer })).error.data.supported,
        result.supportedVersions,
      );
    });
  });
}
