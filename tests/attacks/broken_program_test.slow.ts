/** Attacks on copies of the program that have faults which it should not have: a worker that blocks, and uncaught errors. */
import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { copyFolder } from "../../scripts/copy_folder.ts";
import { targetOf } from "../../scripts/compile/targets.ts";
import { openPipe, PATIENCE_MS, search } from "../e2e/_mcp_pipe.ts";
import {
  fromExecutable,
  fromSources,
  makeIndexed,
  makeSandbox,
  NO_EXECUTABLE,
  type Sandbox,
  spawnIn,
  type Start,
} from "../e2e/_program.ts";
import { ON_WINDOWS } from "../_posix.ts";

/** Code that blocks the event loop of a thread forever. */
const STUCK = `
  const LOOP = [0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,5,1,1,102,0,0,10,9,1,7,0,3,64,12,0,11,11];
  const stuckIn: Record<string, () => void> = {
    "a moment": () => { const end = Date.now() + 800; while (Date.now() < end); },
    "a loop": () => { for (;;); },
    "a pattern": () => { /^(a+)+$/.test("a".repeat(60) + "b"); },
    "a wait": () => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); },
    "wasm": () => {
      const module = new WebAssembly.Module(new Uint8Array(LOOP));
      (new WebAssembly.Instance(module).exports["f"] as () => void)();
    },
  };
`;
const WAYS = ["a loop", "a pattern", "a wait", "wasm"];

const SERVED = "lib/program/commands/serve/served_library.ts";

/** Returns the source of a server's folders with a search that blocks, in the way that its words name. */
function blocking(source: string): string {
  const head = "async search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer> {\n";
  if (!source.includes(head)) throw new Error(`${SERVED} has no search of this form`);
  return `${source.replace(head, `${head}    stuckIn[request.query]?.();\n`)}${STUCK}`;
}

/** A `doctor` with a fault. The configuration names its kind as the model; without a configuration it blocks. */
const COMMAND = `
  import process from "node:process";
  import type { Session } from "../request.ts";
  ${STUCK}
  export async function doctor({ io, config: { embedding: { model, api_key: key } } }: Session): Promise<number> {
    const error = () => new Error("\\u001b[31mno " + key + " here", { cause: key });
    const odd = { toString: () => { throw error(); } };
    const faults: Record<string, () => unknown> = {
      "rejection": () => Promise.reject(error()),
      "error": () => setTimeout(() => { throw error(); }),
      "several": () => { Promise.reject(error()); Promise.reject(error()); setTimeout(() => { throw error(); }); },
      "text": () => Promise.reject("\\u001b[31mno " + key + " here"),
      "odd": () => Promise.reject(odd),
      "process.exit": () => setTimeout(() => process.exit(7)),
      "Deno.exit": () => setTimeout(() => Deno.exit(7)),
      "process.exitCode": () => setTimeout(() => { process.exitCode = 7; process.exit(); }),
      "close": () => setTimeout(() => self.close()),
    };
    if (model! in faults) faults[model!]!();
    else {
      setTimeout(() => {
        io.err("stuck\\n");
        stuckIn["a loop"]!();
      }, 50);
    }
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    return 0;
  }
`;

const DOCTOR = "lib/program/commands/doctor.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FILES = ["main.ts", "deno.json", "deno.lock", "config.yaml", "LICENSE", "NOTICE"];
const FOLDERS = ["lib", "scripts", "web"];

/** A copy of the program with {@linkcode SERVED} and {@linkcode DOCTOR} broken. */
interface BrokenProgram extends AsyncDisposable {
  readonly fromSources: Start;
  /** Compiles an executable, if `DENORT_BIN` names a runtime. */
  compiled(): Promise<Start | undefined>;
}

async function breakProgram(): Promise<BrokenProgram> {
  const top = await Deno.realPath(await Deno.makeTempDir({ prefix: "muxue_rag_broken_" }));
  for (const path of FILES) await Deno.copyFile(join(ROOT, path), join(top, path));
  for (const path of FOLDERS) await copyFolder(join(ROOT, path), join(top, path));
  await Deno.writeTextFile(join(top, SERVED), blocking(await Deno.readTextFile(join(top, SERVED))));
  await Deno.writeTextFile(join(top, DOCTOR), COMMAND);
  return {
    fromSources: (args) => {
      const { cmd, args: all } = fromSources(args);
      return { cmd, args: all.map((arg) => arg === join(ROOT, "main.ts") ? join(top, "main.ts") : arg) };
    },
    async compiled() {
      if (!Deno.env.get("DENORT_BIN")) return undefined;
      const { compile }: typeof import("../../scripts/compile/compile.ts") = await import(
        pathToFileURL(join(top, "scripts/compile/compile.ts")).href
      );
      const path = join(top, Deno.build.os === "windows" ? "muxue_rag.exe" : "muxue_rag");
      const info = { commit: "0".repeat(40), "build_date": "2026-01-31T12:00:00Z" };
      const [failure] = await compile([{ target: targetOf(), path }], info);
      if (failure !== undefined) throw new Error(failure.reason);
      return fromExecutable(path);
    },
    [Symbol.asyncDispose]: () => Deno.remove(top, { recursive: true }),
  };
}

const ENDED_BY_FORCE =
  "The program did not respond and was terminated. If there was an index, it is unchanged\n";
/** Starts a server, blocks it, and runs `what`. Returns how it ended. */
async function endOfStuckServer(
  sandbox: Sandbox,
  way: string,
  what: (pipe: Awaited<ReturnType<typeof openPipe>>) => Promise<void>,
  options: { keepStdin?: boolean } = {},
) {
  const pipe = await openPipe(sandbox, ["--dir", sandbox.folder, "--language", "en"]);
  // The launcher answers the first message alone. The thread that is to be blocked must have started.
  await pipe.ask("ping");
  await pipe.send(search(1, way));
  // From here on it is blocked and does not answer.
  await new Promise((resolve) => setTimeout(resolve, 300));
  await what(pipe);
  const { code, stderr } = await pipe.end(options);
  return { code, stderr };
}

/** Blocks a command and sends it signals. Returns how it ended. */
async function endOfStuckCommand(sandbox: Sandbox, ...signals: Deno.Signal[]) {
  const args = ["doctor", "--dir", sandbox.folder, "--language", "en"];
  const child = spawnIn(sandbox, sandbox.start(args));
  const [told, rest] = child.stderr.tee();
  const stderr = new Response(rest).text();
  for await (const text of told.pipeThrough(new TextDecoderStream())) {
    if (text.includes("stuck")) break;
  }
  // A process that was killed has another exit code.
  const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  for (const signal of signals) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    child.kill(signal);
  }
  const { code } = await child.status;
  clearTimeout(timer);
  await Promise.all([child.stdin.close(), child.stdout.cancel()]);
  return { code, stderr: await stderr };
}

async function endsAlways(start: Start): Promise<void> {
  await using sandbox = await makeSandbox({ "tea.md": "green tea\n" }, { start });
  const cases: [string, Parameters<typeof endOfStuckServer>[2]][] = [
    ...WAYS.map((way): (typeof cases)[number] => [way, () => Promise.resolve()]),
    ["a loop", (pipe) => pipe.closeOutput()],
    // More than the buffer of a pipe, before the end of the input.
    ["a loop", (pipe) => pipe.send(new Uint8Array(8_000_000).fill(32))],
  ];
  await Promise.all(cases.map(async ([way, what]) => {
    const ended = await endOfStuckServer(sandbox, way, what);
    deepEqual(ended, { code: 1, stderr: ENDED_BY_FORCE }, `${way}, ${what}`);
  }));
  if (ON_WINDOWS) return;
  await Promise.all((["SIGINT", "SIGTERM"] as const).map(async (signal) => {
    deepEqual(await endOfStuckCommand(sandbox, signal), { code: 130, stderr: `stuck\n${ENDED_BY_FORCE}` });
    // The second one ends it at once.
    deepEqual(await endOfStuckCommand(sandbox, signal, signal), { code: 130, stderr: "stuck\n" });
  }));
}

const KEY = "sk-very-secret-0123456789";

/** Runs the faulty `doctor`. Returns its result and the log of the fault. */
async function run(start: Start, fault: string, ...args: string[]) {
  await using sandbox = await makeSandbox({}, { start });
  const config =
    `language: en\nembedding:\n  provider: openai-compatible\n  base_url: http://127.0.0.1:9/v1\n  model: ${fault}\n` +
    `  api_key: ${KEY}\n`;
  await Deno.writeTextFile(join(sandbox.cwd, "config.yaml"), config);
  const { code, stdout, stderr } = await sandbox.run`doctor --quiet ${args}`;
  const logs = join(sandbox.cwd, "state", "logs");
  const [file] = await Array.fromAsync(Deno.readDir(logs));
  const log = await Deno.readTextFile(join(logs, file!.name));
  equal([stdout, stderr, log].join().includes(KEY), false, "the secret is told");
  const told = log.split("\n").filter((line) => line.includes('"uncaught"'));
  return { code, stdout, stderr, log: told };
}

async function looksFine(start: Start): Promise<void> {
  const text = "no **** here. See the log for details";
  for (const fault of ["rejection", "error", "several", "text"]) {
    const { log, ...ended } = await run(start, fault);
    deepEqual(
      ended,
      { code: 1, stdout: "", stderr: `Error: Internal error: ␛[31m${text}\n` },
      fault,
    );
    equal(log.length, 1, fault);
    match(log[0]!, /"level":"ERROR","message":"uncaught".*"command":"doctor".*no \*\*\*\* here.*\\n {4}at /);
  }
  const odd = await run(start, "odd");
  deepEqual([odd.code, odd.stderr], [1, "Error: Internal error: ?. See the log for details\n"]);
  const { code, stdout } = await run(start, "rejection", "--json");
  deepEqual([code, JSON.parse(stdout)], [1, {
    code: 500,
    message: `Internal error: \u001b[31m${text}`,
    data: null,
  }]);
  for (
    const [fault, code] of [["process.exit", 7], ["Deno.exit", 7], ["process.exitCode", 7], [
      "close",
      1,
    ]] as const
  ) {
    deepEqual(await run(start, fault), { code, stdout: "", stderr: "", log: [] }, fault);
  }
}

/** As {@linkcode endsAlways}, but its worker answers after a moment. */
async function endsNormally(start: Start): Promise<void> {
  await using sandbox = await makeIndexed({ "tea.md": "green tea\n" }, { start });
  deepEqual(await endOfStuckServer(sandbox, "a moment", () => Promise.resolve()), { code: 0, stderr: "" });
}

Deno.test("a program with faults that it should not have ends, and reports them", async (t) => {
  await using broken = await breakProgram();
  for (
    const [name, start] of [["sources", broken.fromSources], ["executable", await broken.compiled()]] as const
  ) {
    const step = (what: string, test: (start: Start) => Promise<void>) =>
      t.step({
        name: `${what} (${start === undefined ? NO_EXECUTABLE : name})`,
        ignore: start === undefined,
        fn: () => test(start!),
      });
    await step(
      "a blocked worker is ended when stdin ends, when the client is gone, and by a signal",
      endsAlways,
    );
    await step(
      "a server whose worker is busy for a moment when stdin ends still ends normally",
      endsNormally,
    );
    await step("an uncaught error is reported once, without secrets, and ends the program", looksFine);
  }
});
