/**
 * A command line of the usual form, read without the package `commander`, which a start of the server then does not load;
 * and the checks of every command line: which flags a command takes, and which contradict each other.
 */
import { UsageError } from "#foundation/errors.ts";
import type { Command } from "./command.ts";
import { COMMANDS, findCommand } from "./commands/declarations.ts";
import { type FlagName, type Flags, HTTP_FLAGS, longForm, OPTIONS } from "./options.ts";
import type { CommandLine } from "./request.ts";

/**
 * Reads a command line that begins with a command of one word, whose flags are in their long form with their values after
 * them. Returns `undefined` for every other one, which `parseArguments` then reads or refuses. Throws `UsageError` as that
 * does.
 *
 * ```ts
 * import { deepEqual, equal } from "node:assert/strict";
 *
 * deepEqual(plainCommandLine(["serve", "notes", "--config", "my.yaml"]), {
 *   command: "serve",
 *   operands: [],
 *   flags: { config: "my.yaml", dir: ["notes"] },
 * });
 * equal(plainCommandLine(["serve", "-d", "notes"]), undefined);
 * ```
 */
export function plainCommandLine([name = "", ...rest]: readonly string[]): CommandLine | undefined {
  const command = findCommand(name);
  // Without its argument the command is refused, with the error that commander's checks come to first.
  if (command?.help === undefined || command.argument?.missing !== undefined) return undefined;
  const given: Given = {};
  const args: string[] = [];
  for (let at = 0; at < rest.length; at++) {
    const typed = rest[at]!;
    if (!typed.startsWith("-")) {
      args.push(typed);
      continue;
    }
    const flag = command.flags.find((flag) => longForm(flag) === typed);
    if (flag === undefined) return undefined;
    if (!OPTIONS[flag].flags.includes("<")) {
      given[flag] = true;
      continue;
    }
    const value = rest[++at];
    if (value === undefined || value.startsWith("-")) return undefined;
    given[flag] = valueOf(flag, value, given[flag]);
  }
  const { argument } = command;
  const most = argument?.kind !== "folders" ? 0 : argument.name.includes("...") ? Infinity : 1;
  if (args.length > most) return undefined;
  given.dir = given.dir ?? [];
  return commandLine(command, given, args, true);
}

/** The flags on the command line, with their values. */
export type Given = Partial<Record<FlagName, unknown>>;

/** The checked command line of a command. `isTyped`: it was not chosen by a flag. Throws `UsageError`. */
export function commandLine(
  command: Command,
  given: Given,
  args: readonly string[],
  isTyped: boolean,
): CommandLine {
  // One-click packages pass all folders in a row and cannot put a flag before each.
  const [operands, moreDirs] = command.argument?.kind === "folders" ? [[], args] : [args, []];
  given.dir = [...given.dir as string[], ...moreDirs];
  const isHere = isTyped && command.isHere && (given.dir as string[]).length === 0;
  if (isHere) given.dir = ["."];
  checkFlags(command, given);
  if (given.format === "json") given.json = true;
  const missing = command.argument?.missing;
  if (missing !== undefined && operands.every((operand) => operand.trim() === "")) {
    throw new UsageError(missing);
  }
  return { command: command.name, operands, flags: given as unknown as Flags, ...(isHere && { isHere }) };
}

/** The value of a flag, after the value that it had. Throws `UsageError` for a wrong one. */
export function valueOf(flag: FlagName, value: string, previous: unknown): unknown {
  const { choices, range, repeatable } = OPTIONS[flag];
  const long = longForm(flag);
  // commander takes the next argument for the value, whatever it is: `--dir --full` would name a directory `--full`.
  if (value.startsWith("--")) throw new UsageError("cli_option_value_missing", { flag: long });
  if (choices && !choices.includes(value)) {
    throw new UsageError("cli_bad_choice", { flag: long, value, choices: choices.join(", ") });
  }
  if (range) {
    const number = /^\d+$/.test(value) ? Number(value) : NaN;
    if (number >= range.min && number <= range.max) return number;
    throw new UsageError("cli_bad_number", { flag: long, value, ...range });
  }
  return repeatable ? [...(previous as string[] | undefined ?? []), value] : value;
}

/** Throws `UsageError` for flags that `command` does not take, and for a wrong number of `--dir`. */
function checkFlags(command: Command, given: Given): void {
  for (const flag of Object.keys(given) as FlagName[]) {
    if (flag === "dir" && dirCount(given) === 0) continue;
    if (!command.flags.includes(flag)) throw notHere(flag, command);
  }
  checkConflicts(given);
  checkHttp(given, command.flags);
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
function checkHttp(given: Given, flags: readonly FlagName[]): void {
  const needs = (flag: FlagName, other: FlagName) => {
    if (given[flag] !== undefined && given[other] === undefined) {
      throw new UsageError("cli_option_needs", { flag: longForm(flag), other: longForm(other) });
    }
  };
  const isSetup = flags.includes("url");
  // The pages have a port of their own.
  const isAlone = (flag: FlagName) => flag === "port" && !flags.includes("http");
  for (const flag of HTTP_FLAGS) {
    if (!isAlone(flag)) needs(flag, flag === "tokenEnv" && isSetup ? "url" : "http");
  }
  needs("ui", "http");
  needs("tlsCert", "tlsKey");
  needs("tlsKey", "tlsCert");
}

/** Throws `UsageError` for flags that contradict each other. */
function checkConflicts(given: Given): void {
  const { format, json, explain, fullText, context } = given;
  const form = json ? longForm("json") : `${longForm("format")} ${format}`;
  const isText = !json && (format === undefined || format === "text");
  const length = fullText ? "fullText" : context === undefined ? undefined : "context";
  const conflicts: [boolean, string, string][] = [
    [given.update === true && given.noWatch === true, longForm("update"), longForm("noWatch")],
    [given.all === true && dirCount(given) > 0, longForm("all"), longForm("dir")],
    [json === true && format !== undefined && format !== "json", form, `${longForm("format")} ${format}`],
    [fullText === true && context !== undefined, longForm("fullText"), longForm("context")],
    [length !== undefined && !isText && format !== "md", longForm(length ?? "context"), form],
    [length !== undefined && explain === true, longForm(length ?? "context"), longForm("explain")],
    [explain === true && (format === "paths" || format === "md"), longForm("explain"), form],
  ];
  const [, flag, other] = conflicts.find(([applies]) => applies) ?? [];
  if (flag !== undefined) throw new UsageError("cli_option_conflict", { flag, other: other! });
}

/** The error for a flag of another command. */
export function notHere(flag: FlagName, command: Command): UsageError {
  const takers = COMMANDS.filter(({ flags }) => flags.includes(flag));
  return new UsageError("cli_option_not_here", {
    flag: longForm(flag),
    command: shownName(command),
    commands: takers.map(shownName).join(", "),
  });
}

/** The command as a user types it. */
export function shownName({ name, help, chosenBy }: Command): string {
  if (help !== undefined) return name;
  return chosenBy === undefined ? "muxue_rag --dir" : longForm(chosenBy);
}
