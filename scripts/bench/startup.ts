// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Measures start-up time and memory of an executable, compared with an executable that does nothing: first its launcher
 * alone, which reads the command line, then with the worker that serves. Prints JSON. Every figure is the median over fresh
 * processes; times count from the start of the process.
 *
 *     deno run --allow-all scripts/bench/startup.ts EXECUTABLE FOLDER
 *
 * FOLDER is the folder to search; it is indexed first.
 */
import { join } from "node:path";

const RUNS = 15;
/** Wait between an answer and the reading of memory. */
const IDLE_MS = 1000;

const [executable, folder] = Deno.args;
if (executable === undefined || folder === undefined) throw new Error("startup.ts EXECUTABLE FOLDER");
const state = await Deno.makeTempDir({ prefix: "muxue_rag-startup-" });
const env = {
  ...Object.fromEntries(
    Object.entries(Deno.env.toObject()).filter(([name]) => !name.startsWith("MUXUE_RAG_")),
  ),
  MUXUE_RAG_STATE_DIR: state,
  MUXUE_RAG_CONFIG_DIR: state,
};

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;

async function medianOf(measure: () => Promise<number>): Promise<number> {
  const values = [];
  // The first run reads the file from disk and is not counted.
  await measure();
  for (let i = 0; i < RUNS; i++) values.push(await measure());
  return median(values);
}

/** Returns the duration of a whole run in milliseconds. */
async function wholeRun(path: string, ...args: string[]): Promise<number> {
  const began = performance.now();
  const { code, stderr } = await new Deno.Command(path, { args, env, clearEnv: true, stdin: "null" })
    .output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  return performance.now() - began;
}

/** Starts and initializes a server, calls `next` with the milliseconds that took, and stops the server. */
async function served(next: (ask: Ask, pid: number, ms: number) => Promise<number>): Promise<number> {
  const began = performance.now();
  const child = new Deno.Command(executable!, {
    args: ["serve", "--dir", folder!],
    env,
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const ask: Ask = async (id, method, params) => {
    await writer.write(
      new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`),
    );
    let line = "";
    while (!line.endsWith("\n")) line += (await reader.read()).value ?? "\n";
    if (JSON.parse(line).result?.isError !== undefined || !("result" in JSON.parse(line))) {
      throw new Error(line);
    }
    return performance.now() - began;
  };
  const ms = await ask(1, "initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  });
  const value = await next(ask, child.pid, ms);
  await writer.close();
  await reader.cancel();
  await child.status;
  return value;
}

type Ask = (id: number, method: string, params: Record<string, unknown>) => Promise<number>;

/** Returns the resident memory of a process in megabytes; NaN on systems without /proc. */
async function residentMegabytes(pid: number): Promise<number> {
  try {
    const status = await Deno.readTextFile(`/proc/${pid}/status`);
    return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1000;
  } catch {
    return NaN;
  }
}

/** Returns the memory in megabytes of a program that waits for input. */
async function waitingMegabytes(path: string, ...args: string[]): Promise<number> {
  const child = new Deno.Command(path, {
    args,
    env,
    clearEnv: true,
    stdin: "piped",
    stdout: "null",
    stderr: "null",
  }).spawn();
  await idle();
  const megabytes = await residentMegabytes(child.pid);
  await child.stdin.close();
  await child.status;
  return megabytes;
}

const idle = () => new Promise<void>((resolve) => setTimeout(resolve, IDLE_MS));

/** Compiles an executable that only waits until stdin ends. It shows what the runtime alone takes. */
async function emptyProgram(): Promise<string> {
  const source = join(state, "empty.js");
  const path = join(state, "empty");
  await Deno.writeTextFile(source, "await Deno.stdin.read(new Uint8Array(1));");
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["compile", "--quiet", "--no-config", "--no-check", "--no-code-cache", "--output", path, source],
  }).output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  return path;
}

const firstSearch = (ask: Ask) =>
  ask(2, "tools/call", { name: "search_rag", arguments: { keyword: "index search" } });

try {
  await wholeRun(executable, "--dir", folder, "--quiet");
  const empty = await emptyProgram();
  console.log(JSON.stringify({
    serverMegabytes: (await Deno.stat(executable)).size / 1e6,
    emptyMegabytes: (await Deno.stat(empty)).size / 1e6,
    emptyMs: await medianOf(() => wholeRun(empty)),
    emptyIdleMegabytes: await medianOf(() => waitingMegabytes(empty)),
    // Neither command needs a worker: `--version` ends at once, `config encrypt` waits for a secret.
    launcherMs: await medianOf(() => wholeRun(executable, "--version")),
    launcherIdleMegabytes: await medianOf(() =>
      waitingMegabytes(executable, "config", "encrypt", "--language", "en")
    ),
    serverInitializeMs: await medianOf(() => served((_ask, _pid, ms) => Promise.resolve(ms))),
    serverFirstSearchMs: await medianOf(() => served(firstSearch)),
    serverIdleMegabytes: await medianOf(() =>
      served(async (_ask, pid) => {
        await idle();
        return await residentMegabytes(pid);
      })
    ),
    serverSearchedMegabytes: await medianOf(() =>
      served(async (ask, pid) => {
        await firstSearch(ask);
        await idle();
        return await residentMegabytes(pid);
      })
    ),
  }));
} finally {
  await Deno.remove(state, { recursive: true });
}
