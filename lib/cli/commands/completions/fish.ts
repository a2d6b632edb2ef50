import type { Completed, CompletedCommand, CompletedFlag, CompletedGroup, Values } from "./completed.ts";

const FIRST = "__fish_use_subcommand";

/** The script for fish. */
export function fishScript({ flags, commands, groups }: Completed, comment: string): string {
  const isGroup = (name: string) => groups.some((group) => group.name === name);
  return [
    `# ${comment}\n`,
    line(["-f"]),
    ...flags.map((flag) => flagLine(FIRST, flag)),
    ...commands.map(({ name, help }) => line(["-n", FIRST, "-a", name, "-d", quoted(help)])),
    ...commands.filter(({ name }) => !isGroup(name)).flatMap((command) =>
      commandLines(`__fish_seen_subcommand_from ${command.name}`, command)
    ),
    ...groups.flatMap(groupLines),
  ].join("");
}

/** The commands after a word such as `config`. */
function groupLines({ name: word, commands }: CompletedGroup): string[] {
  const seen = `__fish_seen_subcommand_from ${word}`;
  const others = `not __fish_seen_subcommand_from ${commands.map(({ name }) => name).join(" ")}`;
  return [
    ...commands.map(({ name, help }) =>
      line(["-n", quoted(`${seen}; and ${others}`), "-a", name, "-d", quoted(help)])
    ),
    ...commands.flatMap((command) =>
      commandLines(`${seen}; and __fish_seen_subcommand_from ${command.name}`, command)
    ),
  ];
}

function commandLines(condition: string, { flags, values }: CompletedCommand): string[] {
  const own = flags.map((flag) => flagLine(quoted(condition), flag));
  return values === undefined || values === "free"
    ? own
    : [...own, line(["-n", quoted(condition), ...valueWords(values)])];
}

function flagLine(condition: string, { forms, help, values }: CompletedFlag): string {
  const names = forms.flatMap((form) =>
    form.startsWith("--") ? ["-l", form.slice(2)] : [form.length === 2 ? "-s" : "-o", form.slice(1)]
  );
  const value = values === undefined ? [] : ["-r", ...valueWords(values)];
  return line(["-n", condition, ...names, ...value, "-d", quoted(help)]);
}

function valueWords(values: Values): string[] {
  if (values === "folders") return ["-a", quoted("(__fish_complete_directories)")];
  if (values === "files") return ["-F"];
  return values === "free" ? [] : ["-a", quoted(values.join(" "))];
}

function line(words: readonly string[]): string {
  return `complete -c muxue_rag ${words.join(" ")}\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
}
