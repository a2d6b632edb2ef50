/** Runs the real program in processes: as it is, or under strace, which kills it or lets its system calls fail. */
import { join } from "node:path";
import { program } from "../../e2e/_program.ts";
import { Random } from "../random.ts";
import { Arena, type Command, COMMANDS } from "./arena.ts";
import { type Fault, Killed } from "./inject.ts";
import { defectsOf } from "./judge.ts";
import type { SeriesOptions, Tried } from "./series.ts";

/** System calls that change files. */
const CALLS = "openat,write,pwrite64,ftruncate,fsync,fdatasync,rename,unlink,unlinkat,mkdir,rmdir,link,flock";

/** `merge` is an update whose changes are many. */
const PROGRAM_COMMANDS = (Object.keys(COMMANDS) as Command[]).filter((command) => command !== "merge");

/** A kill that no thread reached is tried again at a call with the number times this. */
const EARLIER = 0.8;

/**
 * A failed write may also be one by which a thread of the runtime wakes another, which then waits for ever. After so many
 * seconds the process is killed.
 */
const LIMIT_SECONDS = "120";

/** A system call of a run, as strace counts it: the n-th of its name in its thread. */
interface SystemCall {
  readonly name: string;
  readonly at: number;
}

/**
 * As `runSeries`, with the real program in a process under strace, which kills it or lets one system call fail. The calls
 * are those that name a file of the index, of the state folder or of the backups in a run without faults. Threads take turns
 * in another order each time, so that a fault may also meet a call beside these.
 */
export async function runProcesses(
  { tries = 100, seed = 1, arena: options, onTry }: SeriesOptions,
): Promise<Tried[]> {
  using arena = await Arena.make(options);
  const random = new Random(seed);
  const calls = new Map<Command, readonly SystemCall[]>();
  for (const command of PROGRAM_COMMANDS) {
    arena.reset(command);
    calls.set(command, await callsOf(arena, command));
  }
  const results: Tried[] = [];
  const faults: readonly Fault[] = ["kill", "ENOSPC", "kill", "EIO", "kill", "EACCES"];
  for (let number = 0; number < tries; number++) {
    const command = PROGRAM_COMMANDS[number % PROGRAM_COMMANDS.length]!;
    const fault = faults[Math.floor(number / PROGRAM_COMMANDS.length) % faults.length]!;
    const call = random.of(calls.get(command)!);
    arena.reset(command);
    const how = fault === "kill" ? "signal=KILL" : `error=${fault}`;
    let ended: Ended;
    let { at } = call;
    for (;;) {
      const flags = ["-o", "/dev/null", "-e", `trace=${call.name}`];
      ended = await traced(arena, command, ...flags, "-e", `inject=${call.name}:${how}:when=${at}`);
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
      defects: await defectsOf(arena, command, code === 0 ? undefined : new Killed()),
    });
    onTry?.(results.at(-1)!, results.length, tries);
  }
  return results;
}

/** Returns the system calls of a command on files of the arena that the program writes. */
async function callsOf(arena: Arena, command: Command): Promise<SystemCall[]> {
  const log = join(arena.path, "trace");
  const { code } = await traced(arena, command, "-y", "-o", log, "-e", `trace=${CALLS}`);
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
function traced(arena: Arena, command: Command, ...flags: string[]): Promise<Ended> {
  const by = ["timeout", "--signal=KILL", LIMIT_SECONDS, "strace", "-f", "-qq", "--seccomp-bpf", ...flags];
  return runProgram(arena, argumentsOf(arena, command), by);
}

function argumentsOf({ root, kept, backup }: Arena, command: Command): string[] {
  const dir = ["--dir", root, "--quiet"];
  switch (command) {
    case "full":
      return [...dir, "--full"];
    case "backup":
      return ["backup", ...dir, "--backup-path", backup];
    case "restore":
      return ["restore", kept, ...dir, "--yes"];
    case "clean":
      return ["clean", ...dir, "--yes"];
    default:
      return dir;
  }
}

/** How a run ended. `text`: what it wrote. */
export interface Ended {
  readonly code: number;
  readonly signal: Deno.Signal | null;
  readonly text: string;
}

/** Runs the program to its end, with the state folder of the arena. `by`: a command that runs it, such as strace. */
export async function runProgram(
  arena: Arena,
  args: readonly string[],
  by: readonly string[] = [],
): Promise<Ended> {
  const start = program(args);
  const [command, ...rest] = [...by, start.cmd, ...start.args];
  const { code, signal, stdout, stderr } = await new Deno.Command(command!, {
    args: rest,
    env: {
      DENO_NO_UPDATE_CHECK: "1",
      MUXUE_RAG_LANGUAGE: "en",
      MUXUE_RAG_STATE_DIR: arena.stateDir,
      MUXUE_RAG_CONFIG_DIR: join(arena.path, "settings"),
      MUXUE_RAG_EMBEDDING_PROVIDER: "none",
    },
    stdin: "null",
  }).output();
  const [out, error] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, signal, text: `${out}${error}` };
}
