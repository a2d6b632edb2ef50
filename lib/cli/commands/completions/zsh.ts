import type { Completed, CompletedCommand, CompletedFlag, CompletedGroup, Values } from "./completed.ts";

/** The script for zsh. It works as a file `_muxue_rag` in `$fpath`, and after `compinit` as a script that is read. */
export function zshScript({ flags, commands, groups }: Completed, comment: string): string {
  const cases = commands.filter(({ name }) => groups.every((group) => group.name !== name)).map((command) =>
    commandCase(command, "      ")
  );
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
${cases.join("\n")}
${groups.map(groupCase).join("")}      esac ;;
  esac
  return ret
}
if [[ $funcstack[1] == _muxue_rag ]]; then _muxue_rag "$@"; else compdef _muxue_rag muxue_rag; fi
`;
}

function groupCase({ name, commands }: CompletedGroup): string {
  return `      ${name})
        if (( CURRENT == 2 )); then
          _describe -t commands command ${name} && ret=0
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
  return commands.map(({ name, help }) => `    ${quoted(`${name}:${help}`)}`).join("\n");
}

function commandCase({ name, flags, values }: CompletedCommand, indent: string): string {
  const specs = flags.flatMap(flagSpecs);
  if (values !== undefined) specs.push(quoted(`*:argument:${action(values)}`));
  return `${indent}${name}) _arguments ${specs.join(` \\\n${indent}  `)} && ret=0 ;;`;
}

/** One specification of `_arguments` for each form of a flag. Forms of a flag that can be given once exclude each other. */
function flagSpecs({ forms, help, values, isRepeatable }: CompletedFlag): string[] {
  const text = help.replaceAll(/[[\]\\]/g, "\\$&");
  const value = values === undefined ? "" : `:value:${action(values)}`;
  return forms.map((form) =>
    quoted(`${isRepeatable ? "*" : `(${forms.join(" ")})`}${form}[${text}]${value}`)
  );
}

function action(values: Values): string {
  if (values === "folders") return "_files -/";
  if (values === "files") return "_files";
  // An empty message instead of an empty list would keep flags from being completed.
  return values === "free" ? "()" : `(${values.join(" ")})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
