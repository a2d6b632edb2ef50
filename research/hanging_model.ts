// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Searches of a server whose language model answers, and then hangs:
 *
 *     deno run -A --config deno.dev.json research/hanging_model.ts EXECUTABLE [SECONDS [TASKS]]
 *
 * Prints the median and the maximum of 20 searches over stdio in milliseconds. SECONDS: `llm.timeout_seconds`.
 */
import { Program } from "../scripts/bench/program.ts";
import { median } from "../scripts/bench/samples.ts";
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
const program = new Program(state, exe, {
  MUXUE_RAG_LLM_PROVIDER: provider,
  MUXUE_RAG_LLM_BASE_URL: base_url,
  MUXUE_RAG_LLM_MODEL: model,
  MUXUE_RAG_LLM_TASKS: tasks,
  MUXUE_RAG_LLM_TIMEOUT_SECONDS: timeout,
});
await program.index(folder);
await using served = await program.serve(folder);
const run = async (n: number, keyword: (i: number) => string) => {
  const times: number[] = [];
  for (let i = 0; i < n; i++) {
    const began = performance.now();
    await served.search(keyword(i), "hybrid");
    times.push(performance.now() - began);
  }
  return { median: Math.round(median(times)), max: Math.round(Math.max(...times)) };
};
await run(3, (i) => `how hot is water for tea ${i}`);
const healthy = await run(20, (i) => `how warm must water be for green tea number ${i}`);
console.log("answers", healthy, "requests", server.requests.length);
server.rule = () => "hang";
const before = server.requests.length;
const hanging = await run(20, (i) => `how many minutes does tea number ${i} need`);
console.log("hangs", hanging, "requests", server.requests.length - before);
await Deno.remove(parent, { recursive: true });
