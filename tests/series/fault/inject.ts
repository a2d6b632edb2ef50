/** Faults of the file system in this process: functions of Deno and node:fs that fail at a chosen operation. */
import fs from "node:fs";

/** Kinds of faults. `kill` ends everything at one operation; `torn` does the same after half of a write. */
export const FAULTS = ["ENOSPC", "EIO", "EACCES", "kill", "torn"] as const;
export type Fault = (typeof FAULTS)[number];

/** One call of the file system that the program made. */
export interface Operation {
  /** Name of the function: `rename`, `writeSync`. */
  readonly name: string;
  /** Whether it changes anything on the disk. */
  readonly writes: boolean;
}

/** The fault that a run meets. */
export interface Injection {
  readonly fault: Fault;
  /** Number of the operation that fails, counted from 0. */
  readonly at: number;
  /** Whether `at` counts only operations that write. */
  readonly ofWrites?: boolean;
}

/** Thrown by every operation after the process was "killed". */
export class Killed extends Error {
  override readonly name = "Killed";
}

/** Functions of `Deno` with a path as their first argument. */
const ON_PATHS = [
  "open",
  "lstat",
  "stat",
  "realPath",
  "mkdir",
  "rename",
  "link",
  "remove",
  "readDir",
  "chmod",
] as const;
/** Methods of an open file. */
const ON_FILES = ["write", "read", "sync", "syncData", "truncate", "stat", "seek", "tryLock"] as const;
/** Functions of `node:fs`, which the program opens and syncs some files with. */
const OF_NODE = ["openSync", "readSync", "fsync", "fstatSync"] as const;

const WRITING: ReadonlySet<string> = new Set([
  ...["mkdir", "rename", "link", "remove", "write", "sync", "syncData", "truncate", "chmod", "fsync"],
]);

type Call = (this: unknown, ...args: unknown[]) => unknown;
type Functions = Record<string, Call | undefined>;

/**
 * Runs `work` in this process while the file system fails as `injection` says, and returns the operations that were made.
 * Without an injection nothing fails. Only paths below `top` count. Rejects as `work` does.
 */
export async function withFault(
  top: string,
  injection: Injection | undefined,
  work: () => Promise<unknown>,
): Promise<{ readonly operations: readonly Operation[]; readonly error: unknown }> {
  const operations: Operation[] = [];
  let killed = false, counted = 0;
  /** Counts an operation, and returns the fault that it meets. */
  const failing = (name: string, args: readonly unknown[]): Fault | undefined => {
    const short = name.replace(/Sync$/, "");
    const creates = short === "open" && JSON.stringify(args[1] ?? {}).includes("create");
    const writes = WRITING.has(short) || creates;
    if (!killed) operations.push({ name, writes });
    if (killed) return "kill";
    if (injection === undefined || injection.ofWrites === true && !writes) return undefined;
    if (counted++ !== injection.at) return undefined;
    killed = injection.fault === "kill" || injection.fault === "torn";
    return injection.fault;
  };
  const undo: (() => void)[] = [];
  const patch = (holder: object, name: string, ofPath: boolean) => {
    const functions = holder as Functions;
    const original = functions[name];
    if (original === undefined) return;
    const isAsync = !name.endsWith("Sync") && name !== "readDir" && name !== "fsync";
    functions[name] = function (this: unknown, ...args: unknown[]) {
      const fault = ofPath && !String(args[0]).startsWith(top) ? undefined : failing(name, args);
      if (fault === undefined) return original.apply(this, args);
      // a disk that fills up, or a process that is killed, may leave a part of a write
      const [bytes] = args;
      const half =
        (fault === "torn" || fault === "ENOSPC") && /^write/.test(name) && bytes instanceof Uint8Array
          ? original.call(this, bytes.subarray(0, bytes.length >> 1))
          : undefined;
      return isAsync ? Promise.resolve(half).then(() => refuse(fault)) : refuse(fault);
    };
    undo.push(() => functions[name] = original);
  };
  for (const name of ON_PATHS) for (const end of ["", "Sync"]) patch(Deno, name + end, true);
  for (const name of ON_FILES) {
    for (const end of ["", "Sync"]) patch(Deno.FsFile.prototype, name + end, false);
  }
  for (const name of OF_NODE) patch(fs, name, name === "openSync");
  try {
    await work();
    return { operations, error: undefined };
  } catch (error) {
    return { operations, error };
  } finally {
    for (const each of undo) each();
  }
}

function refuse(fault: Fault): never {
  switch (fault) {
    case "ENOSPC":
      throw Object.assign(new Error("No space left on device (os error 28)"), { code: "ENOSPC" });
    case "EIO":
      throw Object.assign(new Error("Input/output error (os error 5)"), { code: "EIO" });
    case "EACCES":
      throw Object.assign(new Deno.errors.PermissionDenied("Permission denied (os error 13)"), {
        code: "EACCES",
      });
    case "kill":
    case "torn":
      throw new Killed();
  }
}
