import { type Language, message, type MessageKey } from "../../../messages.ts";
import { type Command, type Declared, helpOfFlag } from "../../command.ts";
import { type FlagName, longForm, OPTIONS, TWO_LETTER_FORMS } from "../../options.ts";

/** Values that can follow a flag or a command: some words, paths, or others that nothing can complete. */
export type Values = readonly string[] | "folders" | "files" | "free";

/** A flag of a command. */
export interface CompletedFlag {
  /** `--dir`, `-d`. The long form is first. */
  readonly forms: readonly string[];
  readonly help: string;
  /** `undefined` for a flag without a value. */
  readonly values: Values | undefined;
  readonly isRepeatable: boolean;
}

/** A command, or a word that begins commands, such as `config`. */
export interface CompletedCommand {
  readonly name: string;
  readonly help: string;
  readonly flags: readonly CompletedFlag[];
  /** `undefined` for a command without arguments. */
  readonly values: Values | undefined;
}

/** A word that begins commands, and these by their second words. */
export interface CompletedGroup {
  readonly name: string;
  readonly commands: readonly CompletedCommand[];
}

/** Everything that a script completes. */
export interface Completed {
  /** Flags that may stand without a command. */
  readonly flags: readonly CompletedFlag[];
  /** The first words, `config` and `help` among them. */
  readonly commands: readonly CompletedCommand[];
  /** The commands that two words name, such as those of `config`. */
  readonly groups: readonly CompletedGroup[];
}

/** The commands and flags as they are declared, with their help in `language`. */
export function completedCommands({ commands, groups, rootFlags }: Declared, language: Language): Completed {
  const typed = commands.filter(({ help }) => help !== undefined);
  const help = { forms: ["--help", "-h"], help: message(language, "cli_help_help"), values: undefined };
  const flagsOf = (names: readonly FlagName[], command?: Command) => [
    ...names.map((name) => flagOf(name, command, language)),
    { ...help, isRepeatable: false },
  ];
  const commandOf = (command: Command): CompletedCommand => ({
    name: command.name.slice(command.name.indexOf(" ") + 1),
    help: message(language, command.help!),
    flags: flagsOf(command.flags.filter((flag) => flag !== command.chosenBy), command),
    values: command.argument && (command.argument.choices ?? valuesOf(command.argument.name)),
  });
  const inGroups = groups.map(({ name, help }) => ({
    name,
    help,
    commands: typed.filter((command) => command.name.startsWith(`${name} `)).map(commandOf),
  }));
  const first = typed.filter(({ name }) => !name.includes(" ")).map(commandOf);
  const names = [...first, ...groups].map(({ name }) => name);
  const word = (name: string, key: MessageKey, values: readonly string[], flags: readonly FlagName[]) => ({
    name,
    help: message(language, key),
    flags: flagsOf(flags),
    values,
  });
  return {
    flags: flagsOf(rootFlags),
    commands: [
      ...first,
      ...inGroups.map(({ name, help, commands }) =>
        word(name, help, commands.map(({ name }) => name), ["language"])
      ),
      word("help", "cli_help_cmd_help", names, []),
    ],
    groups: inGroups.map(({ name, commands }) => ({ name, commands })),
  };
}

function flagOf(name: FlagName, command: Command | undefined, language: Language): CompletedFlag {
  const { flags, choices, repeatable } = OPTIONS[name];
  const [names = "", value] = flags.split(" <");
  const long = longForm(name);
  const twoLetters = Object.keys(TWO_LETTER_FORMS).filter((form) => TWO_LETTER_FORMS[form] === long);
  return {
    forms: [long, ...names.split(", ").filter((form) => form !== long), ...twoLetters],
    help: message(language, helpOfFlag(name, command)),
    values: value === undefined ? undefined : choices ?? valuesOf(value),
    isRepeatable: repeatable ?? false,
  };
}

/** The values by the name that the help gives them: `<dir>`, `<file...>`. */
function valuesOf(name: string): Values {
  if (name.includes("dir")) return "folders";
  return /file|path|data/.test(name) ? "files" : "free";
}

/** The words of a command line that need a value after them, in all their forms. */
export function formsWithValues({ flags, commands, groups }: Completed): Map<string, Values> {
  const forms = new Map<string, Values>();
  for (
    const each of [
      flags,
      ...[...commands, ...groups.flatMap((group) => group.commands)].map((command) => command.flags),
    ].flat()
  ) {
    if (each.values !== undefined) { for (const form of each.forms) forms.set(form, each.values); }
  }
  return forms;
}

/** Every command line that can be completed, by its words (`""` for none, `config check`). */
export function byWords(
  { flags, commands, groups }: Completed,
): Map<string, Pick<CompletedCommand, "flags" | "values">> {
  return new Map<string, Pick<CompletedCommand, "flags" | "values">>([
    ["", { flags, values: commands.map(({ name }) => name) }],
    ...commands.map((command) => [command.name, command] as const),
    ...groups.flatMap((group) =>
      group.commands.map((command) => [`${group.name} ${command.name}`, command] as const)
    ),
  ]);
}
