export type { FolderCommand } from "./commands.ts";
export { abortable } from "./context.ts";
export { type Io, type Surroundings, surroundings, systemIo } from "./io.ts";
export { loadCommand } from "./perform.ts";
export { performGuarded } from "./perform_guarded.ts";
export type { CommandName } from "./options.ts";
export type { Preparation } from "./prepare.ts";
export { type Performer, run } from "./run.ts";
export { withoutSecrets } from "./secrets.ts";
