import type { CommanderError } from "commander";
import { nearest } from "../config/mod.ts";
import { UsageError } from "../errors.ts";
import { COMMANDS, longForm, OPTIONS, ROOT_FLAGS } from "./options.ts";
import type { CommandName, FlagName } from "./options.ts";

const CONFIG_COMMANDS = Object.keys(COMMANDS).filter((name) => name.startsWith("config "));

/** A word that is no command: most likely a folder that wants `--dir`, or a slip. */
export function strayOperand(operand: string, isDirectory: (path: string) => boolean): UsageError {
  if (operand === "config") {
    return new UsageError("cli_unknown_command", { name: operand, commands: CONFIG_COMMANDS.join(", ") });
  }
  const names = Object.keys(COMMANDS) as CommandName[];
  const commands = [
    ...new Set(names.filter((name) => COMMANDS[name].help).map((name) => name.split(" ")[0] ?? "")),
  ];
  const suggestion = nearest(operand, [...commands, "help"]);
  if (isDirectory(operand) || (suggestion === undefined && /[/\\.~]/.test(operand))) {
    return new UsageError("cli_bare_directory", { command: `muxue_rag --dir ${quoted(operand)}` });
  }
  return suggestion === undefined
    ? new UsageError("cli_unknown_command", { name: operand, commands: commands.join(", ") })
    : new UsageError("cli_unknown_command_suggest", { name: operand, suggestion });
}

function quoted(argument: string): string {
  return /\s/.test(argument) ? `"${argument}"` : argument;
}

/** A flag of another command. */
export function notHere(flag: FlagName, command: CommandName): UsageError {
  const takers = (Object.keys(COMMANDS) as CommandName[]).filter((name) =>
    COMMANDS[name].flags.includes(flag)
  );
  return new UsageError("cli_option_not_here", {
    flag: longForm(flag),
    command: shownName(command),
    commands: takers.map(shownName).join(", "),
  });
}

function shownName(command: CommandName): string {
  return command === "index" ? "muxue_rag --dir" : command === "version" ? longForm("version") : command;
}

/** commander's own texts are English: the same said in the table's words. Its suggestions are off. */
export function translate(
  error: CommanderError,
  args: readonly string[],
  isDirectory: (path: string) => boolean,
): UsageError {
  const subject = /'(.*)'/s.exec(error.message)?.[1] ?? error.message;
  const command = commandOf(args);
  switch (error.code) {
    case "commander.unknownOption": {
      const [operand] = args;
      if (command === undefined && operand !== undefined && !operand.startsWith("-")) {
        return strayOperand(operand, isDirectory);
      }
      return unknownOption(subject, command ?? "index");
    }
    case "commander.optionMissingArgument":
      return new UsageError("cli_option_value_missing", { flag: /--[a-z-]+/.exec(subject)?.[0] ?? subject });
    case "commander.missingArgument":
      return new UsageError(COMMANDS[command ?? "index"].argument?.missing ?? "cli_query_missing");
    case "commander.excessArguments": {
      const extra = / but got \d+: (.*)\.$/s.exec(error.message)?.[1] ?? subject;
      return new UsageError("cli_too_many_arguments", {
        command: shownName(command ?? "index"),
        arguments: extra,
      });
    }
    case "commander.unknownCommand": {
      const suggestion = nearest(subject, CONFIG_COMMANDS.map((name) => name.replace("config ", "")));
      return suggestion === undefined
        ? new UsageError("cli_unknown_command", {
          name: `config ${subject}`,
          commands: CONFIG_COMMANDS.join(", "),
        })
        : new UsageError("cli_unknown_command_suggest", {
          name: `config ${subject}`,
          suggestion: `config ${suggestion}`,
        });
    }
    default:
      return new UsageError("cli_error", { text: error.message });
  }
}

/** The command that commander had reached. */
function commandOf(args: readonly string[]): CommandName | undefined {
  const [first = "", second = ""] = args;
  const name = first === "config" ? `config ${second}` : first;
  return name in COMMANDS && COMMANDS[name as CommandName].help ? name as CommandName : undefined;
}

function unknownOption(argument: string, command: CommandName): UsageError {
  const flag = argument.replace(/=.*/s, "");
  const all = Object.keys(OPTIONS) as FlagName[];
  const known = all.find((name) => longForm(name) === flag || OPTIONS[name].flags.startsWith(`${flag},`));
  if (known !== undefined) {
    return COMMANDS[command].flags.includes(known)
      ? new UsageError("cli_option_no_value", { flag })
      : notHere(known, command);
  }
  const here = command === "index" ? ROOT_FLAGS : COMMANDS[command].flags;
  const suggestion = nearest(flag, [...here.map(longForm), "--help"]);
  return suggestion === undefined
    ? new UsageError("cli_unknown_option", { flag })
    : new UsageError("cli_unknown_option_suggest", { flag, suggestion });
}
