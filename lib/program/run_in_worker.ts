/**
 * The step from the launcher to the locked worker: the places that its permissions name,
 * and the keys that it must not have.
 */
import { join } from "node:path";
import { reasonOf } from "#foundation/errors.ts";
import { ConnectionRelay, EXTRACT_ARGUMENT } from "#library/extract/mod.ts";
import { environmentFor, giveUpAllBut, LockedWorker } from "./launch.ts";
import { startMessage } from "#foundation/messages/start.ts";
import { ownProcess, permissionsFor, type RunPlaces } from "#foundation/boundary/mod.ts";
import { type FolderCommand, needsOf } from "./command.ts";
import { abortable, EXIT } from "./context.ts";
import type { Interrupts } from "./report.ts";
import type { Io, SystemFacts } from "./io.ts";
import { type Request, withoutSecrets } from "./request.ts";
import { type Config, isServer, registryDir } from "#foundation/configuration/mod.ts";
import { OCR_FOLDER } from "#foundation/constants.ts";
import { PROGRAM_FILES } from "#foundation/runtime.ts";

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
  const { localModelPaths } = await import("#models/embedding/mod.ts");
  return used.flatMap(({ embedding }) => localModelPaths(embedding.local, modelsDir));
}

/** Paths of the models that the configurations of a request rerank by. */
async function rerankModelsOf({ config, compared }: Request): Promise<string[]> {
  const used = [config, ...Object.values(compared)].filter(({ search, rerank }) =>
    search.rerank && rerank.provider === "local"
  );
  if (used.length === 0) return [];
  const { rerankModelPaths } = await import("#models/rerank/mod.ts");
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
      if (address !== null) (await import("#models/remote/mod.ts")).keepFromProxy(address);
    }
  }
  for (const { url } of request.downloads?.sources ?? []) {
    (await import("#models/remote/mod.ts")).keepFromProxy(url);
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
      io.err(`${startMessage(request.language, "cli_ended_by_force")}\n`);
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

/** The places that the permissions of a request's worker may name. */
export function placesOf(request: Request, { tempDir }: Pick<Io, "tempDir">): RunPlaces {
  const { config, compared, roots, indexDirs, stateDir, modelsDir, downloads, named, http } = request;
  const configurations = [config, ...Object.values(compared)];
  return {
    roots,
    indexDirs,
    registry: registryDir(stateDir),
    logDir: config.log.dir,
    servers: distinct(configurations.map(({ embedding }) => hostOf(embedding))),
    rerankers: distinct(
      configurations.map(({ search, rerank }) => search.rerank ? hostOf(rerank) : undefined),
    ),
    models: modelsDir,
    ...(config.files.ocr === "off" || modelsDir === null ? {} : { recognition: join(modelsDir, OCR_FOLDER) }),
    downloads: downloads?.hosts ?? [],
    ...(http !== undefined && { listen: http.listen }),
    named,
    tempDir,
    program: [PROGRAM_FILES],
  };
}

/** `host:port` of the server that a section of a configuration uses; `undefined` without one. */
function hostOf(
  { provider, base_url: baseUrl }: Pick<Config["embedding"] | Config["rerank"], "provider" | "base_url">,
): string | undefined {
  if (!isServer(provider) || baseUrl === null) return undefined;
  const { hostname, port, protocol } = new URL(baseUrl);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}

function distinct(hosts: readonly (string | undefined)[]): string[] {
  return [...new Set(hosts)].filter((host) => host !== undefined);
}

/** The request without the keys of servers that a worker with these permissions may not connect to. */
export function withoutUnusedKeys(request: Request, { net }: Deno.PermissionOptionsObject): Request {
  const keyOf = (section: Config["embedding"] | Config["rerank"]) => {
    const host = hostOf(section);
    return host !== undefined && Array.isArray(net) && net.includes(host) ? section.api_key : null;
  };
  const strip = (config: Config): Config => ({
    ...config,
    embedding: { ...config.embedding, api_key: keyOf(config.embedding) },
    rerank: { ...config.rerank, api_key: keyOf(config.rerank) },
  });
  const compared = Object.entries(request.compared).map(([name, config]) => [name, strip(config)]);
  return { ...request, config: strip(request.config), compared: Object.fromEntries(compared) };
}
