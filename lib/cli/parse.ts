import * as commander from "commander";
import { UsageError } from "../errors.ts";
import { type Language, message } from "../messages.ts";
import { rewriteArgv } from "./argv.ts";
import { checkFlags, chooseByFlags, type Given } from "./choose.ts";
import { type Command, helpOfFlag } from "./command.ts";
import { type CommandGroup, COMMANDS, groupOf, GROUPS, lastWord, ROOT_FLAGS } from "./commands/mod.ts";
import { setUpHelp } from "./help.ts";
import { type FlagName, type Flags, longForm, OPTIONS } from "./options.ts";
import type { CommandLine } from "./request.ts";
import { strayOperand, translate, unknownInGroup } from "./usage_errors.ts";

/** A command line that is answered with the help. */
export interface Help {
  readonly command: "help";
  readonly text: string;
  /** Whether the user asked for the help. False for an empty command line, which is a usage error. */
  readonly asked: boolean;
}

/**
 * Reads a command line. Throws `UsageError` for everything that does not belong there. The help is in `language`.
 * `isDirectory` tells a folder without `--dir` from a mistyped command.
 *
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(parseArguments(["search", "green", "tea", "--top-k", "3"], "en"), {
 *   command: "search",
 *   operands: ["green", "tea"],
 *   flags: { dir: [], topK: 3 },
 * });
 * ```
 */
export function parseArguments(
  argv: readonly string[],
  language: Language,
  isDirectory: (path: string) => boolean = () => false,
): CommandLine | Help {
  let help = "";
  let parsed: CommandLine | Help | undefined;
  const root = new commander.Command("muxue_rag");
  /** `declared`: the command that was typed; `undefined` for the program itself, where flags choose one. */
  const build = (parser: commander.Command, declared: Command | undefined, flags: readonly FlagName[]) => {
    setUpHelp(parser, language, (text) => help += text);
    for (const flag of flags) {
      const option = optionFor(flag, message(language, helpOfFlag(flag, declared)));
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
      const given = { ...givenTo(root), ...givenTo(parser.parent ?? root), ...givenTo(parser) };
      const args = parser === root ? [] : parser.args;
      // One-click packages pass all folders in a row and cannot put a flag before each.
      const [operands, moreDirs] = command.argument?.kind === "folders" ? [[], args] : [args, []];
      given.dir = [...dirsOf(root), ...(parser === root ? [] : dirsOf(parser)), ...moreDirs];
      const isHere = declared?.isHere && (given.dir as string[]).length === 0;
      if (isHere) given.dir = ["."];
      checkFlags(command, given);
      if (given.format === "json") given.json = true;
      const missing = command.argument?.missing;
      if (missing !== undefined && operands.every((operand) => operand.trim() === "")) {
        throw new UsageError(missing);
      }
      parsed = {
        ...{ command: command.name, operands, flags: given as unknown as Flags },
        ...(isHere && { isHere }),
      };
    });
  };

  /** The parser of a word that begins commands. Alone, it prints its help. */
  const groupParser = (group: CommandGroup) => {
    const parser = new commander.Command(group.name).description(message(language, group.help));
    setUpHelp(parser, language, (text) => help += text);
    return parser.helpCommand(false).enablePositionalOptions()
      .addOption(optionFor("language", message(language, OPTIONS.language.help)))
      .allowExcessArguments().action(() => {
        const [name] = parser.args;
        if (name !== undefined) throw unknownInGroup(group, name);
        parser.outputHelp();
        parsed = { command: "help", text: help, asked: true };
      });
  };

  build(root, undefined, ROOT_FLAGS);
  root.description(message(language, "cli_help_program"))
    .allowExcessArguments()
    .enablePositionalOptions()
    .helpCommand("help [command]", message(language, "cli_help_cmd_help"))
    .addHelpText("after", `\n${message(language, "cli_help_examples")}`);
  const groups = new Map(GROUPS.map((group) => [group, groupParser(group)]));
  for (const declared of COMMANDS) {
    const { help, argument, flags } = declared;
    if (help === undefined) continue;
    const parser = new commander.Command(lastWord(declared)).description(message(language, help));
    if (argument) parser.argument(argument.name, message(language, argument.help));
    build(parser, declared, flags);
    const group = groupOf(declared);
    (group === undefined ? root : groups.get(group)!).addCommand(parser);
  }
  for (const group of groups.values()) root.addCommand(group);

  try {
    root.parse(rewriteArgv(argv), { from: "user" });
  } catch (error) {
    if (!(error instanceof commander.CommanderError)) throw error;
    if (error.code === "commander.helpDisplayed" || error.code === "commander.help") {
      // commander answers `help nonsense` with the general help.
      const [first, topic] = root.args;
      if (
        first === "help" && topic !== undefined && topic !== "help" &&
        !root.commands.some((c) => c.name() === topic)
      ) {
        throw strayOperand(topic, isDirectory);
      }
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
  return command.getOptionValue("dir") as string[] | undefined ?? [];
}

/** A flag as an option of commander. A wrong value throws `UsageError` while it is parsed. */
function optionFor(flag: FlagName, description: string): commander.Option {
  const { flags, choices, range, repeatable } = OPTIONS[flag];
  const option = new commander.Option(flags, description);
  // commander takes `--no-update` for the negation of `--update`. Here it is a separate flag.
  option.negate = false;
  if (!option.required) return option;
  const long = longForm(flag);
  return option.argParser((value: string, previous: unknown) => {
    // commander takes the next argument for the value, whatever it is: `--dir --full` would name a directory `--full`.
    if (value.startsWith("--")) throw new UsageError("cli_option_value_missing", { flag: long });
    if (choices && !choices.includes(value)) {
      throw new UsageError("cli_bad_choice", { flag: long, value, choices: choices.join(", ") });
    }
    if (range) {
      const { min, max } = range;
      const number = /^\d+$/.test(value) ? Number(value) : NaN;
      if (!(number >= min && number <= max)) {
        throw new UsageError("cli_bad_number", { flag: long, value, min, max });
      }
      return number;
    }
    return repeatable ? [...(previous as string[] | undefined ?? []), value] : value;
  });
}
