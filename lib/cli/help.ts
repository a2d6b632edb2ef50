import type { Argument, Command } from "commander";
import { type Language, message, type MessageKey } from "../messages.ts";
import { displayWidth } from "./display_width.ts";
import { type FlagName, OPTIONS } from "./options.ts";
import { wrapWords } from "./wrap_words.ts";

/** Columns of the help. It is not wider on a wide terminal, since long lines are hard to read. */
const HELP_WIDTH = 80;

/** Makes a parser throw instead of ending the process, and pass its help in `language` to `write`. */
export function setUpHelp(command: Command, language: Language, write: (text: string) => void): void {
  const titles: Record<string, MessageKey> = {
    "Usage:": "cli_help_usage",
    "Arguments:": "cli_help_arguments",
    "Options:": "cli_help_options",
    "Commands:": "cli_help_commands",
  };
  command
    .exitOverride()
    .showSuggestionAfterError(false)
    .helpOption("-h, --help", message(language, "cli_help_help"))
    .configureOutput({ writeOut: write, writeErr: write, outputError: () => {} })
    .configureHelp({
      helpWidth: HELP_WIDTH,
      displayWidth,
      // commander breaks lines at spaces only, which Chinese has not.
      boxWrap: wrapWords,
      commandUsage: (of) => usage(of, language),
      subcommandTerm: (of) => [of.name(), ...of.registeredArguments.map(termOf)].join(" "),
      styleTitle: (title) => titles[title] === undefined ? title : message(language, titles[title]),
      optionTerm: (option) => OPTIONS[option.attributeName() as FlagName]?.shown ?? option.flags,
    });
}

function usage(command: Command, language: Language): string {
  const names: string[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) names.unshift(at.name());
  const slots = [
    ...command.registeredArguments.map(termOf),
    `[${message(language, "cli_help_options_slot")}]`,
  ];
  if (command.commands.length > 0) slots.unshift(`[${message(language, "cli_help_command_slot")}]`);
  return [...names, ...slots].join(" ");
}

function termOf(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  // commander's `help` takes an optional argument. It is shown as required, since `help` alone is the same as `--help`.
  return argument.required || argument.name() === "command" ? `<${name}>` : `[${name}]`;
}
