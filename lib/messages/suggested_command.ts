import { shellWord } from "./shell_word.ts";

let configuration: string | undefined;

/**
 * Sets the configuration file that the commands in messages of this thread name. Without it a command would run with other
 * settings than the one that suggested it, and build the index again.
 */
export function suggestWithConfiguration(file: string | undefined): void {
  configuration = file;
}

/** The option for the configuration file at the end of a command, with a space before it; empty without a file. */
export function configurationOption(): string {
  return configuration === undefined ? "" : ` -c ${shellWord(configuration)}`;
}

/**
 * A command for the user to run, with its folders and the configuration file of this run.
 *
 * ```ts
 * import { suggestedCommand } from "./suggested_command.ts";
 * import { equal } from "node:assert/strict";
 *
 * equal(suggestedCommand("status --files", ["/notes"]), "muxue_rag status --files --dir /notes");
 * ```
 */
export function suggestedCommand(words: string, folders: readonly string[]): string {
  const parts = [
    "muxue_rag",
    ...(words === "" ? [] : [words]),
    ...folders.map((dir) => `--dir ${shellWord(dir)}`),
  ];
  return `${parts.join(" ")}${configurationOption()}`;
}
