import { call } from "./_mcp_pipe.ts";
import { type Sandbox, spawnIn } from "./_program.ts";

/** The real program as a server over HTTP. */
export interface HttpProgram extends AsyncDisposable {
  /** Address of the endpoint. */
  readonly url: URL;
  readonly port: number;
  readonly pid: number;
  /** Its output on stderr so far. */
  stderr(): string;
  /** Asks it to end, as Ctrl-C does, and returns its exit code. */
  end(): Promise<number>;
}

/** Starts `serve --http --port 0` for the sandbox's folder, with further arguments. Its stdin ends at once. */
export async function startHttpProgram(
  sandbox: Pick<Sandbox, "env" | "cwd" | "folder" | "start">,
  ...more: string[]
): Promise<HttpProgram> {
  const args = ["serve", "--http", "--port", "0", "--dir", sandbox.folder, ...more];
  const child = spawnIn(sandbox, sandbox.start(args), "null");
  void child.stdout.cancel();
  let stderr = "";
  const { promise: listening, resolve, reject } = Promise.withResolvers<URL>();
  const reading = (async () => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      stderr += text;
      const [address] = /https?:\/\/\S+?\/mcp/.exec(stderr) ?? [];
      if (address !== undefined && stderr.includes("\n")) resolve(new URL(address));
    }
    reject(new Error(`the server has ended: ${stderr}`));
  })();
  const end = async () => {
    try {
      child.kill("SIGTERM");
    } catch {
      // It has ended.
    }
    const { code } = await child.status;
    await reading;
    return code;
  };
  try {
    const url = await listening;
    return {
      ...{ url, port: Number(url.port), pid: child.pid, stderr: () => stderr, end },
      [Symbol.asyncDispose]: async () => void await end(),
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** The fields about the client in a request of revision 2026-07-28. */
export const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** The headers of a request of revision 2026-07-28. `name`: that of a tool or a prompt, or the URI of a resource. */
export function headersFor(method: string, name?: string): Record<string, string> {
  return {
    ...{ "Content-Type": "application/json", "Accept": "application/json, text/event-stream" },
    ...{ "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method },
    ...(name !== undefined && { "Mcp-Name": name }),
  };
}

/** The body of a tool call in revision 2026-07-28. */
export function callBody(name: string, args: Record<string, unknown>): string {
  const { params, ...request } = call(1, name, args);
  return JSON.stringify({ ...request, params: { ...params, _meta: META } });
}

/** Searches on a server over HTTP, by one request. */
export function searchOverHttp(
  url: URL | string,
  keyword: string,
  more: RequestInit & { readonly client?: Deno.HttpClient } = {},
): Promise<Response> {
  return fetch(url, {
    ...{ method: "POST", headers: headersFor("tools/call", "search_rag") },
    ...{ body: callBody("search_rag", { keyword }), ...more },
  });
}
