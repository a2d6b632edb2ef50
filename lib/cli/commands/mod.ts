/** The commands of the program. */

import type { MessageKey } from "../../messages.ts";
import type { Command } from "../command.ts";
import { type FlagName, OPTIONS } from "../options.ts";
import { command as backup } from "./backup/command.ts";
import { command as clean } from "./clean/command.ts";
import { command as completions } from "./completions/command.ts";
import { command as configCheck } from "./config_check/command.ts";
import { command as configDecrypt } from "./config_decrypt/command.ts";
import { command as configEncrypt } from "./config_encrypt/command.ts";
import { command as configInit } from "./config_init/command.ts";
import { command as doctor } from "./doctor/command.ts";
import { command as evaluation } from "./eval/command.ts";
import { command as extract } from "./extract/command.ts";
import { command as index } from "./index/command.ts";
import { command as licenses } from "./licenses/command.ts";
import { command as modelInstall } from "./model_install/command.ts";
import { command as modelList } from "./model_list/command.ts";
import { command as modelRemove } from "./model_remove/command.ts";
import { command as reembed } from "./reembed/command.ts";
import { command as restore } from "./restore/command.ts";
import { command as search } from "./search/command.ts";
import { command as serve } from "./serve/command.ts";
import { command as setup } from "./setup/command.ts";
import { command as status } from "./status/command.ts";
import { command as uninstall } from "./uninstall/command.ts";
import { command as verify } from "./verify/command.ts";
import { command as version } from "./version/command.ts";

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  index,
  search,
  serve,
  status,
  verify,
  doctor,
  reembed,
  clean,
  backup,
  restore,
  evaluation,
  extract,
  setup,
  uninstall,
  completions,
  licenses,
  modelInstall,
  modelList,
  modelRemove,
  configCheck,
  configInit,
  configEncrypt,
  configDecrypt,
  version,
];

/** A word that begins the names of several commands: `config check`, `config init`. */
export interface CommandGroup {
  readonly name: "config" | "model";
  readonly help: MessageKey;
}

/** Every group of commands, in the order of the help. */
export const GROUPS: readonly CommandGroup[] = [
  { name: "model", help: "cli_help_cmd_model" },
  { name: "config", help: "cli_help_cmd_config" },
];

/** The group that a command belongs to; `undefined` for a command of one word. */
export function groupOf({ name }: Pick<Command, "name">): CommandGroup | undefined {
  return GROUPS.find((group) => name.startsWith(`${group.name} `));
}

/** The commands of a group. */
export function commandsIn(group: CommandGroup): Command[] {
  return COMMANDS.filter((command) => groupOf(command) === group);
}

/** The last word of a command's name. */
export function lastWord({ name }: Pick<Command, "name">): string {
  return name.slice(name.indexOf(" ") + 1);
}

/** The command that runs where neither a word nor a flag chooses another: it indexes a folder. */
export const DEFAULT_COMMAND: Command = index;

/** The flags that may stand before a command or without one: those of the commands that flags choose. */
export const ROOT_FLAGS: readonly FlagName[] = (Object.keys(OPTIONS) as FlagName[]).filter((flag) =>
  COMMANDS.some((command) =>
    (command === DEFAULT_COMMAND || command.chosenBy !== undefined) && command.flags.includes(flag)
  )
);

/** The command with this name; `undefined` without one. */
export function findCommand(name: string): Command | undefined {
  return COMMANDS.find((command) => command.name === name);
}

/** The command with this name. Throws `TypeError` without one. */
export function commandNamed(name: string): Command {
  const command = findCommand(name);
  if (command === undefined) throw new TypeError(`${name} is not a command`);
  return command;
}
