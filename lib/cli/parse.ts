import { Command, CommanderError, Option } from "commander";
import type { Argument } from "commander";
import { UsageError } from "../errors.ts";
import { message } from "../messages.ts";
import type { Language, MessageKey } from "../messages.ts";
import { rewriteArgv } from "./argv.ts";
import { displayWidth } from "./display_width.ts";
import { COMMANDS, longForm, MANY_DIRS, OPTIONS, ROOT_FLAGS } from "./options.ts";
import type { CommandName, FlagName, Flags } from "./options.ts";
import { notHere, strayOperand, translate } from "./usage_errors.ts";

/** What a command line asks for. */
export type Invocation =
  /** `asked` is false when there was nothing to do, so that the help is the answer to a wrong usage. */
  | { readonly command: "help"; readonly text: string; readonly asked: boolean }
  | { readonly command: CommandName; readonly operands: readonly string[]; readonly flags: Flags };

type Given = Partial<Record<FlagName, unknown>>;

/**
 * Reads a command line. Throws `UsageError` for whatever does not belong there; nothing is ignored in silence.
 * Help is in `language`. `isDirectory` tells a bare folder, that wants `--dir`, from a mistyped command.
 */
export function parseArguments(
  argv: readonly string[],
  language: Language,
  isDirectory: (path: string) => boolean = () => false,
): Invocation {
  let help = "";
  let invocation: Invocation | undefined;
  const root = new Command("muxue_rag");
  const build = (command: Command, name: CommandName, flags: readonly FlagName[]) => {
    setUp(command, language, (text) => help += text);
    for (const flag of flags) {
      const key = flag === "dir" && MANY_DIRS.includes(name) ? "cli_help_dirs" : OPTIONS[flag].help;
      command.addOption(optionFor(flag, message(language, key)));
    }
    // Repeating `--serve` in the help of `serve` would say nothing.
    for (const option of command.options) {
      if (command !== root && option.attributeName() === name) option.hideHelp();
    }
    command.action(() => {
      const chosen = command === root ? chooseByFlags(givenTo(root), command.args, isDirectory) : name;
      if (chosen === undefined) {
        root.outputHelp();
        invocation = { command: "help", text: help, asked: false };
        return;
      }
      const given = { ...givenTo(root), ...givenTo(command) };
      given.dir = [...dirsOf(root), ...(command === root ? [] : dirsOf(command))];
      checkFlags(chosen, given);
      const operands = command === root ? [] : command.args;
      const missing = COMMANDS[chosen].argument?.missing;
      if (missing !== undefined && operands.every((operand) => operand.trim() === "")) {
        throw new UsageError(missing);
      }
      invocation = { command: chosen, operands, flags: given as unknown as Flags };
    });
  };

  build(root, "index", ROOT_FLAGS);
  root.description(message(language, "cli_help_program"))
    .allowExcessArguments()
    .enablePositionalOptions()
    .helpCommand("help [command]", message(language, "cli_help_cmd_help"))
    .addHelpText("after", `\n${message(language, "cli_help_examples")}`);
  const config = new Command("config").description(message(language, "cli_help_cmd_config"));
  setUp(config, language, (text) => help += text);
  config.helpCommand(false);
  for (const name of Object.keys(COMMANDS) as CommandName[]) {
    const spec = COMMANDS[name];
    if (spec.help === undefined) continue;
    const parent = name.startsWith("config ") ? config : root;
    const command = new Command(name.replace("config ", "")).description(message(language, spec.help));
    if (spec.argument) command.argument(spec.argument.name, message(language, spec.argument.help));
    build(command, name, spec.flags);
    parent.addCommand(command);
  }
  root.addCommand(config);

  try {
    root.parse(rewriteArgv(argv), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.helpDisplayed" || error.code === "commander.help") {
      // commander answers `help nonsense` with the general help.
      const [first, topic] = root.args;
      if (
        first === "help" && topic !== undefined && topic !== "help" &&
        !root.commands.some((c) => c.name() === topic)
      ) {
        throw strayOperand(topic, isDirectory);
      }
      // commander sends the help of `config` without a sub-command the way of errors, exit code 1.
      return { command: "help", text: help, asked: error.exitCode === 0 };
    }
    throw translate(error, root.args, isDirectory);
  }
  if (invocation === undefined) throw new Error("commander ran no action");
  return invocation;
}

function setUp(command: Command, language: Language, write: (text: string) => void): void {
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
      helpWidth: 110,
      displayWidth,
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
  return `<${argument.name()}${argument.variadic ? "..." : ""}>`;
}

function optionFor(flag: FlagName, description: string): Option {
  const { flags, choices, range, repeatable } = OPTIONS[flag];
  const option = new Option(flags, description);
  if (!option.required) return option;
  const long = longForm(flag);
  return option.argParser((value: string, previous: unknown) => {
    // commander takes whatever follows for the value, so that `--dir --full` would name a directory `--full`.
    if (value.startsWith("--")) throw new UsageError("cli_option_value_missing", { flag: long });
    if (choices && !choices.includes(value)) {
      throw new UsageError("cli_bad_choice", { flag: long, value, choices: choices.join(", ") });
    }
    if (range) {
      const [min, max] = range;
      const number = /^\d+$/.test(value) ? Number(value) : NaN;
      if (!(number >= min && number <= max)) {
        throw new UsageError("cli_bad_number", { flag: long, value, min, max });
      }
      return number;
    }
    return repeatable ? [...(previous as string[] | undefined ?? []), value] : value;
  });
}

/** The options a person gave to `command` itself, without defaults. */
function givenTo(command: Command): Given {
  const given: Given = {};
  for (const flag of Object.keys(OPTIONS) as FlagName[]) {
    if (command.getOptionValueSource(flag) === "cli") given[flag] = command.getOptionValue(flag);
  }
  return given;
}

function dirsOf(command: Command): string[] {
  return command.getOptionValue("dir") as string[] | undefined ?? [];
}

/** What is asked for where no command is named; `undefined` when nothing is. */
function chooseByFlags(
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

function checkFlags(command: CommandName, given: Given): void {
  for (const flag of Object.keys(given) as FlagName[]) {
    if (flag === "dir" && dirCount(given) === 0) continue;
    if (!COMMANDS[command].flags.includes(flag)) throw notHere(flag, command);
  }
  if (!COMMANDS[command].flags.includes("dir") || MANY_DIRS.includes(command)) return;
  if (dirCount(given) === 0) throw new UsageError("cli_dir_missing");
  if (dirCount(given) > 1) throw new UsageError("cli_one_dir_only");
}

function dirCount(given: Given): number {
  return (given.dir as string[] | undefined)?.length ?? 0;
}
