/**
 * The command `completions`: the flags and values of each command,
 * and the scripts for bash, zsh, fish and PowerShell.
 */
import { type Language, message, type MessageKey } from "#foundation/messages/mod.ts";
import { type Command, type Declared, helpOfFlag } from "../command.ts";
import { type FlagName, longForm, OPTIONS, type Shell, SHELLS, TWO_LETTER_FORMS } from "../options.ts";
import { nearest } from "#foundation/configuration/mod.ts";
import { UsageError } from "#foundation/errors.ts";
import { type Context, EXIT } from "../context.ts";

/** Values that can follow a flag or a command: some words, paths, or others that nothing can complete. */
type Values = readonly string[] | "folders" | "files" | "free";

interface CompletedFlag {
  /** `--dir`, `-d`. The long form is first. */
  readonly forms: readonly string[];
  readonly help: string;
  /** `undefined` for a flag without a value. */
  readonly values: Values | undefined;
  readonly isRepeatable: boolean;
}

/** A command, or a word that begins commands, such as `config`. */
interface CompletedCommand {
  readonly name: string;
  readonly help: string;
  readonly flags: readonly CompletedFlag[];
  /** `undefined` for a command without arguments. */
  readonly values: Values | undefined;
}

interface Completed {
  /** Flags that may stand without a command. */
  readonly flags: readonly CompletedFlag[];
  /** The first words, `config` and `help` among them. */
  readonly commands: readonly CompletedCommand[];
  /** The commands that two words name, such as those of `config`, by their second words. */
  readonly groups: readonly CompletedGroup[];
}

interface CompletedGroup {
  readonly name: string;
  readonly commands: readonly CompletedCommand[];
  /** The command that the first word alone names, such as `eval`. */
  readonly own?: CompletedCommand;
}

/** The commands and flags as they are declared, with their help in `language`. */
function completedCommands({ commands, groups, rootFlags }: Declared, language: Language): Completed {
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
  const above = first.flatMap((own): CompletedGroup[] => {
    const below = typed.filter(({ name }) => name.startsWith(`${own.name} `)).map(commandOf);
    return below.length === 0 ? [] : [{ name: own.name, commands: below, own }];
  });
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
    groups: [...above, ...inGroups.map(({ name, commands }) => ({ name, commands }))],
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
function formsWithValues({ flags, commands, groups }: Completed): Map<string, Values> {
  const all = [{ flags }, ...commands, ...groups.flatMap((group) => group.commands)];
  return new Map(
    all.flatMap((each) => each.flags).flatMap(({ forms, values }) =>
      values === undefined ? [] : forms.map((form) => [form, values] as const)
    ),
  );
}

/** Every command line that can be completed, by its words (`""` for none, `config check`). */
function byWords(
  { flags, commands, groups }: Completed,
): (Omit<CompletedCommand, "name" | "help"> & { words: string })[] {
  return [
    { words: "", flags, values: commands.map(({ name }) => name) },
    ...commands.map((command) => ({ words: command.name, ...command })),
    ...groups.flatMap((group) =>
      group.commands.map((command) => ({ words: `${group.name} ${command.name}`, ...command }))
    ),
  ];
}

/** The script for bash, from version 3.2 on, which macOS has. */
function bashScript(completed: Completed, comment: string): string {
  const pairs = completed.groups.flatMap(({ name, commands }) =>
    commands.map((command) => `'${name} ${command.name}'`)
  ).join("|");
  const withValues = formsWithValues(completed);
  const lines = byWords(completed);
  const flagCases = lines.map(({ words, flags }) =>
    `          '${words}') words='${flags.flatMap(({ forms }) => forms).join(" ")}' ;;`
  );
  const argumentCases = lines.map(({ words, values }) => {
    const group = completed.groups.find(({ name, own }) => name === words && own !== undefined);
    const below = group === undefined ? "" : `; words='${group.commands.map(({ name }) => name).join(" ")}'`;
    return `          '${words}') ${bashValues(values)}${below} ;;`;
  });
  const valueCases = [...withValues].map(([form, values]) => `    ${form}) ${bashValues(values)} ;;`);
  return `# ${comment}
_muxue_rag() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  local command='' value='' kind='' words='' word i
  # bash takes the = of --dir=notes for a word.
  if [[ $cur == = ]]; then cur=''; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == = ]]; then value=1; continue; fi
    if [[ -n $value ]]; then value=''; continue; fi
    case $word in
      ${[...withValues.keys()].join("|")}) value=1 ;;
      -*) ;;
      *) if [[ -z $command ]]; then command=$word; elif [[ "$command $word" == @(${pairs}) ]]; then command="$command $word"; fi ;;
    esac
  done
  case $prev in
${valueCases.join("\n")}
    *)
      if [[ $cur == -* ]]; then
        case $command in
${flagCases.join("\n")}
        esac
      else
        case $command in
${argumentCases.join("\n")}
        esac
      fi ;;
  esac
  COMPREPLY=()
  local list IFS=$' \\n'
  case $kind in
    folders) compopt -o filenames 2>/dev/null; list=$(compgen -d -- "$cur") ;;
    files) compopt -o filenames 2>/dev/null; list=$(compgen -f -- "$cur"; compgen -W "$words" -- "$cur") ;;
    *) list=$(compgen -W "$words" -- "$cur") ;;
  esac
  while IFS= read -r word; do [[ -z $word ]] || COMPREPLY+=("$word"); done <<< "$list"
}
complete -F _muxue_rag muxue_rag
`;
}

function bashValues(values: Values | undefined): string {
  if (values === undefined || values === "free") return ":";
  return typeof values === "string" ? `kind=${values}` : `words='${values.join(" ")}'`;
}

/** The script for zsh. It works as a file `_muxue_rag` in `$fpath`, and after `compinit` as a script that is read. */
function zshScript({ flags, commands, groups }: Completed, comment: string): string {
  const single = commands.filter(({ name }) => groups.every((group) => group.name !== name));
  return `#compdef muxue_rag
# ${comment}
_muxue_rag() {
  local curcontext=$curcontext state line ret=1
  local -a commands ${groups.map(({ name }) => name).join(" ")}
  typeset -A opt_args
  commands=(
${described(commands)}
  )
${groups.map(({ name, commands }) => `  ${name}=(\n${described(commands)}\n  )\n`).join("")}  _arguments -C \\
${flags.flatMap(flagSpecs).map((spec) => `    ${spec} \\\n`).join("")}    '1:command:->command' \\
    '*::argument:->argument' && ret=0
  case $state in
    command) _describe -t commands command commands && ret=0 ;;
    argument)
      case $words[1] in
${single.map((command) => commandCase(command, "      ")).join("\n")}
${groups.map(groupCase).join("")}      esac ;;
  esac
  return ret
}
if [[ $funcstack[1] == _muxue_rag ]]; then _muxue_rag "$@"; else compdef _muxue_rag muxue_rag; fi
`;
}

function groupCase({ name, commands, own }: CompletedGroup): string {
  const ownCase = own === undefined ? "" : `
        elif [[ $words[2] != (${commands.map(({ name }) => name).join("|")}) ]]; then
          case ${name} in
${commandCase(own, "            ")}
          esac`;
  const ownValues = own?.values === undefined ? "" : `\n          ${action(own.values)} && ret=0`;
  return `      ${name})
        if (( CURRENT == 2 ))${own === undefined ? "" : " && [[ $words[2] != -* ]]"}; then
          _describe -t commands command ${name} && ret=0${ownValues}${ownCase}
        else
          shift words
          (( CURRENT-- ))
          case $words[1] in
${commands.map((command) => commandCase(command, "          ")).join("\n")}
          esac
        fi ;;
`;
}

function described(commands: readonly CompletedCommand[]): string {
  return commands.map(({ name, help }) => `    ${zshQuoted(`${name}:${help}`)}`).join("\n");
}

function commandCase({ name, flags, values }: CompletedCommand, indent: string): string {
  const specs = flags.flatMap(flagSpecs);
  if (values !== undefined) specs.push(zshQuoted(`*:argument:${action(values)}`));
  return `${indent}${name}) _arguments ${specs.join(` \\\n${indent}  `)} && ret=0 ;;`;
}

/** One specification of `_arguments` for each form of a flag. Forms of a flag that can be given once exclude each other. */
function flagSpecs({ forms, help, values, isRepeatable }: CompletedFlag): string[] {
  const text = help.replaceAll(/[[\]\\]/g, "\\$&");
  const value = values === undefined ? "" : `:value:${action(values)}`;
  return forms.map((form) =>
    zshQuoted(`${isRepeatable ? "*" : `(${forms.join(" ")})`}${form}[${text}]${value}`)
  );
}

function action(values: Values): string {
  if (values === "folders") return "_files -/";
  if (values === "files") return "_files";
  // An empty message instead of an empty list would keep flags from being completed.
  return values === "free" ? "()" : `(${values.join(" ")})`;
}

function zshQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const FISH_FIRST_WORD = "__fish_use_subcommand";

function fishScript({ flags, commands, groups }: Completed, comment: string): string {
  const isGroup = (name: string) => groups.some((group) => group.name === name);
  return [
    `# ${comment}\n`,
    line(["-f"]),
    ...flags.map((flag) => flagLine(FISH_FIRST_WORD, flag)),
    ...commands.map(({ name, help }) => line(["-n", FISH_FIRST_WORD, "-a", name, "-d", fishQuoted(help)])),
    ...commands.filter(({ name }) => !isGroup(name)).flatMap((command) =>
      commandLines(`__fish_seen_subcommand_from ${command.name}`, command)
    ),
    ...groups.flatMap(groupLines),
  ].join("");
}

/** The commands after a word such as `config`. */
function groupLines({ name: word, commands, own }: CompletedGroup): string[] {
  const seen = `__fish_seen_subcommand_from ${word}`;
  const others = `not __fish_seen_subcommand_from ${commands.map(({ name }) => name).join(" ")}`;
  return [
    ...(own === undefined ? [] : commandLines(`${seen}; and ${others}`, own)),
    ...commands.map(({ name, help }) =>
      line(["-n", fishQuoted(`${seen}; and ${others}`), "-a", name, "-d", fishQuoted(help)])
    ),
    ...commands.flatMap((command) =>
      commandLines(`${seen}; and __fish_seen_subcommand_from ${command.name}`, command)
    ),
  ];
}

function commandLines(condition: string, { flags, values }: CompletedCommand): string[] {
  const own = flags.map((flag) => flagLine(fishQuoted(condition), flag));
  if (values === undefined || values === "free") return own;
  return [...own, line(["-n", fishQuoted(condition), ...valueWords(values)])];
}

function flagLine(condition: string, { forms, help, values }: CompletedFlag): string {
  const names = forms.flatMap((form) =>
    form.startsWith("--") ? ["-l", form.slice(2)] : [form.length === 2 ? "-s" : "-o", form.slice(1)]
  );
  const value = values === undefined ? [] : ["-r", ...valueWords(values)];
  return line(["-n", condition, ...names, ...value, "-d", fishQuoted(help)]);
}

function valueWords(values: Values): string[] {
  if (values === "folders") return ["-a", fishQuoted("(__fish_complete_directories)")];
  if (values === "files") return ["-F"];
  return values === "free" ? [] : ["-a", fishQuoted(values.join(" "))];
}

function line(words: readonly string[]): string {
  return `complete -c muxue_rag ${words.join(" ")}\n`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
}

/** The script for PowerShell. Where it finds nothing, PowerShell completes paths. */
function pwshScript(completed: Completed, comment: string): string {
  const pairs = completed.groups.flatMap(({ name, commands }) =>
    commands.map((command) => `'${name} ${command.name}'`)
  ).join(", ");
  const lines = byWords(completed);
  const flags = lines.map(({ words, flags }) => entry(words, flags.flatMap(({ forms }) => forms)));
  const words = lines.map(({ words, values }) => entry(words, values));
  const values = [...formsWithValues(completed)].map(([form, values]) => entry(form, values));
  return `# ${comment}
Register-ArgumentCompleter -Native -CommandName muxue_rag -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $flags = @{
${flags.join("\n")}
  }
  $words = @{
${words.join("\n")}
  }
  $values = @{
${values.join("\n")}
  }
  $before = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
  $command = ''
  $flag = ''
  foreach ($word in $before) {
    if ($flag) { $flag = '' }
    elseif ($values.ContainsKey($word)) { $flag = $word }
    elseif ($word.StartsWith('-')) { }
    elseif ($command -eq '') { $command = $word }
    elseif ("$command $word" -in ${pairs}) { $command = "$command $word" }
  }
  $found = if ($flag) { $values[$flag] } elseif ($wordToComplete.StartsWith('-')) { $flags[$command] } else { $words[$command] }
  $found | Where-Object { $_ -like "$wordToComplete*" } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`;
}

function entry(key: string, values: Values | undefined): string {
  const list = values === undefined || typeof values === "string" ? [] : values;
  return `    '${key}' = @(${list.map((value) => `'${value}'`).join(", ")})`;
}

const SCRIPTS: Readonly<Record<Shell, (completed: Completed, comment: string) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  pwsh: pwshScript,
};

/** The command that loads the script, for a shell's start-up file. */
const LOADING: Readonly<Record<Shell, string>> = {
  bash: `~/.bashrc: eval "$(muxue_rag completions bash)"`,
  zsh: `~/.zshrc: autoload -U compinit && compinit; eval "$(muxue_rag completions zsh)"`,
  fish: "~/.config/fish/config.fish: muxue_rag completions fish | source",
  pwsh: "$PROFILE: muxue_rag completions pwsh | Out-String | Invoke-Expression",
};

/** `completions SHELL`: prints the script for a shell, with descriptions in the language of the messages. */
export async function completions({ io, operands, language }: Context, all: Declared): Promise<number> {
  const shell = shellNamed(operands[0] ?? "");
  const comment = message(language, "cli_completions_comment", { line: LOADING[shell] });
  await io.out(SCRIPTS[shell](completedCommands(all, language), comment));
  return EXIT.done;
}

function shellNamed(name: string): Shell {
  const shell = SHELLS.find((known) => known === name);
  if (shell !== undefined) return shell;
  const suggestion = nearest(name, SHELLS);
  throw suggestion === undefined
    ? new UsageError("cli_completions_unknown", { shell: name, shells: SHELLS.join(", ") })
    : new UsageError("cli_completions_unknown_suggest", { shell: name, suggestion });
}
