/** A server over HTTP for several people, and clients with their tokens. */
import { equal } from "node:assert/strict";
import { headersFor, META, startHttpProgram } from "../e2e/_http_program.ts";
import { makeSandbox, type Sandbox, writeFiles } from "../e2e/_program.ts";

/** A JSON-RPC message, untyped. */
// deno-lint-ignore no-explicit-any
export type Message = any;

/** The collections alpha and beta, and a server of both. */
export interface Team extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly folder: string;
  readonly url: URL;
  /** The command line of the server. */
  readonly args: readonly string[];
  /** Makes a token for a collection. */
  add(name: string, ...collections: string[]): Promise<string>;
  revoke(name: string): Promise<void>;
  /** Starts another server, of these collections. */
  serve(collections: readonly string[], more?: readonly string[]): Promise<URL>;
}

/** Indexes files below `alpha/` and `beta/`, and serves both to people with tokens, without writing. */
export async function startTeam(files: Readonly<Record<string, string>>): Promise<Team> {
  await using stack = new AsyncDisposableStack();
  const sandbox = stack.use(await makeSandbox(files, { env: { OWNER: "owner-0123456789abcdef" } }));
  const { cwd, folder, run } = sandbox;
  const config = `${cwd}/team.yaml`;
  const place = (name: string) => JSON.stringify(`${folder}/${name}`);
  await writeFiles(cwd, {
    "team.yaml": `language: en\nmcp: {tools: all}\n` +
      `collections: {alpha: {path: ${place("alpha")}}, beta: {path: ${place("beta")}}}\n`,
  });
  for (const name of ["alpha", "beta"]) {
    equal((await run("index", `${folder}/${name}`, "--config", config)).code, 0);
  }
  const add = async (name: string, ...collections: string[]) => {
    const grants = collections.flatMap((collection) => ["--collection", collection]);
    const { code, stdout, stderr } = await run("token", "add", name, ...grants, "--config", config);
    equal(code, 0, stderr);
    return stdout.trim();
  };
  // A server without tokens would answer everybody.
  await add("first", "alpha");
  const resources = stack.move();
  const serve = async ([first = "", ...others]: readonly string[], more: readonly string[] = []) => {
    const dirs = others.flatMap((name) => ["--dir", name]);
    const args = [...dirs, "--no-watch", "--config", config, ...more];
    return resources.use(await startHttpProgram({ ...sandbox, folder: first }, ...args)).url;
  };
  const url = await serve(["alpha", "beta"]);
  return {
    ...{ sandbox, folder, url, add, serve },
    args: [
      "serve",
      "--http",
      "--port",
      "0",
      "--dir",
      "alpha",
      "--dir",
      "beta",
      "--no-watch",
      "--config",
      config,
    ],
    revoke: async (name) => equal((await run("token", "revoke", name)).code, 0),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** A client of revision 2026-07-28. */
export interface Client {
  /** The answer to a request: its result or error, and the status. */
  ask(method: string, params: Record<string, unknown>, name?: string): Promise<Message>;
  /** The result of a tool. */
  call(tool: string, args: Record<string, unknown>): Promise<Message>;
}

export function fetchWith(url: URL, token: string): Client {
  const ask = async (method: string, params: Record<string, unknown>, name?: string) => {
    // A header takes no other characters.
    const isPlain = name === undefined || /^[\x21-\x7e]+$/.test(name);
    const answer = await fetch(url, {
      method: "POST",
      headers: { ...headersFor(method, isPlain ? name : undefined), Authorization: `Bearer ${token}` },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: META } }),
    });
    const text = await answer.text();
    const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
    const { result, error } = JSON.parse(data);
    return { status: answer.status, result, error };
  };
  return {
    ask,
    async call(tool, args) {
      const { status, result, error } = await ask("tools/call", { name: tool, arguments: args }, tool);
      equal(status, 200, JSON.stringify(error));
      return result ?? error;
    },
  };
}

/** The stream of a subscription of revision 2026-07-28. */
export function subscribe(url: URL, token: string, uris: readonly string[]): Promise<Response> {
  const method = "subscriptions/listen";
  const params = { notifications: { resourceSubscriptions: uris }, _meta: META };
  return fetch(url, {
    method: "POST",
    headers: { ...headersFor(method), Authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
}

/** A session of revision 2025-11-25, which anybody may try to use. */
export interface TriedSession {
  send(token: string | undefined, message: Record<string, unknown>): Promise<Response>;
  listen(token: string | undefined): Promise<Response>;
  end(token: string | undefined): Promise<Response>;
}

/** Begins a session with a token. */
export async function session(url: URL, token: string): Promise<TriedSession> {
  let id = 1;
  const request = (method: string, token: string | undefined, session?: string, message?: object) =>
    fetch(url, {
      method,
      headers: {
        ...{ "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(session !== undefined && { "Mcp-Session-Id": session, "MCP-Protocol-Version": "2025-11-25" }),
      },
      ...(message !== undefined && { body: JSON.stringify({ jsonrpc: "2.0", id: id++, ...message }) }),
    });
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "0" },
  };
  const begun = await request("POST", token, undefined, { method: "initialize", params });
  await begun.body?.cancel();
  const own = begun.headers.get("Mcp-Session-Id")!;
  return {
    send: (token, message) => request("POST", token, own, message),
    listen: (token) => request("GET", token, own),
    end: (token) => request("DELETE", token, own),
  };
}
