// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Asks a running server for the pictures, pages and text of each document in an indexed folder, three at a time, and cancels some calls.
 * Prints the kinds of answers, the slowest calls, and the memory of the server from one quarter of the documents to the next.
 *
 *     deno run -A --config deno.dev.json research/pictures/hostile.ts EXECUTABLE FOLDER
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [executable, folder] = Deno.args as [string, string];
const AT_ONCE = 3, LONGEST = 120_000;
/** Each tenth call is cancelled after so many milliseconds. */
const CANCELLED_AFTER = 5;

const configuration = await Deno.makeTempFile({ suffix: ".yaml" });
await Deno.writeTextFile(configuration, "mcp:\n  tools: all\n");
const transport = new StdioClientTransport({
  command: executable,
  args: ["serve", folder, "--no-watch", "--config", configuration],
  stderr: "ignore",
});
const client = new Client({ name: "hostile", version: "1.0.0" });
await client.connect(transport);

const answers = new Map<string, number>();
const times: { ms: number; what: string }[] = [];
const memory: string[] = [];
const names = (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name))
  .filter((name) => !name.startsWith(".")).sort();
let calls = 0, next = 0;
await Promise.all(Array.from({ length: AT_ONCE }, async () => {
  while (next < names.length) {
    if (next % Math.ceil(names.length / 8) === 0) memory.push(memoryOf(transport.pid!));
    const name = names[next++]!;
    const count = await ask("list_images", { file_path: name });
    if (count !== undefined) await ask("get_image", { file_path: name, number: 1 });
    await ask("get_page_image", { file_path: name, page: 1 });
    await ask("get_document_content", { file_path: name });
    await ask("read_raw_file", { file_path: name });
  }
}));
memory.push(memoryOf(transport.pid!));
await client.ping();
await client.close();
for (const [answer, count] of [...answers].sort((a, b) => b[1] - a[1])) {
  console.log(`${count}`.padStart(5), answer);
}
times.sort((a, b) => b.ms - a.ms);
for (const { ms, what } of times.slice(0, 8)) console.log(`${(ms / 1000).toFixed(1)} s`, what);
console.log(`${calls} calls; memory of the server and its extractors: ${memory.join(", ")} MB`);

async function ask(tool: string, input: Record<string, unknown>): Promise<string | undefined> {
  const isCancelled = ++calls % 10 === 0;
  const start = performance.now();
  let kind: string, text: string | undefined;
  try {
    const { content, isError } = await client.callTool({ name: tool, arguments: input }, undefined, {
      timeout: LONGEST,
      ...(isCancelled ? { signal: AbortSignal.timeout(CANCELLED_AFTER) } : {}),
    }) as { content: { type: string; text?: string }[]; isError?: boolean };
    const first = content[0]?.text ?? "";
    text = isError ? undefined : first;
    const named = first.replaceAll(`${input["file_path"]}`, "FILE").replace(/\d+/g, "#").slice(0, 110);
    kind = isError ? `error: ${named}` : content.some(({ type }) => type === "image") ? "a picture" : "text";
    if (!isError && kind === "text" && /^get_(?:page_)?image$/.test(tool)) kind = `text: ${named}`;
  } catch (error) {
    kind = isCancelled
      ? "cancelled"
      : `thrown: ${error instanceof Error ? error.message.slice(0, 110) : error}`;
  }
  answers.set(`${tool}: ${kind}`, (answers.get(`${tool}: ${kind}`) ?? 0) + 1);
  times.push({ ms: performance.now() - start, what: `${tool} ${input["file_path"]}` });
  return text;
}

/** Resident memory of a process and of its children, in MB. */
function memoryOf(pid: number): string {
  const text = (path: string) => {
    try {
      return Deno.readTextFileSync(path);
    } catch {
      return "";
    }
  };
  const of = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(text(`/proc/${pid}/status`))?.[1] ?? 0);
  const inner = text(`/proc/${pid}/task/${pid}/children`).trim().split(" ").filter(Boolean).map(Number);
  return `${Math.round(of(pid) / 1024)} + ${Math.round(inner.reduce((sum, one) => sum + of(one), 0) / 1024)}`;
}
