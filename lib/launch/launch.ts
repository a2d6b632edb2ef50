import {
  abortable,
  type CommandName,
  EXIT,
  type Performer,
  run,
  type Surroundings,
  systemIo,
} from "../cli/mod.ts";
import {
  isLockedCommand,
  keptBy,
  type LockedCommand,
  ownProcess,
  permissionsOf,
  readsDocuments,
  type UnlockedCommand,
} from "../sandbox/mod.ts";
import { ConnectionRelay, EXTRACT_ARGUMENT } from "../extract/mod.ts";
import { message } from "../messages.ts";
import { environmentFor } from "./environment.ts";
import { LockedWorker } from "./locked_worker.ts";
import { placesOf } from "./places.ts";
import { giveUp, type Right, RIGHTS } from "./rights.ts";
import { withoutUnusedKeys } from "./unused_keys.ts";

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
 * Commands that touch documents are locked in. The rest, which only looks after the user's own configuration and that of MCP clients,
 * stays in this thread, with what the command needs alone.
 */
function stage(command: CommandName | "help"): Performer | undefined {
  if (isLockedCommand(command)) return performLocked(command);
  const unlocked: UnlockedCommand = command;
  const kept: readonly Right[] = keptBy(unlocked);
  giveUp(RIGHTS.filter((right) => !kept.includes(right)));
  return undefined;
}

function performLocked(command: LockedCommand): Performer {
  return async (preparation, io, interrupt) => {
    const places = placesOf(preparation, io);
    const permissions = permissionsOf(command, places, preparation.task.flags);
    const starts = readsDocuments(command, preparation.task.flags);
    const openExtractor = ownProcess(EXTRACT_ARGUMENT, io.env);
    // what the environment says of proxies is the same for all threads, and a worker may not look at it
    for (const { config } of [preparation.configuration, ...Object.values(preparation.compared)]) {
      const { base_url: address } = config.embedding;
      if (address !== null) (await import("../embedding/mod.ts")).keepFromProxy(address);
    }
    const worker = await abortable(LockedWorker.start(command, permissions), interrupt.signal);
    // Modules are loaded with the rights of this thread: they could not be given up before.
    giveUp(starts ? RIGHTS.filter((right) => right !== "run") : RIGHTS);
    const { cwd, env, terminal, tempDir } = io;
    const order = {
      preparation: withoutUnusedKeys(preparation, permissions),
      around: { cwd, env: environmentFor(env), terminal, tempDir },
      permissions,
      // a server's client is gone when stdin ends, which a worker that is stuck would not notice
      handsInput: command === "serve",
    };
    /** The worker should end by itself with another code, or that of its own choice. */
    const expectEnd = (code: number) =>
      worker.expectEnd(() => {
        io.err(`${message(preparation.language, "cli_ended_by_force")}\n`);
        io.exit(code);
      });
    const performed = worker.perform(order, {
      relay: starts ? (post) => new ConnectionRelay(openExtractor, post) : undefined,
      onListening: () => interrupt.handOver(() => expectEnd(EXIT.interrupted)),
      onInputEnded: () => expectEnd(EXIT.failed),
    });
    return await abortable(performed, interrupt.signal);
  };
}
