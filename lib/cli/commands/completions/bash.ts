import { byWords, type Completed, formsWithValues, type Values } from "./completed.ts";

/** The script for bash, from version 3.2 on, which macOS has. */
export function bashScript(completed: Completed, comment: string): string {
  const groups = completed.groups.map(({ name }) => name).join("|");
  const withValues = formsWithValues(completed);
  const lines = [...byWords(completed)];
  const flagCases = lines.map(([words, { flags }]) =>
    `          ${quoted(words)}) words=${quoted(flags.flatMap(({ forms }) => forms).join(" "))} ;;`
  );
  const argumentCases = lines.map(([words, { values }]) =>
    `          ${quoted(words)}) ${valuesText(values)} ;;`
  );
  const valueCases = [...withValues].map(([form, values]) => `    ${form}) ${valuesText(values)} ;;`);
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
      *) if [[ -z $command ]]; then command=$word; elif [[ $command == @(${groups}) ]]; then command="$command $word"; fi ;;
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
    files) compopt -o filenames 2>/dev/null; list=$(compgen -f -- "$cur") ;;
    *) list=$(compgen -W "$words" -- "$cur") ;;
  esac
  while IFS= read -r word; do [[ -z $word ]] || COMPREPLY+=("$word"); done <<< "$list"
}
complete -F _muxue_rag muxue_rag
`;
}

function valuesText(values: Values | undefined): string {
  if (values === undefined || values === "free") return ":";
  return typeof values === "string" ? `kind=${values}` : `words=${quoted(values.join(" "))}`;
}

function quoted(text: string): string {
  return `'${text}'`;
}
