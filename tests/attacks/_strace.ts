import { join } from "node:path";
import { output, spawnIn } from "../e2e/_program.ts";
import type { Arena } from "./_arena.ts";

const CALLS = [
  "open,openat,openat2,creat",
  "rename,renameat,renameat2",
  "unlink,unlinkat,rmdir",
  "mkdir,mkdirat,mknod,mknodat",
  "symlink,symlinkat,link,linkat",
  "truncate,chmod,fchmodat,chown,lchown,fchownat,utimensat",
  "connect,bind,execve,execveat",
  "clone,clone3,fork,vfork",
];

/** Whether strace is installed. */
export async function hasStrace(): Promise<boolean> {
  return await output("strace", ["--version"]).then(({ code }) => code === 0, () => false);
}

/** A system call that names files, programs or addresses. */
export interface Call {
  readonly name: string;
  /** The paths among its arguments, in order. */
  readonly paths: readonly string[];
  /** Its arguments as strace wrote them. */
  readonly text: string;
  /** The thread that made it. */
  readonly thread: number;
  /** The id of the thread or process that it started. */
  readonly started?: number;
}

/** Flags of strace that write these calls of all threads and processes to `log`. The program is not stopped at other calls. */
export function straceFlags(calls: string, log = "/dev/null"): string[] {
  return ["-f", "--seccomp-bpf", "-qq", "-o", log, "-e", `trace=${calls}`];
}

/** Flags of strace for a fault (`CALLS:error=EIO`) in the program's calls, only for `path` if it is given. */
export function faultFlags(fault: string, path?: string): string[] {
  const [calls] = fault.split(":");
  return [...straceFlags(calls!), ...(path === undefined ? [] : ["-P", path]), "-e", `inject=${fault}`];
}

/** The arguments of a start, with a flag of the runtime if they run the sources. */
export function withRuntimeFlag(flag: string, [first, ...rest]: readonly string[]): string[] {
  return first === "run" ? [first, flag, ...rest] : [first!, ...rest];
}

/**
 * Runs the program to its end with `input` on stdin, which stays open until as many lines are printed as `input` has. Returns its
 * result and its system calls.
 */
export async function traced(
  arena: Arena,
  args: readonly string[],
  input = "",
): Promise<{ calls: Call[]; code: number; stdout: string; stderr: string }> {
  const { cmd, args: all } = arena.start(args);
  const log = join(arena.beside("."), "trace");
  const flags = [...straceFlags(CALLS.join(","), log), "-xx", "-s", "4096", "-e", "signal=none"];
  // The runtime would otherwise ask on the network for a newer version.
  const env = { ...arena.env, DENO_NO_UPDATE_CHECK: "1" };
  const child = spawnIn({ ...arena, env }, {
    cmd: "strace",
    // At the first import of a package, the runtime would otherwise ask the registry about it.
    args: [...flags, cmd, ...withRuntimeFlag("--cached-only", all)],
  });
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  const stderr = new Response(child.stderr).text();
  let stdout = "";
  let closed: Promise<void> | undefined;
  const answered = () => stdout.split("\n").length >= input.split("\n").length;
  if (answered()) closed = writer.close();
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    stdout += text;
    if (answered()) closed ??= writer.close();
  }
  await (closed ?? writer.close()).catch(() => {});
  const { code } = await child.status;
  const calls = wholeLines((await Deno.readTextFile(log)).split("\n")).flatMap((line) => {
    const [, parent, started] = /^(\d+) +(?:clone3?|v?fork)\b.* = (\d+)$/.exec(line) ?? [];
    if (started !== undefined) {
      return [{ name: "clone", paths: [], text: line, thread: Number(parent), started: Number(started) }];
    }
    const [, id, name, text] = /^(\d+) +(\w+)\((.*)$/.exec(line) ?? [];
    if (name === undefined || text === undefined || / = -1 ENOENT/.test(text)) return [];
    const thread = Number(id);
    const paths = [...text.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex]) => pathIn(hex!));
    return [{ name, paths, text, thread }];
  });
  return { calls, code, stdout, stderr: await stderr };
}

/** Joins the two lines of a call that another thread has interrupted, at the place of the first. */
function wholeLines(lines: readonly string[]): string[] {
  const whole = [...lines];
  const begun = new Map<string, number>();
  for (const [at, line] of lines.entries()) {
    const [, thread = "", rest = ""] = /^(\d+) +<\.\.\. \w+ resumed>(.*)$/.exec(line) ?? [];
    const first = begun.get(thread);
    if (first !== undefined) whole[first] = `${whole[first]}${rest}`;
    const [start] = / *<unfinished \.\.\.>$/.exec(line) ?? [];
    if (start === undefined) continue;
    whole[at] = line.slice(0, -start.length);
    begun.set(/^\d+/.exec(line)![0], at);
  }
  return whole;
}

function pathIn(hex: string): string {
  return new TextDecoder().decode(Uint8Array.fromHex(hex.replaceAll("\\x", "")));
}

/** The calls of a thread and its descendants, from its `execve` on. */
export function callsOf(thread: number, calls: readonly Call[]): Call[] {
  const family = new Set([thread]);
  const begin = calls.findIndex((call) => call.thread === thread && call.name === "execve");
  return calls.slice(begin).filter((call) => {
    if (!family.has(call.thread)) return false;
    if (call.started !== undefined) family.add(call.started);
    return true;
  });
}
