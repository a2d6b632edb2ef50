/**
 * From the launcher to the locked worker: the thread with the permissions of its command, and without the keys that it must
 * not have; stdin and the environment for it; its end when it is stuck. The launcher gives up its own permissions.
 */
import process from "node:process";
import { join } from "node:path";
import { reasonOf } from "#foundation/errors.ts";
import {
  ConnectionRelay,
  EXTRACT_ARGUMENT,
  type RelayEvent,
  type RelayRequest,
} from "#library/extract/mod.ts";
import { startMessage } from "#foundation/messages/start.ts";
import { ownProcess, permissionsFor, type RunPlaces, userProcess } from "#foundation/boundary/mod.ts";
import type { ClientInput } from "./client_input.ts";
import { type FolderCommand, needsOf } from "./command.ts";
import { commandWords } from "./options.ts";
import { abortable, EXIT } from "./context.ts";
import type { Interrupts } from "./report.ts";
import type { Shown } from "#foundation/boundary/show.ts";
import type { Io, SystemFacts } from "./io.ts";
import type { Request } from "./request.ts";
import { withoutSecrets } from "./secrets_in_texts.ts";
import {
  type Config,
  isLoopbackHost,
  registryDir,
  serverAddress,
  storeReaders,
  storeUrls,
  tokensDir,
  tokensUsedDir,
  uploadFolders,
  usageDir,
} from "#foundation/configuration/mod.ts";
import { OCR_FOLDER } from "#foundation/constants.ts";
import { present } from "#foundation/present.ts";
import {
  PAGE_FILES,
  PROGRAM_FILES,
  PROGRAM_ROOT,
  PROMPT_FILES,
  revokeAllBut,
  type Right,
} from "#foundation/runtime.ts";

/** The launcher's message to the worker: the request, and the facts about the system that the worker may not ask for. */
export interface WorkerRequest {
  readonly request: Request;
  /** With those environment variables only that a command reads. */
  readonly system: SystemFacts;
  /** Whether the launcher shows addresses and files to the user. */
  readonly canShow: boolean;
}

/**
 * Messages of the launcher to the worker: the request to run, the next bytes of stdin (null: its end), events of the
 * processes that read documents, and the check of whether the worker still answers.
 */
export type MessageToWorker =
  | { readonly run: WorkerRequest }
  | { readonly input: Uint8Array<ArrayBuffer> | null }
  | { readonly relayed: RelayEvent }
  | "alive?";

/**
 * Messages of the worker to the launcher: it has loaded its modules; it answers; it listens to Ctrl-C from now on; how many
 * bytes of the input it has read; its requests to the processes that read documents; what the user is to be shown; the exit code of
 * the process.
 */
export type MessageFromWorker =
  | "ready"
  | "alive"
  | { readonly listening: true }
  | { readonly taken: number }
  | { readonly relay: RelayRequest }
  | { readonly show: Shown }
  | { readonly exit: number };

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
  const permissions = permissionsFor(needs, { ...placesOf(request, io), ...await modelPathsOf(request) });
  const openExtractor = ownProcess(EXTRACT_ARGUMENT, io.env);
  const { evaluator } = request.flags;
  const openEvaluator = evaluator === undefined ? undefined : userProcess(commandWords(evaluator));
  await keepFromProxies(request);
  const shows = request.flags.ui ? await import("#foundation/boundary/show.ts") : undefined;
  const problem = shows && await abortable(shows.buildPages(), interrupt.signal);
  if (problem !== undefined) io.err(`${problem}\n`);
  // A client that closes stdin has gone, unless it is connected over HTTP. A worker that is stuck would not notice.
  const input = (command.startedByClient ?? false) && request.http === undefined
    ? new (await import("./client_input.ts")).ClientInput()
    : undefined;
  // The start of a worker takes as long as all before it, so the client gets its first answer first.
  const answered = await input?.answerFirst(request, io);
  const worker = new LockedWorker(command.name, permissions);
  await abortable(worker.ready, interrupt.signal);
  // The worker loads its modules with the permissions of this thread, so they are given up only now.
  giveUpAllBut(needs.documents || needs.shows ? ["run"] : []);

  const { cwd, env, terminal, tempDir } = io;
  const sent: WorkerRequest = {
    request: { ...withoutUnusedKeys(request, permissions), permissions, answered },
    system: { cwd, env: environmentFor(env), terminal, tempDir },
    canShow: needs.shows !== undefined && shows !== undefined && shows.canShow(env),
  };
  /** Ends the process with this code if the worker does not end by itself in time. */
  const expectEnd = (code: number) =>
    worker.expectEnd(() => {
      io.err(`${startMessage(request.language, "cli_ended_by_force")}\n`);
      io.exit(code);
    });
  const exitCode = worker.run(sent, {
    input,
    relay: needs.documents ? (post) => new ConnectionRelay(openExtractor, post, openEvaluator) : undefined,
    show: sent.canShow ? shows?.show : undefined,
    onListening: () => interrupt.handOver(() => expectEnd(EXIT.interrupted)),
    onInputEnded: () => expectEnd(EXIT.failed),
  }).catch((error) => {
    throw new Error(withoutSecrets(reasonOf(error), request));
  });
  return await abortable(exitCode, interrupt.signal);
}

/** The configuration in effect, and those compared with it. */
function configurationsOf({ config, compared }: Pick<Request, "config" | "compared">): Config[] {
  return [config, ...Object.values(compared)];
}

/** Paths of the local models that the configurations of a request embed and rerank by. */
async function modelPathsOf(request: Request): Promise<Pick<RunPlaces, "localModels" | "rerankModels">> {
  const configurations = configurationsOf(request);
  const embedding = configurations.filter(({ embedding }) => embedding.provider === "local");
  const rerank = configurations.filter(({ search, rerank }) => search.rerank && rerank.provider === "local");
  const localModels = embedding.length === 0 ? undefined : await import("#models/embedding/mod.ts");
  const rerankModels = rerank.length === 0 ? undefined : await import("#models/rerank/mod.ts");
  return {
    localModels: embedding.flatMap(({ embedding: { local } }) =>
      localModels!.localModelPaths(local, request.modelsDir)
    ),
    rerankModels: rerank.flatMap(({ rerank }) => rerankModels!.rerankModelPaths(rerank)),
  };
}

/** All threads share the environment's proxy settings, and the worker may not read them. */
async function keepFromProxies(request: Request): Promise<void> {
  const servers = configurationsOf(request)
    .flatMap(({ embedding, rerank, llm, vision_llm: vision }) => [embedding, rerank, llm, vision]);
  const addresses = [
    ...servers.map((section) => serverAddress(section)).filter((address) => address !== undefined),
    ...(request.downloads?.sources ?? []).map(({ url }) => url),
    ...releasePage(request),
    ...collectors(request),
    ...configurationsOf(request).flatMap(({ vectors: { url } }) => url ?? []),
  ];
  if (addresses.length === 0) return;
  const { keepFromProxy } = await import("#models/remote/mod.ts");
  for (const address of addresses) keepFromProxy(address);
}

/** The address of the collector that traces are sent to; none while nothing is traced. */
function collectors({ config: { observability } }: Pick<Request, "config">): string[] {
  const { traces, otlp: { url } } = observability;
  return traces === "off" || url === null ? [] : [url];
}

/** The page that names the newest version; none for other commands than `update`. */
function releasePage(
  { command, config: { updates: { url } } }: Pick<Request, "command" | "config">,
): string[] {
  return command !== "update" || url === null ? [] : [url];
}

/** The places that the permissions of a request's worker may name. */
export function placesOf(request: Request, { tempDir }: Pick<Io, "tempDir">): RunPlaces {
  const { by, config, flags, roots, indexDirs, stateDir, modelsDir, downloads, named, http } = request;
  const configurations = configurationsOf(request);
  return {
    roots,
    indexDirs,
    registry: registryDir(stateDir),
    logDir: config.log.dir,
    servers: distinct(configurations.map(({ embedding }) => hostOf(embedding))),
    ...present({ collector: collectors(request).map(hostOfUrl)[0] }),
    ...storePlaces(request),
    rerankers: distinct(configurations.map((config) => rerankerOf(config, request))),
    ...languageModelPlaces(request),
    models: modelsDir,
    ...(config.files.ocr === "off" || modelsDir === null ? {} : { recognition: join(modelsDir, OCR_FOLDER) }),
    downloads: downloads?.hosts ?? [],
    ...present({ releasePage: releasePage(request).map(hostOfUrl)[0] }),
    ...(http !== undefined && { listen: http.listen }),
    named,
    tokens: { list: tokensDir(stateDir), used: tokensUsedDir(stateDir) },
    tempDir,
    program: [PROGRAM_FILES],
    ...(flags.ui && { pages: PAGE_FILES, uploads: uploadFolders(config, roots, by) }),
  };
}

/** The databases that the folders of a request are kept in; nothing with data folders. */
function storePlaces(request: Request): Pick<RunPlaces, "stores" | "storeCertificates"> {
  const configurations = configurationsOf(request);
  const ofFolders = configurations.flatMap((config) =>
    request.roots.flatMap((root) => [...storeUrls(config, root), ...storeReaders(config, root)])
  );
  // The tokens of people are in the database of all folders. Their commands have no folders.
  const hasTokens = request.http !== undefined || request.roots.length === 0;
  const urls = [...ofFolders, ...hasTokens ? storeUrls({ ...request.config, collections: {} }, "") : []];
  const servers = distinct(configurations.map(vectorHostOf));
  if (urls.length + servers.length === 0) return {};
  const certificates = configurations.flatMap(({ store: { tls } }) => tls.ca ?? []);
  return {
    stores: [...distinct(urls.map(hostOfDatabase)), ...servers],
    ...(urls.length > 0 && { storeCertificates: certificates }),
  };
}

/** `host:port` of the server that finds the nearest vectors; `undefined` without one. */
function vectorHostOf({ vectors: { provider, url } }: Config): string | undefined {
  return provider === "store" || url === null ? undefined : hostOfUrl(url);
}

/** `host:port` of an address that was checked with the configuration, which a start without a database need not read. */
function hostOfDatabase(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname.toLowerCase()}:${port || 5432}`;
}

/** `host:port` of the server that reranks. A language model needs consent, as those for tasks do. */
function rerankerOf({ search, rerank }: Config, request: Request): string | undefined {
  if (!search.rerank) return undefined;
  return rerank.provider === "llm" ? consentedHost(rerank, request) : hostOf(rerank);
}

/**
 * The needs of a request's language models; empty where none is configured. Of the servers, those on this machine need no consent, so that
 * `doctor` can check them before there is a folder.
 */
function languageModelPlaces(request: Request): Pick<RunPlaces, "languageModels"> {
  const { config, stateDir } = request;
  const configurations = configurationsOf(request);
  const sections = configurations.flatMap(({ llm, vision_llm: vision }) => [llm, vision]);
  const hasTasks = sections.some(({ provider }) => provider !== "none");
  if (!hasTasks && configurations.every(({ rerank }) => rerank.provider !== "llm")) return {};
  return {
    languageModels: {
      hosts: distinct(sections.map((section) => consentedHost(section, request))),
      // Only tasks have a budget.
      ...(hasTasks && { usage: usageDir(stateDir) }),
      prompts: [...PROMPT_FILES, ...[config.llm.prompts ?? []].flat()],
    },
  };
}

/** `host:port` of a section's server, if it is on this machine or the user has agreed to it for a folder. */
function consentedHost(section: Parameters<typeof hostOf>[0], { consented }: Request): string | undefined {
  const address = serverAddress(section);
  if (address === undefined) return undefined;
  const { origin, hostname } = new URL(address);
  const isAllowed = isLoopbackHost(hostname) || Object.values(consented).flat().includes(origin);
  return isAllowed ? hostOf(section) : undefined;
}

/** `host:port` of the server that a section of a configuration uses; `undefined` without one. */
function hostOf(section: Parameters<typeof serverAddress>[0]): string | undefined {
  const address = serverAddress(section);
  return address === undefined ? undefined : hostOfUrl(address);
}

function hostOfUrl(address: string): string {
  const { hostname, port, protocol } = new URL(address);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}

function distinct(hosts: readonly (string | undefined)[]): string[] {
  return [...new Set(hosts)].filter((host) => host !== undefined);
}

/** The request without the keys of servers that a worker with these permissions may not connect to. */
export function withoutUnusedKeys(request: Request, { net }: Deno.PermissionOptionsObject): Request {
  const keyOf = (section: Config["embedding"] | Config["rerank"] | Config["vision_llm"]) => {
    const host = hostOf(section);
    return host !== undefined && Array.isArray(net) && net.includes(host) ? section.api_key : null;
  };
  const headersOf = ({ observability: { otlp } }: Config) => {
    const isReachable = otlp.url !== null && Array.isArray(net) && net.includes(hostOfUrl(otlp.url));
    return isReachable ? otlp.headers : null;
  };
  const passwordOf = ({ url, urls, password }: Partial<Config["store"]>) => {
    const hosts = [url ?? [], urls ?? []].flat().map(hostOfDatabase);
    return hosts.some((host) => Array.isArray(net) && net.includes(host!)) ? password ?? null : null;
  };
  const strip = (config: Config): Config => ({
    ...config,
    store: { ...config.store, password: passwordOf(config.store) },
    collections: Object.fromEntries(
      Object.entries(config.collections).map(([name, collection]) => {
        const { store } = collection;
        if (store.password === undefined) return [name, collection];
        return [name, {
          ...collection,
          store: { ...store, password: passwordOf({ ...config.store, ...present(store) }) },
        }];
      }),
    ),
    observability: {
      ...config.observability,
      otlp: { ...config.observability.otlp, headers: headersOf(config) },
    },
    vectors: {
      ...config.vectors,
      api_key: Array.isArray(net) && net.includes(vectorHostOf(config)!) ? config.vectors.api_key : null,
    },
    embedding: { ...config.embedding, api_key: keyOf(config.embedding) },
    rerank: { ...config.rerank, api_key: keyOf(config.rerank) },
    llm: { ...config.llm, api_key: keyOf(config.llm) },
    vision_llm: { ...config.vision_llm, api_key: keyOf(config.vision_llm) },
  });
  const compared = Object.entries(request.compared).map(([name, config]) => [name, strip(config)]);
  return { ...request, config: strip(request.config), compared: Object.fromEntries(compared) };
}

/** Milliseconds between two checks of whether a worker that should end still answers. */
const QUESTION_MS = 100;
/** Unanswered checks in a row after which it counts as stuck: 5 s. On a busy machine a sound one may need 1.5 s. */
const UNANSWERED = 50;
/** Checks after which a worker that answers, but reads no input and does not end, also counts as stuck: 10 s. */
const QUESTIONS = 100;

interface WorkerOptions {
  /** Stdin, which the launcher reads and hands to the worker; `undefined` if the worker reads it itself. */
  readonly input: ClientInput | undefined;
  /** Called when the worker has begun to listen to Ctrl-C. */
  readonly onListening: () => void;
  /** Called when stdin has ended and all of it was handed over, so that the worker should end. */
  readonly onInputEnded: () => void;
  /** Shows something to the user; `undefined` if the worker must not. */
  readonly show: ((shown: Shown) => void) | undefined;
  /** Makes the relay to the processes that read documents; `undefined` if the worker must not start processes. */
  readonly relay: ((post: (event: RelayEvent) => void) => ConnectionRelay) | undefined;
}

/** The thread that runs a command (`lib/program/worker.ts`), with its reduced permissions. */
class LockedWorker {
  /** Resolves when the worker has loaded the command's modules. Rejects if it dies. */
  readonly ready: Promise<unknown>;
  readonly #worker: Worker;
  readonly #loaded = Promise.withResolvers<void>();
  readonly #listening = Promise.withResolvers<void>();
  readonly #outcome = Promise.withResolvers<number>();
  /** Unanswered checks in a row, and all checks since the worker last read input. */
  readonly #asked = { unanswered: 0, idle: 0 };
  #isEnding = false;
  #input: ClientInput | undefined;
  #relay: ConnectionRelay | undefined;
  #show: WorkerOptions["show"];

  /** Starts the worker of the command with this name. */
  constructor(name: string, permissions: Deno.PermissionOptionsObject) {
    const url = new URL("lib/program/worker.ts", PROGRAM_ROOT);
    this.#worker = new Worker(url, { type: "module", name, deno: { permissions } });
    this.#worker.onmessage = ({ data }: MessageEvent<MessageFromWorker>) => this.#receive(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#outcome.reject(new Error(event.message));
    };
    this.ready = Promise.race([this.#loaded.promise, this.#outcome.promise]);
  }

  /** Runs a request. Returns the exit code. Rejects if the worker dies. */
  async run(
    request: WorkerRequest,
    { input, onListening, onInputEnded, relay, show }: WorkerOptions,
  ): Promise<number> {
    this.#input = input;
    this.#show = show;
    this.#relay = relay?.((relayed) => this.#send({ relayed }, "bytes" in relayed ? relayed.bytes : null));
    void this.#listening.promise.then(onListening);
    this.#send({ run: request });
    void input?.run((bytes) => this.#send({ input: bytes }, bytes)).then(onInputEnded);
    return await this.#outcome.promise;
  }

  /**
   * Watches a worker that should end by itself. Calls `onStuck` if it does not: 5 s after it has stopped answering (in a
   * loop, a system call or a sleep), or after 10 s in which it answered but read no input. Only the first call counts.
   */
  expectEnd(onStuck: () => void): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    const timer = setInterval(() => {
      if (this.#asked.unanswered < UNANSWERED && this.#asked.idle < QUESTIONS) {
        this.#asked.unanswered++;
        this.#asked.idle++;
        return this.#send("alive?");
      }
      clearInterval(timer);
      onStuck();
    }, QUESTION_MS);
  }

  #receive(message: MessageFromWorker): void {
    this.#asked.unanswered = 0;
    if (message === "alive") return;
    if (message === "ready") this.#loaded.resolve();
    else if ("listening" in message) this.#listening.resolve();
    else if ("taken" in message) {
      this.#asked.idle = 0;
      this.#input?.taken(message.taken);
    } else if ("relay" in message) this.#relay?.handle(message.relay);
    else if ("show" in message) this.#show?.(message.show);
    else this.#outcome.resolve(message.exit);
  }

  /** `bytes`: those of the message, which are moved to the worker and not copied. */
  #send(message: MessageToWorker, bytes: Uint8Array<ArrayBuffer> | null = null): void {
    this.#worker.postMessage(message, bytes === null ? [] : [bytes.buffer]);
  }
}

/** Variables that commands read: folders, language, terminal. None of them holds secrets. */
const WANTED =
  /^(?:HOME|USERPROFILE|APPDATA|LOCALAPPDATA|XDG_\w+|LANG|LC_\w+|TERM|NO_COLOR|FORCE_COLOR|COLORTERM)$/;
/** They tell which terminal it is, and so whether it shows links. */
const OF_TERMINALS =
  /^(?:FORCE_HYPERLINK|TERM_PROGRAM(?:_VERSION)?|TMUX|VTE_VERSION|KONSOLE_VERSION|WT_SESSION|KITTY_WINDOW_ID)$/;
const OURS = /^MUXUE_RAG_(?:STATE_DIR|CONFIG_DIR|MODELS_DIR|LANGUAGE|CONFIG)$/;

/** The variables that a locked worker gets. The rest was used when the configuration was loaded. */
export function environmentFor(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => [WANTED, OF_TERMINALS, OURS].some((names) => names.test(name))),
  );
}

/**
 * Permanently gives up all permissions of this thread except these kinds. Threads that already run keep their permissions.
 */
export function giveUpAllBut(kept: readonly Right[]): void {
  // Libraries read the environment at any time. An empty one keeps them from failing.
  if (!kept.includes("env")) process.env = {};
  revokeAllBut(kept);
}
