import { deepEqual, equal } from "node:assert/strict";
import { openPipe, PATIENCE_MS, search } from "../e2e/_mcp_pipe.ts";
import { makeSandbox, NO_EXECUTABLE, type Sandbox, type Start } from "../e2e/_program.ts";
import { spawnIn } from "../e2e/_spawn.ts";
import { ON_WINDOWS } from "../foundation/boundary/helpers.ts";
import { breakProgram } from "./_broken_program.ts";

/** Code that blocks the event loop of a thread forever. */
const STUCK = `
  const LOOP = [0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,5,1,1,102,0,0,10,9,1,7,0,3,64,12,0,11,11];
  const stuckIn: Record<string, () => void> = {
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

/** A server that a search blocks, in the way that its words name. */
const SERVER = `
  import type { Library, RawFile, SearchAnswer, SearchRequest, ServedCollection } from "../../search/types.ts";
  ${STUCK}
  export class LateLibrary implements Library {
    constructor(readonly collections: readonly ServedCollection[], readonly open: () => Promise<Library>) {}
    get roots(): string[] { return this.collections.map(({ root }) => root); }
    async search({ query }: SearchRequest): Promise<SearchAnswer> {
      stuckIn[query]?.();
      return await (await this.open()).search({ query });
    }
    readRawFile(): Promise<RawFile> { return new Promise(() => {}); }
    close(): void {}
  }
`;

/** A `doctor` that blocks. */
const COMMAND = `
  import type { Session } from "../session.ts";
  ${STUCK}
  export function doctor({ io }: Session): Promise<number> {
    setTimeout(() => {
      io.err("stuck\\n");
      stuckIn["a loop"]!();
    }, 50);
    return new Promise(() => {});
  }
`;

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
  await using sandbox = await makeSandbox({ "tea.md": "green tea\n" }, start);
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

Deno.test("a blocked worker is ended when stdin ends, when the client is gone, and by a signal", async (t) => {
  await using broken = await breakProgram({
    "lib/program/commands/serve/lazy_library.ts": SERVER,
    "lib/program/commands/doctor.ts": COMMAND,
  });
  await t.step("sources", () => endsAlways(broken.fromSources));
  const compiled = await broken.compiled();
  await t.step({
    name: compiled === undefined ? NO_EXECUTABLE : "executable",
    ignore: compiled === undefined,
    fn: () => endsAlways(compiled!),
  });
});

Deno.test("a server whose worker is busy for a moment when stdin ends still ends normally", async () => {
  const busy = SERVER.replace("for (;;);", "const end = Date.now() + 800; while (Date.now() < end);");
  await using broken = await breakProgram({ "lib/program/commands/serve/lazy_library.ts": busy });
  await using sandbox = await makeSandbox({ "tea.md": "green tea\n" }, broken.fromSources);
  equal((await sandbox.run("--dir", sandbox.folder, "--quiet")).code, 0);
  deepEqual(await endOfStuckServer(sandbox, "a loop", () => Promise.resolve()), { code: 0, stderr: "" });
});
