import type { CommanderError } from "commander";
import { nearest } from "../config/mod.ts";
import { UsageError } from "../errors.ts";
import { shellWord } from "../messages.ts";
import type { Command } from "./command.ts";
import {
  type CommandGroup,
  COMMANDS,
  commandsIn,
  DEFAULT_COMMAND,
  findCommand,
  GROUPS,
  lastWord,
  ROOT_FLAGS,
} from "./commands/mod.ts";
import { type FlagName, longForm, OPTIONS } from "./options.ts";

/** The error for a word that is not a command: probably a folder without `--dir`, or a typing error. */
export function strayOperand(operand: string, isDirectory: (path: string) => boolean): UsageError {
  const group = GROUPS.find(({ name }) => name === operand);
  if (group !== undefined) {
    return new UsageError("cli_group_incomplete", { name: operand, commands: namesIn(group) });
  }
  const typed = COMMANDS.filter(({ help }) => help !== undefined);
  const commands = [...new Set(typed.map(({ name }) => name.split(" ")[0] ?? ""))];
  const suggestion = nearest(operand, [...commands, "help"]);
  if (isDirectory(operand) || (suggestion === undefined && /[/\\.~]/.test(operand))) {
    return new UsageError("cli_bare_directory", { command: `muxue_rag --dir ${shellWord(operand)}` });
  }
  return suggestion === undefined
    ? new UsageError("cli_unknown_command", { name: operand, commands: commands.join(", ") })
    : new UsageError("cli_unknown_command_suggest", { name: operand, suggestion });
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
function shownName({ name, help, chosenBy }: Command): string {
  if (help !== undefined) return name;
  return chosenBy === undefined ? "muxue_rag --dir" : longForm(chosenBy);
}

/** Translates an error of commander, whose texts are English, to a message of the program. */
export function translate(
  error: CommanderError,
  args: readonly string[],
  isDirectory: (path: string) => boolean,
): UsageError {
  const subject = /'(.*)'/s.exec(error.message)?.[1] ?? error.message;
  const typed = commandOf(args);
  const command = typed ?? DEFAULT_COMMAND;
  switch (error.code) {
    case "commander.unknownOption": {
      const [operand] = args;
      if (typed === undefined && operand !== undefined && !operand.startsWith("-")) {
        return strayOperand(operand, isDirectory);
      }
      return unknownOption(subject, command);
    }
    case "commander.optionMissingArgument":
      return new UsageError("cli_option_value_missing", { flag: /--[a-z-]+/.exec(subject)?.[0] ?? subject });
    case "commander.missingArgument":
      return new UsageError(command.argument?.missing ?? "cli_query_missing");
    case "commander.excessArguments": {
      const extra = / but got \d+: (.*)\.$/s.exec(error.message)?.[1] ?? subject;
      return new UsageError("cli_too_many_arguments", {
        command: shownName(command),
        arguments: extra,
      });
    }
    default:
      return new UsageError("cli_error", { text: error.message });
  }
}

/** The error for a word after `config` or `model` that is none of its commands. */
export function unknownInGroup(group: CommandGroup, word: string): UsageError {
  const name = `${group.name} ${word}`;
  const suggestion = nearest(word, commandsIn(group).map(lastWord));
  return suggestion === undefined
    ? new UsageError("cli_unknown_command", { name, commands: namesIn(group) })
    : new UsageError("cli_unknown_command_suggest", { name, suggestion: `${group.name} ${suggestion}` });
}

function namesIn(group: CommandGroup): string {
  return commandsIn(group).map(({ name }) => name).join(", ");
}

/** The command whose arguments commander was parsing. */
function commandOf(args: readonly string[]): Command | undefined {
  const [first = "", second = ""] = args;
  const command = findCommand(GROUPS.some(({ name }) => name === first) ? `${first} ${second}` : first);
  return command?.help === undefined ? undefined : command;
}

function unknownOption(argument: string, command: Command): UsageError {
  const flag = argument.replace(/=.*/s, "");
  const all = Object.keys(OPTIONS) as FlagName[];
  const known = all.find((name) => longForm(name) === flag || OPTIONS[name].flags.startsWith(`${flag},`));
  if (known !== undefined) {
    return command.flags.includes(known)
      ? new UsageError("cli_option_no_value", { flag })
      : notHere(known, command);
  }
  const here = command === DEFAULT_COMMAND ? ROOT_FLAGS : command.flags;
  const suggestion = nearest(flag, [...here.map(longForm), "--help"]);
  return suggestion === undefined
    ? new UsageError("cli_unknown_option", { flag })
    : new UsageError("cli_unknown_option_suggest", { flag, suggestion });
}
