import { Command, CommanderError } from "commander";
import { UsageError } from "../errors.ts";
import { message } from "../messages.ts";
import type { Language } from "../messages.ts";
import { rewriteArgv } from "./argv.ts";
import { checkFlags, chooseByFlags } from "./choose.ts";
import type { Given } from "./choose.ts";
import { setUpHelp } from "./help.ts";
import { optionFor } from "./option_for.ts";
import { COMMANDS, MANY_DIRS, OPTIONS, ROOT_FLAGS } from "./options.ts";
import type { CommandName, FlagName, Flags } from "./options.ts";
import { strayOperand, translate } from "./usage_errors.ts";

/** What a command line asks for. */
export type Invocation =
  /** `asked` is false when there was nothing to do, so that the help is the answer to a wrong usage. */
  | { readonly command: "help"; readonly text: string; readonly asked: boolean }
  | { readonly command: CommandName; readonly operands: readonly string[]; readonly flags: Flags };

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
    setUpHelp(command, language, (text) => help += text);
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
      const args = command === root ? [] : command.args;
      // one-click packages put all their folders behind one another: there is no way to put a flag before each
      const [operands, moreDirs] = chosen === "serve" ? [[], args] : [args, []];
      given.dir = [...dirsOf(root), ...(command === root ? [] : dirsOf(command)), ...moreDirs];
      checkFlags(chosen, given);
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
  setUpHelp(config, language, (text) => help += text);
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
