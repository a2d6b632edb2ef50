import { type CommandName, type Performer, run, type Surroundings, systemIo } from "../cli/mod.ts";
import { isLockedCommand, type LockedCommand, permissionsOf } from "../sandbox/mod.ts";
import { environmentFor } from "./environment.ts";
import { LockedWorker } from "./locked_worker.ts";
import { placesOf } from "./places.ts";
import { giveUp, RIGHTS } from "./rights.ts";

/**
 * Runs the program: reads the command line and, for a command that works on folders, the configuration and the folders'
 * real paths; then a worker carries it out that may touch nothing else, and this thread gives up its own rights. Gives the
 * exit code.
 */
export async function launch(
  argv: readonly string[],
  around: Surroundings,
  version: string,
): Promise<number> {
  return await run(argv, systemIo(around), version, stage);
}

/**
 * What touches documents is locked in. The rest, which only looks after the user's own configuration and that of MCP clients,
 * stays in this thread, without what none of it needs.
 */
function stage(command: CommandName): Performer | undefined {
  if (isLockedCommand(command)) return performLocked(command);
  giveUp(["net", "run", "ffi", "import"]);
  return undefined;
}

function performLocked(command: LockedCommand): Performer {
  return async (preparation, io) => {
    const places = placesOf(preparation, io);
    const permissions = permissionsOf(command, places, preparation.task.flags);
    // what the environment says of proxies is the same for all threads, and a worker may not look at it
    for (const { config } of [preparation.configuration, ...Object.values(preparation.compared)]) {
      const { base_url: address } = config.embedding;
      if (address !== null) (await import("../embedding/mod.ts")).keepFromProxy(address);
    }
    const worker = await LockedWorker.start(command, permissions);
    // Modules are loaded with the rights of this thread: they could not be given up before.
    giveUp(RIGHTS);
    const { cwd, env, terminal, tempDir } = io;
    return await worker.perform({
      preparation,
      around: { cwd, env: environmentFor(env), terminal, tempDir },
      permissions,
    });
  };
}
