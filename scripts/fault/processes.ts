import { join } from "node:path";
import { startFlags } from "../compile/start_flags.ts";
import { Random } from "../damage/random.ts";
import { Arena, type Command, COMMANDS } from "./arena.ts";
import { type Fault, Killed } from "./inject.ts";
import type { SeriesOptions, Tried } from "./series.ts";

/** System calls that change files. */
const CALLS = "openat,write,pwrite64,ftruncate,fsync,fdatasync,rename,unlink,unlinkat,mkdir,rmdir,link,flock";

/** A kill that no thread reached is tried again at a call with the number times this. */
const EARLIER = 0.8;

/** A system call of a run, as strace counts it: the n-th of its name in its thread. */
interface SystemCall {
  readonly name: string;
  readonly at: number;
}

/**
 * As `runSeries`, with the real program in a process under strace, which kills it or lets one system call fail. The calls are those
 * that name a file of the index, of the state folder or of the backups in a run without faults. Threads take turns in another
 * order each time, so that a fault may also meet a call beside these.
 */
export async function runProcesses({ tries = 100, seed = 1, onTry }: SeriesOptions): Promise<Tried[]> {
  using arena = await Arena.make();
  const random = new Random(seed);
  const calls = new Map<Command, readonly SystemCall[]>();
  for (const command of Object.keys(COMMANDS) as Command[]) {
    arena.reset(command);
    calls.set(command, await callsOf(arena, command));
  }
  const results: Tried[] = [];
  const faults: readonly Fault[] = ["kill", "ENOSPC", "kill", "EIO", "kill", "EACCES"];
  for (let number = 0; number < tries; number++) {
    const command = (Object.keys(COMMANDS) as Command[])[number % Object.keys(COMMANDS).length]!;
    const fault = faults[Math.floor(number / Object.keys(COMMANDS).length) % faults.length]!;
    const call = random.of(calls.get(command)!);
    arena.reset(command);
    const how = fault === "kill" ? "signal=KILL" : `error=${fault}`;
    let ended: Deno.CommandStatus;
    let { at } = call;
    for (;;) {
      ended = await start(arena, command, [
        ...["-o", "/dev/null", "-e", `trace=${call.name}`],
        ...["-e", `inject=${call.name}:${how}:when=${at}`],
      ]);
      // in this run no thread made so many calls
      if (fault !== "kill" || ended.signal !== null || ended.code !== 0 || at === 1) break;
      at = Math.floor(at * EARLIER);
      arena.reset(command);
    }
    const { code, signal } = ended;
    const killed = signal !== null || code === 137;
    results.push({
      command,
      fault,
      operation: call.name,
      end: killed ? "killed" : code === 0 ? "succeeded" : "refused",
      defects: await arena.defects(command, code === 0 ? undefined : new Killed()),
    });
    onTry?.(results.at(-1)!, results.length, tries);
  }
  return results;
}

/** Returns the system calls of a command on files of the arena that the program writes. */
async function callsOf(arena: Arena, command: Command): Promise<SystemCall[]> {
  const log = join(arena.path, "trace");
  const { code } = await start(arena, command, ["-y", "-o", log, "-e", `trace=${CALLS}`]);
  if (code !== 0) throw new Error(`${command} fails under strace: ${code}`);
  const counts = new Map<string, number>();
  const calls: SystemCall[] = [];
  for (const line of Deno.readTextFileSync(log).split("\n")) {
    const [, thread, name, text] = /^(\d+) +(\w+)\((.*)$/.exec(line) ?? [];
    if (name === undefined || text === undefined) continue;
    const at = (counts.get(`${thread} ${name}`) ?? 0) + 1;
    counts.set(`${thread} ${name}`, at);
    const isOurs = [`${arena.root}/.muxue_rag`, arena.backups, join(arena.stateDir, "folders")]
      .some((path) => text.includes(path));
    if (isOurs) calls.push({ name, at });
  }
  Deno.removeSync(log);
  return calls;
}

/** Runs the program on a command under strace. */
async function start(arena: Arena, command: Command, flags: readonly string[]): Promise<Deno.CommandStatus> {
  const main = join(import.meta.dirname!, "../../main.ts");
  const program = [Deno.execPath(), "run", ...startFlags(), main, ...argumentsOf(arena, command)];
  const child = new Deno.Command("strace", {
    args: ["-f", "-qq", "--seccomp-bpf", ...flags, ...program],
    env: {
      DENO_NO_UPDATE_CHECK: "1",
      MUXUE_RAG_STATE_DIR: arena.stateDir,
      MUXUE_RAG_CONFIG_DIR: join(arena.path, "settings"),
      MUXUE_RAG_EMBEDDING_PROVIDER: "none",
    },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  return await child.status;
}

function argumentsOf({ root, kept, backup }: Arena, command: Command): string[] {
  const dir = ["--dir", root, "--quiet"];
  switch (command) {
    case "index":
    case "update":
      return dir;
    case "full":
      return [...dir, "--full"];
    case "backup":
      return ["backup", ...dir, "--backup-path", backup];
    case "restore":
      return ["restore", kept, ...dir, "--yes"];
    case "clean":
      return ["clean", ...dir, "--yes"];
  }
}
