import { UsageError } from "../errors.ts";
import { COMMANDS, longForm, MANY_DIRS, OPTIONAL_DIR } from "./options.ts";
import type { CommandName, FlagName } from "./options.ts";
import { notHere, strayOperand } from "./usage_errors.ts";

/** The flags that were given, with their values. */
export type Given = Partial<Record<FlagName, unknown>>;

/** What is asked for where no command is named; `undefined` when nothing is. Throws `UsageError`. */
export function chooseByFlags(
  given: Given,
  operands: readonly string[],
  isDirectory: (path: string) => boolean,
): CommandName | undefined {
  const [operand] = operands;
  if (operand !== undefined) throw strayOperand(operand, isDirectory);
  if (given.version) return "version";
  const chosen = (["clean", "backup", "serve"] as const).filter((name) => given[name]);
  const [first, second] = chosen;
  if (first !== undefined && second !== undefined) {
    throw new UsageError("cli_option_conflict", { flag: longForm(first), other: longForm(second) });
  }
  if (first !== undefined) return first;
  if (given.backupPath !== undefined) {
    throw new UsageError("cli_option_needs", { flag: longForm("backupPath"), other: longForm("backup") });
  }
  return Object.keys(given).some((flag) => flag !== "language") ? "index" : undefined;
}

/** Throws `UsageError` for flags that `command` does not take, and where it wants another number of `--dir`. */
export function checkFlags(command: CommandName, given: Given): void {
  for (const flag of Object.keys(given) as FlagName[]) {
    if (flag === "dir" && dirCount(given) === 0) continue;
    if (!COMMANDS[command].flags.includes(flag)) throw notHere(flag, command);
  }
  if (!COMMANDS[command].flags.includes("dir") || MANY_DIRS.includes(command)) return;
  if (dirCount(given) === 0 && !OPTIONAL_DIR.includes(command)) throw new UsageError("cli_dir_missing");
  if (dirCount(given) > 1) throw new UsageError("cli_one_dir_only");
}

function dirCount(given: Given): number {
  return (given.dir as string[] | undefined)?.length ?? 0;
}
