// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Searches of a server whose language model answers, and then hangs:
 *
 *     deno run -A --config deno.dev.json research/hanging_model.ts EXECUTABLE [SECONDS [TASKS]]
 *
 * Prints the median and the maximum of 20 searches over stdio in milliseconds. SECONDS: `llm.timeout_seconds`.
 */
import { LanguageServer } from "../tests/models/language/_servers/mod.ts";

const [exe, timeout = "1", tasks = "rewrite,rerank"] = Deno.args as [string, string?, string?];
await using server = await LanguageServer.start("openai-compatible");
const { provider, base_url, model } = server.llm();
const parent = await Deno.makeTempDir();
const folder = `${parent}/f`, state = `${parent}/s`;
await Deno.mkdir(folder);
await Deno.mkdir(state);
for (let i = 0; i < 60; i++) {
  await Deno.writeTextFile(
    `${folder}/tea${i}.md`,
    `# Tea ${i}\n\nGreen tea number ${i} needs water of ${60 + i} degrees for ${i} minutes.\n`,
  );
}
const env = {
  PATH: Deno.env.get("PATH")!,
  HOME: parent,
  MUXUE_RAG_STATE_DIR: state,
  MUXUE_RAG_CONFIG_DIR: state,
  MUXUE_RAG_LLM_PROVIDER: provider,
  MUXUE_RAG_LLM_BASE_URL: base_url,
  MUXUE_RAG_LLM_MODEL: model,
  MUXUE_RAG_LLM_TASKS: tasks,
  MUXUE_RAG_LLM_TIMEOUT_SECONDS: timeout,
};
const index = await new Deno.Command(exe, {
  args: ["index", folder, "--quiet"],
  env,
  clearEnv: true,
  cwd: parent,
}).output();
if (!index.success) console.log(new TextDecoder().decode(index.stderr));
const child = new Deno.Command(exe, {
  args: ["serve", "--dir", folder],
  env,
  clearEnv: true,
  cwd: parent,
  stdin: "piped",
  stdout: "piped",
  stderr: "null",
}).spawn();
const writer = child.stdin.getWriter(), reader = child.stdout.getReader();
const ask = async (request: Record<string, unknown>) => {
  await writer.write(new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`));
  let line = "";
  while (!line.endsWith("\n")) line += new TextDecoder().decode((await reader.read()).value);
};
await ask({
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
});
const run = async (n: number, keyword: (i: number) => string) => {
  const times: number[] = [];
  for (let i = 0; i < n; i++) {
    const began = performance.now();
    await ask({
      id: 10 + i,
      method: "tools/call",
      params: { name: "search_rag", arguments: { keyword: keyword(i) } },
    });
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  return { median: Math.round(times[n >> 1]!), max: Math.round(times.at(-1)!) };
};
await run(3, (i) => `how hot is water for tea ${i}`);
const healthy = await run(20, (i) => `how warm must water be for green tea number ${i}`);
console.log("answers", healthy, "requests", server.requests.length);
server.rule = () => "hang";
const before = server.requests.length;
const hanging = await run(20, (i) => `how many minutes does tea number ${i} need`);
console.log("hangs", hanging, "requests", server.requests.length - before);
await writer.close();
await child.status;
await reader.cancel().catch(() => {});
await Deno.remove(parent, { recursive: true });
