import { byWords, type Completed, formsWithValues, type Values } from "./completed.ts";

/** The script for PowerShell. Where it finds nothing, PowerShell completes paths. */
export function pwshScript(completed: Completed, comment: string): string {
  const groups = completed.groups.map(({ name }) => `'${name}'`).join(", ");
  const lines = [...byWords(completed)];
  const flags = lines.map(([words, { flags }]) => entry(words, flags.flatMap(({ forms }) => forms)));
  const words = lines.map(([words, { values }]) => entry(words, values));
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
    elseif ($command -in ${groups}) { $command = "$command $word" }
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
