export type { FolderCommand } from "./commands.ts";
export { type Io, type Surroundings, surroundings, systemIo } from "./io.ts";
export { loadCommand, perform } from "./perform.ts";
export type { CommandName } from "./options.ts";
export type { Preparation } from "./prepare.ts";
export { type Performer, run } from "./run.ts";
