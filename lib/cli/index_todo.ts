import { type Language, type MessageKey, suggestedCommand } from "../messages.ts";
import { printableMessage } from "./printable_message.ts";

/** Advice for each state of an index, by the names that `status`, `verify` and `doctor` give the states. */
const TODO = {
  behind: "cli_todo_update",
  moved: "cli_todo_update",
  missing: "cli_todo_build",
  damaged: "cli_todo_rebuild",
  outdated: "cli_todo_rebuild",
  foreign: "cli_todo_rebuild",
  differs: "cli_todo_full",
  "other settings": "cli_todo_settings",
} as const satisfies Readonly<Record<string, MessageKey>>;

/** Says what to do about the index of `root` in a state; `undefined` where a command does not help or is not needed. */
export function indexTodo(root: string, state: string, language: Language): string | undefined {
  if (!Object.hasOwn(TODO, state)) return undefined;
  const isFull = state === "differs" || state === "other settings";
  const command = suggestedCommand(isFull ? "--full" : "", [root]);
  return printableMessage(language, TODO[state as keyof typeof TODO], { command });
}
