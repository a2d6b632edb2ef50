import type { CommandName, Flags } from "../options.ts";

/** What `--compare` names, in its order, without blanks. */
export function comparedNames(list: string): string[] {
  return list.split(",").map((part) => part.trim()).filter((part) => part !== "");
}

/** Whether a name of `--compare` is that of a configuration file. */
export function isConfigurationFile(name: string): boolean {
  return /\.(?:ya?ml|json)$/i.test(name);
}

/** The configuration files that `eval --compare` names, each once. */
export function comparedFiles(
  { command, flags }: { readonly command: CommandName; readonly flags: Flags },
): string[] {
  if (command !== "eval" || flags.compare === undefined) return [];
  return [...new Set(comparedNames(flags.compare).filter(isConfigurationFile))];
}
