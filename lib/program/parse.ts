/**
 * From the arguments to a command with its flags and operands, by the package `commander`,
 * and the error for everything that does not belong there.
 */
import * as commander from "commander";
import type { CommanderError } from "commander";
import { UsageError } from "#foundation/errors.ts";
import type { MessageKey } from "#foundation/messages/mod.ts";
import { shellWord } from "#foundation/messages/start.ts";
import { type Command, helpOfFlag } from "./command.ts";
import {
  commandAbove,
  type CommandGroup,
  COMMANDS,
  commandsIn,
  DEFAULT_COMMAND,
  findCommand,
  groupOf,
  GROUPS,
  lastWord,
  ROOT_FLAGS,
} from "./commands/declarations.ts";
import { commandLine, type Given, notHere, shownName, valueOf } from "./plain_line.ts";
import { type FlagName, longForm, OPTIONS, TWO_LETTER_FORMS } from "./options.ts";
import type { CommandLine } from "./request.ts";
import { nearest } from "#foundation/configuration/mod.ts";

/** A command line that is answered with the help. */
export interface Help {
  readonly command: "help";
  /** Empty unless the parser was given the texts. */
  readonly text: string;
  /** Whether the user asked for the help. False for an empty command line, which is a usage error. */
  readonly asked: boolean;
}

type IsDirectory = (path: string) => boolean;

/** The texts of the help in a language. Few command lines ask for them. */
export interface HelpTexts {
  /** The text of a description. */
  readonly of: (key: MessageKey) => string;
  /** Sets up the layout of a parser's help. */
  readonly lay: (parser: commander.Command) => void;
}

/**
 * Reads a command line. Throws `UsageError` for everything that does not belong there. `isDirectory` tells a folder without
 * `--dir` from a mistyped command. `texts`: those of the help, if it is to be printed.
 *
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(parseArguments(["search", "green", "tea", "--top-k", "3"]), {
 *   command: "search",
 *   operands: ["green", "tea"],
 *   flags: { dir: [], topK: 3 },
 * });
 * ```
 */
export function parseArguments(
  argv: readonly string[],
  isDirectory: IsDirectory = () => false,
  texts?: HelpTexts,
): CommandLine | Help {
  let help = "";
  let parsed: CommandLine | Help | undefined;
  const text = (key: MessageKey) => texts?.of(key) ?? "";
  const write = (part: string) => help += texts === undefined ? "" : part;
  /** Makes a parser throw instead of ending the process, and pass its help to `write`. */
  const setUp = (parser: commander.Command): commander.Command => {
    parser.exitOverride().showSuggestionAfterError(false).helpOption("-h, --help", text("cli_help_help"))
      .configureOutput({ writeOut: write, writeErr: write, outputError: () => {} });
    texts?.lay(parser);
    return parser;
  };
  const root = new commander.Command("muxue_rag");
  /** `declared`: the command that was typed; `undefined` for the program itself, where flags choose one. */
  const build = (parser: commander.Command, declared: Command | undefined, flags: readonly FlagName[]) => {
    setUp(parser);
    for (const flag of flags) {
      const option = optionFor(flag, text(helpOfFlag(flag, declared)));
      // `serve` takes `--serve` as well; its help leaves that out.
      if (flag === declared?.chosenBy) option.hideHelp();
      parser.addOption(option);
    }
    parser.action(() => {
      const command = declared ?? chooseByFlags(givenTo(root), root.args, isDirectory);
      if (command === undefined) {
        root.outputHelp();
        parsed = { command: "help", text: help, asked: false };
        return;
      }
      const parsers = [...new Set([root, parser.parent ?? root, parser])];
      const given: Given = Object.assign({}, ...parsers.map(givenTo));
      // A folder may be named by its collection: both flags say the same. Other commands take collections, and no folders.
      const isSame = command.flags.includes("dir");
      given.dir = parsers.flatMap((parser) => isSame ? dirsOf(parser) : []);
      if (isSame) delete given.collection;
      parsed = commandLine(command, given, parser === root ? [] : parser.args, declared !== undefined);
    });
  };

  /** The parser of a word that begins commands. Alone, it prints its help. */
  const groupParser = (group: CommandGroup) => {
    const parser = setUp(new commander.Command(group.name).description(text(group.help)));
    return parser.helpCommand(false).enablePositionalOptions()
      .addOption(optionFor("language", text(OPTIONS.language.help)))
      .allowExcessArguments().action(() => {
        const [name] = parser.args;
        if (name !== undefined) throw unknownInGroup(group, name);
        parser.outputHelp();
        parsed = { command: "help", text: help, asked: true };
      });
  };

  build(root, undefined, ROOT_FLAGS);
  root.description(text("cli_help_program"))
    .allowExcessArguments()
    .enablePositionalOptions()
    .helpCommand("help [command]", text("cli_help_cmd_help"))
    .addHelpText("after", `\n${text("cli_help_examples")}`);
  const groups = new Map(GROUPS.map((group) => [group, groupParser(group)]));
  const parsers = new Map<Command, commander.Command>();
  for (const declared of COMMANDS) {
    const { help, argument, flags } = declared;
    if (help === undefined) continue;
    const parser = new commander.Command(lastWord(declared)).description(text(help));
    if (argument) parser.argument(argument.name, text(argument.help));
    build(parser, declared, flags);
    const group = groupOf(declared);
    const above = commandAbove(declared);
    parsers.set(declared, parser.enablePositionalOptions().helpCommand(false));
    (group === undefined ? above && parsers.get(above) || root : groups.get(group)!).addCommand(parser);
  }
  for (const group of groups.values()) root.addCommand(group);

  try {
    root.parse(rewriteArgv(argv), { from: "user" });
  } catch (error) {
    if (!(error instanceof commander.CommanderError)) throw error;
    if (error.code === "commander.helpDisplayed" || error.code === "commander.help") {
      // commander answers `help nonsense` with the general help.
      const [first, topic] = root.args;
      const isTopic = topic === undefined || topic === "help" ||
        root.commands.some((c) => c.name() === topic);
      if (first === "help" && !isTopic) throw strayOperand(topic, isDirectory);
      return { command: "help", text: help, asked: true };
    }
    throw translate(error, root.args, isDirectory);
  }
  if (parsed === undefined) throw new Error("commander ran no action");
  return parsed;
}

/** The options that the command line gives to `command` itself, without defaults. */
function givenTo(command: commander.Command): Given {
  const given: Given = {};
  for (const flag of Object.keys(OPTIONS) as FlagName[]) {
    if (command.getOptionValueSource(flag) === "cli") given[flag] = command.getOptionValue(flag);
  }
  return given;
}

function dirsOf(command: commander.Command): string[] {
  return ["dir", "collection"].flatMap((name) => command.getOptionValue(name) as string[] | undefined ?? []);
}

/** A flag as an option of commander. A wrong value throws `UsageError` while it is parsed. */
function optionFor(flag: FlagName, description: string): commander.Option {
  const option = new commander.Option(OPTIONS[flag].flags, description);
  // commander takes `--no-update` for the negation of `--update`. Here it is a separate flag.
  option.negate = false;
  if (!option.required) return option;
  return option.argParser((value: string, previous: unknown) => valueOf(flag, value, previous));
}

/** Matches `-word` and `-"some words"`, but not the short options `-d`, `-d=x` and `-d/notes`. */
const EXCLUSION = /^-(?:["“「『]|\p{L}[^=/.~\\])/u;

/**
 * The arguments in a form that commander reads as meant. The two-letter short forms (`-cl`, `-bp P`, `-bp=P`) become long
 * forms, since commander reads `-cl` as `-c l`. The words that a query excludes (`-draft`) move behind `--`, since commander
 * would take them for options. Throws `UsageError` `cli_unknown_option_suggest` for `-clean` or `-dir`, which commander
 * would take for `-c` or `-d` with a value.
 */
function rewriteArgv(argv: readonly string[]): string[] {
  const end = argv.indexOf("--");
  const before = end < 0 ? argv : argv.slice(0, end);
  const after = end < 0 ? [] : argv.slice(end + 1);
  const longForms = (Object.keys(OPTIONS) as FlagName[]).map(longForm);
  const rewritten: string[] = [];
  const excluded: string[] = [];
  const query = before.findIndex((argument) => findCommand(argument)?.argument?.kind === "query");
  for (const [at, argument] of before.entries()) {
    const [name = "", ...value] = argument.split("=");
    const long = TWO_LETTER_FORMS[name];
    if (long !== undefined) rewritten.push([long, ...value].join("="));
    else if (longForms.includes(`-${name}`)) {
      throw new UsageError("cli_unknown_option_suggest", { flag: name, suggestion: `-${name}` });
    } else if (query >= 0 && at > query && EXCLUSION.test(argument) && !takesValue(before[at - 1]!)) {
      excluded.push(argument);
    } else rewritten.push(argument);
  }
  return end < 0 && excluded.length === 0 ? rewritten : [...rewritten, "--", ...excluded, ...after];
}

function takesValue(argument: string): boolean {
  return Object.values(OPTIONS).some(({ flags }) => {
    const [names = "", value] = flags.split(" <");
    return value !== undefined && names.split(", ").includes(argument);
  });
}

/** The command that the flags choose where no command is typed; `undefined` without any flag. Throws `UsageError`. */
function chooseByFlags(
  given: Given,
  [operand]: readonly string[],
  isDirectory: IsDirectory,
): Command | undefined {
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

/** The error for a word that is not a command: probably a folder without `--dir`, or a typing error. */
function strayOperand(operand: string, isDirectory: IsDirectory): UsageError {
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

/** Translates an error of commander, whose texts are English, to a message of the program. */
function translate(error: CommanderError, args: readonly string[], isDirectory: IsDirectory): UsageError {
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
      return new UsageError("cli_too_many_arguments", { command: shownName(command), arguments: extra });
    }
    default:
      return new UsageError("cli_error", { text: error.message });
  }
}

/** The error for a word after `config` or `model` that is none of its commands. */
function unknownInGroup(group: CommandGroup, word: string): UsageError {
  const name = `${group.name} ${word}`;
  const suggestion = nearest(word, commandsIn(group).map(lastWord));
  return suggestion === undefined
    ? new UsageError("cli_unknown_command", { name, commands: namesIn(group) })
    : new UsageError("cli_unknown_command_suggest", { name, suggestion: `${group.name} ${suggestion}` });
}

function namesIn(group: CommandGroup): string {
  return commandsIn(group).map(({ name }) => name).join(", ");
}

function commandOf(args: readonly string[]): Command | undefined {
  const [first = "", second = ""] = args;
  const command = findCommand(`${first} ${second}`) ?? findCommand(first);
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
