/** Lets each command that writes meet faults at its file operations, in this process, and reports how it took them. */
import { markdownTable, Random } from "../random.ts";
import { defectsOf } from "./judge.ts";
import { Arena, type ArenaOptions, type Command, COMMANDS } from "./arena.ts";
import { type Fault, FAULTS, Killed, withFault } from "./inject.ts";

/** Result of one try. */
export interface Tried {
  readonly command: Command;
  readonly fault: Fault;
  /** Name of the operation that failed, such as `renameSync`. */
  readonly operation: string;
  /** How the command ended: it succeeded, was refused with a message, or was killed. */
  readonly end: "succeeded" | "refused" | "killed";
  /** Empty if everything was right. */
  readonly defects: readonly string[];
}

/** A fault to try. */
interface Plan {
  readonly command: Command;
  readonly fault: Fault;
  /** Number of the operation. */
  readonly at: number;
}

/** Options of {@linkcode runSeries}. */
export interface SeriesOptions {
  /** Tries at most, chosen at random by `seed`. Default: every fault at every operation. */
  readonly tries?: number;
  readonly seed?: number;
  readonly arena?: ArenaOptions;
  readonly onTry?: (tried: Tried, done: number, total: number) => void;
}

/**
 * Lets each command that writes meet faults at its file operations, in this process, and checks the index and the next run after
 * each. Errors for lack of space, kills and torn writes are tried at operations that write, the other errors at every operation.
 */
export async function runSeries(
  { tries = Infinity, seed = 1, arena: options, onTry }: SeriesOptions = {},
): Promise<Tried[]> {
  using arena = await Arena.make(options);
  const plans: Plan[] = [];
  for (const command of Object.keys(COMMANDS) as Command[]) {
    arena.reset(command);
    const { operations, error } = await withFault(arena.path, undefined, () => arena.run(command));
    if (error !== undefined) throw error;
    for (const [at, { writes }] of operations.entries()) {
      for (const fault of FAULTS) {
        if (writes || fault === "EIO" || fault === "EACCES") plans.push({ command, fault, at });
      }
    }
  }
  const chosen = evenly(new Random(seed).order(plans.length).map((at) => plans[at]!)).slice(0, tries);
  const results: Tried[] = [];
  for (const { command, fault, at } of chosen) {
    arena.reset(command);
    const { operations, error } = await withFault(arena.path, { fault, at }, () => arena.run(command));
    const isKill = fault === "kill" || fault === "torn";
    results.push({
      command,
      fault,
      operation: operations[at]?.name ?? "none",
      end: isKill ? "killed" : error === undefined ? "succeeded" : "refused",
      // nobody sees the errors of a killed process
      defects: await defectsOf(arena, command, isKill ? new Killed() : error),
    });
    onTry?.(results.at(-1)!, results.length, chosen.length);
  }
  return results;
}

/** Orders plans so that the first ones have every fault with every command about equally often. */
function evenly(plans: readonly Plan[]): Plan[] {
  const groups = [...Map.groupBy(plans, ({ command, fault }) => `${fault} ${command}`).values()];
  const longest = Math.max(...groups.map(({ length }) => length));
  return Array.from(
    { length: longest },
    (_, round) => groups.flatMap((group) => group.slice(round, round + 1)),
  ).flat();
}

/** Returns the results as a Markdown table: a row for each fault and command, with how often the command ended in which way. */
export function seriesTable(results: readonly Tried[]): string {
  const head = ["fault", "command", "tries", "succeeded", "refused", "killed", "wrong afterwards"];
  const rowOf = (first: readonly string[], tries: readonly Tried[]) => [
    ...first,
    tries.length,
    ...(["succeeded", "refused", "killed"] as const).map((end) =>
      tries.filter((tried) => tried.end === end).length
    ),
    tries.filter(({ defects }) => defects.length > 0).length,
  ];
  const rows = FAULTS.flatMap((fault) =>
    Object.keys(COMMANDS).flatMap((command) => {
      const tries = results.filter((tried) => tried.fault === fault && tried.command === command);
      return tries.length === 0 ? [] : [rowOf([fault, command], tries)];
    })
  );
  return markdownTable(head, [...rows, rowOf(["all", ""], results)]);
}
