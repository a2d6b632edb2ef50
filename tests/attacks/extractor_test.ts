import { deepEqual, equal, match, ok } from "node:assert/strict";
import { ConnectionRelay, type RelayEvent, type RelayRequest } from "#library/extract/mod.ts";
import { processOf } from "#foundation/boundary/mod.ts";
import { call, openPipe, ping, type Pipe, search } from "../e2e/_mcp_pipe.ts";
import { makeIndexed } from "../e2e/_program.ts";
import { attackOnLinux } from "./_arena.ts";

const PAGE = "<!DOCTYPE html><title>Tea</title><h1>Tea</h1><p>Green tea wants 80 degrees.</p>";
const FILES = { "tea.md": "# Tea\n\nGreen tea.\n", "page.html": PAGE, "other.html": PAGE };

/** Ids of the running descendants of a process. */
async function descendantsOf(pid: number): Promise<number[]> {
  const found: number[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    // pid (name) state parent …
    const stat = await Deno.readTextFile(`/proc/${name}/stat`).catch(() => "");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (Number(parent) !== pid || state === "Z") continue;
    found.push(Number(name), ...await descendantsOf(Number(name)));
  }
  return found;
}

/** Waits until a process has ended. A zombie has. */
async function untilEnded(pid: number): Promise<void> {
  await until(async () => {
    const stat = await Deno.readTextFile(`/proc/${pid}/stat`).catch(() => "");
    return stat === "" || /\) Z /.test(stat);
  });
}

/** Attacks a server of a folder with two documents. */
function attackOnServer(name: string, test: (pipe: Pipe) => Promise<void>): void {
  attackOnLinux(name, async () => {
    await using sandbox = await makeIndexed(FILES);
    await using pipe = await openPipe(sandbox, ["--dir", sandbox.folder, "--language", "en"]);
    await test(pipe);
  });
}

/** Asks for a document. */
function read(id: number, path: string) {
  return call(id, "get_document_content", { "file_path": path });
}

/** Receives answers up to the one with this id and returns that one. */
async function answerTo(pipe: Pipe, id: number) {
  const { result } = (await pipe.receiveUntil(id)).at(-1);
  const { code, message, data } = result.structuredContent ?? {};
  return { code, message, content: data?.content };
}

/** Reads a document. Returns the id of the process that parsed it and waits for the next one. */
async function extractorOf(pipe: Pipe): Promise<number> {
  await pipe.send(read(1, "page.html"));
  match((await answerTo(pipe, 1)).content, /80 degrees/);
  const [extractor, ...more] = await descendantsOf(pipe.pid);
  deepEqual(more, []);
  ok(extractor !== undefined);
  return extractor;
}

async function until(happened: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 20_000;
  while (!await happened()) {
    ok(Date.now() < end, "it never happened");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

attackOnServer("the process for documents starts on demand and ends soon after", async (pipe) => {
  equal((await pipe.search("green tea")).result.structuredContent.code, 200);
  deepEqual(await descendantsOf(pipe.pid), []);
  await untilEnded(await extractorOf(pipe));
  deepEqual(await descendantsOf(pipe.pid), []);
});

attackOnServer(
  "the server answers while a document hangs, and continues after its process was killed",
  async (pipe) => {
    const extractor = await extractorOf(pipe);
    Deno.kill(extractor, "SIGSTOP");
    await pipe.send(read(2, "other.html"), ping(3), search(4, "green tea"));
    deepEqual((await pipe.receiveUntil(3)).map(({ id }) => id), [3]);
    equal((await answerTo(pipe, 4)).code, 200);
    Deno.kill(extractor, "SIGKILL");
    const { code, message } = await answerTo(pipe, 2);
    equal(code, 500);
    match(message, /other\.html exceeds the limits for reading \(its process was ended by SIGKILL\)/);
    await pipe.send(read(5, "other.html"));
    match((await answerTo(pipe, 5)).content, /80 degrees/);
  },
);

attackOnServer(
  "the server ends soon after stdin while a document hangs, without leaving a process",
  async (pipe) => {
    const extractor = await extractorOf(pipe);
    Deno.kill(extractor, "SIGSTOP");
    await pipe.send(read(2, "other.html"));
    equal((await pipe.end()).code, 0);
    Deno.kill(extractor, "SIGCONT");
    await untilEnded(extractor);
  },
);

attackOnServer("the process for documents ends when the program is killed", async (pipe) => {
  const extractor = await extractorOf(pipe);
  await pipe.send(read(2, "other.html"));
  Deno.kill(pipe.pid, "SIGKILL");
  await pipe.end();
  await untilEnded(extractor);
});

/** The launcher's side of a relay to real processes, and its messages to the worker. */
function launcherOf(program: string, ...args: string[]) {
  const told: RelayEvent[] = [];
  const relay = new ConnectionRelay(processOf(program, args, {}), (event) => told.push(event));
  const ended = (number: number) =>
    told.flatMap((event) => "ended" in event && event.ended === number ? [event.reason] : [])[0];
  return { ask: (request: RelayRequest) => relay.handle(request), ended };
}

/** Number of a process's descendants that are `cat`. */
async function catsOf(pid: number): Promise<number> {
  const lines = (await descendantsOf(pid)).map((each) =>
    Deno.readTextFile(`/proc/${each}/cmdline`).catch(() => "")
  );
  return (await Promise.all(lines)).filter((line) => line.startsWith("/bin/cat")).length;
}

attackOnLinux("a worker gets at most eight of a hundred processes", async () => {
  const { ask, ended } = launcherOf("/bin/cat");
  // other test files run in this process too, and start other programs
  const started = () => catsOf(Deno.pid);
  for (let number = 1; number <= 100; number++) ask({ open: number });
  // A process has its own name only after it was replaced by the program.
  await until(async () => await started() >= 8);
  equal(await started(), 8);
  deepEqual([ended(8), ended(9), ended(100)], [undefined, "too many processes", "too many processes"]);
  for (let number = 1; number <= 8; number++) ask({ close: number });
  await until(() => Promise.resolve(ended(1) !== undefined && ended(8) !== undefined));
  equal(await started(), 0);
});

attackOnLinux("a process that does not read its input is killed when a worker floods it", async () => {
  const { ask, ended } = launcherOf("/bin/sleep", "1000");
  ask({ open: 1 });
  const bytes = new Uint8Array(64_000_000);
  for (let i = 0; i < 20; i++) ask({ to: 1, bytes });
  await until(() => Promise.resolve(ended(1) !== undefined));
  equal(ended(1), "its process was ended by SIGKILL");
});
