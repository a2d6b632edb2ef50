// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Measures round trips of `search_rag` from clients to the program, which runs as a server. Prints JSON, in milliseconds: the median, the
 * 95th percentile, the server's CPU time for each search, and the time until the server has ended while it has 200 searches to do (stdin is
 * closed; over HTTP it gets SIGTERM). Arguments: folder, file with the questions (JSON), folder of the program's state, transport (`stdio`,
 * `http`, or `session` for HTTP with the session of older revisions), number of clients, executable (default: the sources). Several clients
 * share the questions, with the pauses of `searches.ts`. Over stdio each client has its own server.
 */
import { Program } from "./program.ts";

/** Rounds over all questions; the first is not counted. */
const ROUNDS = 3;

/** As in `searches.ts`. */
const PAUSE_MS = 200;

const [folder, questionsFile, state, transport, clients, executable] = Deno.args as [
  string,
  string,
  string,
  "stdio" | "http" | "session",
  string,
  string?,
];
const questions: string[] = JSON.parse(await Deno.readTextFile(questionsFile));
const program = new Program(state, executable || undefined);

/** Sends a search and returns the answer as text. */
type Search = (keyword: string) => Promise<string>;

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A client over HTTP: without sessions, or with one. */
async function httpClient(url: string, withSession: boolean): Promise<Search> {
  let id = 0;
  const post = async (method: string, params: Record<string, unknown>, headers: Record<string, string>) => {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params }),
    });
    return { session: response.headers.get("mcp-session-id"), text: await response.text() };
  };
  const call = { name: "search_rag" };
  if (!withSession) {
    const headers = {
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "tools/call",
      "Mcp-Name": "search_rag",
    };
    return async (keyword) =>
      (await post("tools/call", { ...call, arguments: { keyword }, _meta: META }, headers)).text;
  }
  const { session } = await post("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  }, {});
  const headers = { "Mcp-Session-Id": session!, "MCP-Protocol-Version": "2025-11-25" };
  return async (keyword) => (await post("tools/call", { ...call, arguments: { keyword } }, headers)).text;
}

const times: number[] = [];

/** Asks its share of the questions in the rounds from `from` to `to`. */
async function ask(search: Search, client: number, from: number, to: number): Promise<void> {
  for (let round = from; round < to; round++) {
    for (let i = 0; i < questions.length / Number(clients); i++) {
      const began = performance.now();
      const answer = await search(questions[(i + client * 17) % questions.length]!);
      if (from > 0) times.push(performance.now() - began);
      if (clients !== "1") await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (!answer.includes('"code":200')) throw new Error(answer.slice(0, 500));
    }
  }
}

/** Lets all clients ask, and returns the CPU milliseconds of a search. */
async function askAll(searches: readonly Search[], cpuMs: () => number): Promise<number> {
  const rounds = (from: number, to: number) =>
    Promise.all(searches.map((search, client) => ask(search, client, from, to)));
  await rounds(0, 1);
  const before = cpuMs();
  await rounds(1, ROUNDS);
  return (cpuMs() - before) / times.length;
}

const all = Array.from({ length: Number(clients) }, (_, client) => client);
let exitMs: number, cpuMs: number;
if (transport === "stdio") {
  const servers = await Promise.all(all.map(() => program.serve(folder)));
  cpuMs = await askAll(
    servers.map((server) => (keyword) => server.search(keyword, "hybrid")),
    () => servers.reduce((sum, server) => sum + server.cpuMs, 0),
  );
  exitMs = Math.max(...await Promise.all(servers.map((server) => server.endUnderLoad(questions))));
} else {
  const server = await program.serveHttp(folder);
  const searches = await Promise.all(all.map(() => httpClient(server.url, transport === "session")));
  cpuMs = await askAll(searches, server.cpuMs);
  const load = questions.map((keyword, i) => searches[i % searches.length]!(keyword).catch(() => ""));
  // The first requests have arrived when one is answered.
  await Promise.race(load);
  exitMs = await server.end();
  await Promise.all(load);
}
times.sort((a, b) => a - b);
const at = (share: number) => times[Math.floor(times.length * share)]!;
console.log(JSON.stringify({ p50: at(0.5), p95: at(0.95), cpuMs, exitMs }));
