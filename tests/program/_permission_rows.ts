import type { WorkerNeeds } from "#program/command.ts";
import { COMMANDS } from "#program/commands/declarations.ts";
import { type FlagName, longForm } from "#program/options.ts";

/** A row of the table of permissions: a locked command, or such a command with a flag that changes its permissions. */
export interface PermissionRow {
  /** `search`, `search --no-update`. */
  readonly name: string;
  readonly needs: WorkerNeeds;
  /** Whether it is a server that listens. */
  readonly listens: boolean;
}

/** The rows of the table of permissions, as the commands declare them. */
export function permissionRows(): PermissionRow[] {
  return COMMANDS.flatMap(({ name, worker, ...command }) => {
    if (worker === undefined) return [];
    const { workerWith = {} } = command as { workerWith?: Partial<Record<FlagName, WorkerNeeds>> };
    const variants = Object.entries(workerWith).map(([flag, needs]) => ({
      name: `${name} ${longForm(flag as FlagName)}`,
      needs,
    }));
    const isServer = command.flags.includes("http");
    const rows = [{ name, needs: worker }, ...variants]
      .map((row) => ({ ...row, listens: row.needs.listen === true && !isServer }));
    if (!isServer) return rows;
    const listening = rows.filter(({ needs }) => needs.listen)
      .map((row) => ({ ...row, name: row.name.replace(name, `${name} --http`), listens: true }));
    return [...rows, ...listening];
  });
}

/** The row with this name. */
export function permissionRow(name: string): PermissionRow {
  const row = permissionRows().find((row) => row.name === name);
  if (row === undefined) throw new Error(`no row ${name}`);
  return row;
}
