import { reasonOf } from "../errors.ts";
import { ConnectionRelay, EXTRACT_ARGUMENT } from "../extract/mod.ts";
import { environmentFor, giveUpAllBut, LockedWorker } from "../launch/mod.ts";
import { message } from "../messages.ts";
import { ownProcess, permissionsFor } from "../sandbox/mod.ts";
import { type FolderCommand, needsOf } from "./command.ts";
import { abortable } from "./context.ts";
import { EXIT } from "./exit.ts";
import type { Interrupts } from "./interrupts.ts";
import type { Io, SystemFacts } from "./io.ts";
import { placesOf } from "./places.ts";
import type { Request } from "./request.ts";
import { withoutSecrets, withoutUnusedKeys } from "./secrets.ts";

/** The launcher's message to the worker: the request, and the facts about the system that the worker may not ask for. */
export interface WorkerRequest {
  readonly request: Request;
  /** With those environment variables only that a command reads. */
  readonly system: SystemFacts;
}

/** Paths of the local models that the configurations of a request use. */
async function localModelsOf({ config, compared, modelsDir }: Request): Promise<string[]> {
  const used = [config, ...Object.values(compared)].filter(({ embedding }) => embedding.provider === "local");
  if (used.length === 0) return [];
  const { localModelPaths } = await import("../embedding/mod.ts");
  return used.flatMap(({ embedding }) => localModelPaths(embedding.local, modelsDir));
}

/** Paths of the models that the configurations of a request rerank by. */
async function rerankModelsOf({ config, compared }: Request): Promise<string[]> {
  const used = [config, ...Object.values(compared)].filter(({ search, rerank }) =>
    search.rerank && rerank.provider === "local"
  );
  if (used.length === 0) return [];
  const { rerankModelPaths } = await import("../rerank/mod.ts");
  return used.flatMap(({ rerank }) => rerankModelPaths(rerank));
}

/**
 * Runs the request of a command on folders in a worker that has the command's permissions and no others. This thread gives
 * up its own permissions as soon as the worker has loaded its modules. Gives the exit code.
 */
export async function runInWorker(
  command: FolderCommand,
  request: Request,
  io: Io,
  interrupt: Interrupts,
): Promise<number> {
  const needs = needsOf(command, request.flags);
  if (needs === undefined) throw new TypeError(`${command.name} does not run in a worker`);
  const permissions = permissionsFor(needs, {
    ...placesOf(request, io),
    localModels: await localModelsOf(request),
    rerankModels: await rerankModelsOf(request),
  });
  const openExtractor = ownProcess(EXTRACT_ARGUMENT, io.env);
  // All threads share the environment's proxy settings, and the worker may not read them.
  for (const { embedding, rerank } of [request.config, ...Object.values(request.compared)]) {
    for (const { base_url: address } of [embedding, rerank]) {
      if (address !== null) (await import("../remote/mod.ts")).keepFromProxy(address);
    }
  }
  for (const { url } of request.downloads?.sources ?? []) {
    (await import("../remote/mod.ts")).keepFromProxy(url);
  }
  const worker = await abortable(LockedWorker.start(command.name, permissions), interrupt.signal);
  // The worker loads its modules with the permissions of this thread, so they are given up only now.
  giveUpAllBut(needs.documents ? ["run"] : []);

  const { cwd, env, terminal, tempDir } = io;
  const sent: WorkerRequest = {
    request: { ...withoutUnusedKeys(request, permissions), permissions },
    system: { cwd, env: environmentFor(env), terminal, tempDir },
  };
  /** Ends the process with this code if the worker does not end by itself in time. */
  const expectEnd = (code: number) =>
    worker.expectEnd(() => {
      io.err(`${message(request.language, "cli_ended_by_force")}\n`);
      io.exit(code);
    });
  const exitCode = worker.run(sent, {
    // A client that closes stdin has gone, unless it is connected over HTTP. A worker that is stuck would not notice.
    handInput: (command.startedByClient ?? false) && request.http === undefined,
    relay: needs.documents ? (post) => new ConnectionRelay(openExtractor, post) : undefined,
    onListening: () => interrupt.handOver(() => expectEnd(EXIT.interrupted)),
    onInputEnded: () => expectEnd(EXIT.failed),
  }).catch((error) => {
    throw new Error(withoutSecrets(reasonOf(error), request));
  });
  return await abortable(exitCode, interrupt.signal);
}
