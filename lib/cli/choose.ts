import { UsageError } from "../errors.ts";
import type { Command } from "./command.ts";
import { COMMANDS, DEFAULT_COMMAND, ROOT_FLAGS } from "./commands/mod.ts";
import { type FlagName, HTTP_FLAGS, longForm } from "./options.ts";
import { notHere, strayOperand } from "./usage_errors.ts";

/** The flags on the command line, with their values. */
export type Given = Partial<Record<FlagName, unknown>>;

/** The command that the flags choose where no command is typed; `undefined` without any flag. Throws `UsageError`. */
export function chooseByFlags(
  given: Given,
  operands: readonly string[],
  isDirectory: (path: string) => boolean,
): Command | undefined {
  const [operand] = operands;
  if (operand !== undefined) throw strayOperand(operand, isDirectory);
  const chosenBy = (flag: FlagName) => COMMANDS.find((command) => command.chosenBy === flag);
  if (given.version) return chosenBy("version");
  const [first, second] = ROOT_FLAGS.filter((flag) => given[flag] && chosenBy(flag) !== undefined);
  if (first !== undefined && second !== undefined) {
    throw new UsageError("cli_option_conflict", { flag: longForm(first), other: longForm(second) });
  }
  if (first !== undefined) return chosenBy(first);
  if (given.backupPath !== undefined) {
    throw new UsageError("cli_option_needs", { flag: longForm("backupPath"), other: longForm("backup") });
  }
  return Object.keys(given).some((flag) => flag !== "language") ? DEFAULT_COMMAND : undefined;
}

/** Throws `UsageError` for flags that `command` does not take, and for a wrong number of `--dir`. */
export function checkFlags(command: Command, given: Given): void {
  for (const flag of Object.keys(given) as FlagName[]) {
    if (flag === "dir" && dirCount(given) === 0) continue;
    if (!command.flags.includes(flag)) throw notHere(flag, command);
  }
  if (given.update && given.noWatch) {
    throw new UsageError("cli_option_conflict", { flag: longForm("update"), other: longForm("noWatch") });
  }
  if (given.all && dirCount(given) > 0) {
    throw new UsageError("cli_option_conflict", { flag: longForm("all"), other: longForm("dir") });
  }
  checkForms(given);
  checkHttp(given, command.flags.includes("url"));
  const { folders } = command;
  if (folders === "one" && dirCount(given) === 0) throw new UsageError("cli_dir_missing");
  if ((folders === "one" || folders === "one or none") && dirCount(given) > 1) {
    throw new UsageError("cli_one_dir_only");
  }
}

function dirCount(given: Given): number {
  return (given.dir as string[] | undefined)?.length ?? 0;
}

/** Throws `UsageError` for flags of the HTTP server without `--http`, and for one of the files for encryption without the other. */
function checkHttp(given: Given, isSetup: boolean): void {
  const needs = (flag: FlagName, other: FlagName) => {
    if (given[flag] !== undefined && given[other] === undefined) {
      throw new UsageError("cli_option_needs", { flag: longForm(flag), other: longForm(other) });
    }
  };
  for (const flag of HTTP_FLAGS) needs(flag, flag === "tokenEnv" && isSetup ? "url" : "http");
  needs("tlsCert", "tlsKey");
  needs("tlsKey", "tlsCert");
}

/** Throws `UsageError` for flags about the form of the hits that contradict each other. */
function checkForms({ format, json, explain, fullText, context }: Given): void {
  const form = json ? longForm("json") : `${longForm("format")} ${format}`;
  const isText = !json && (format === undefined || format === "text");
  const length = fullText ? "fullText" : context === undefined ? undefined : "context";
  const conflicts: [boolean, string, string][] = [
    [json === true && format !== undefined && format !== "json", form, `${longForm("format")} ${format}`],
    [fullText === true && context !== undefined, longForm("fullText"), longForm("context")],
    [length !== undefined && !isText && format !== "md", longForm(length ?? "context"), form],
    [length !== undefined && explain === true, longForm(length ?? "context"), longForm("explain")],
    [explain === true && (format === "paths" || format === "md"), longForm("explain"), form],
  ];
  const [conflict] = conflicts.filter(([applies]) => applies);
  if (conflict !== undefined) {
    throw new UsageError("cli_option_conflict", { flag: conflict[1], other: conflict[2] });
  }
}
