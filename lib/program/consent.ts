/**
 * Consent to send texts to a language model on a server: given by its name on the command line, asked for on a terminal, and kept
 * for each folder. A key in the environment or a configuration gives none.
 */
import { type Config, folderConfig } from "#foundation/configuration/mod.ts";
import { consentOf, rerankingServer, setConsent, type TextServer, textServer } from "#foundation/consent.ts";
import { UsageError, UserError } from "#foundation/errors.ts";
import { isInside, isNamedFolder, realPlaceNamed } from "#foundation/boundary/mod.ts";
import { registeredPaths } from "#foundation/registry.ts";
import type { FolderCommand, WorkerNeeds } from "./command.ts";
import type { Context } from "./context.ts";
import type { Request } from "./request.ts";
import { printableMessage, warn } from "./say.ts";

/** The origins that texts of each folder may be sent to, by its real path. */
export type Consented = Readonly<Record<string, readonly string[]>>;

/** The value of `--consent` that takes all consents back. */
const NONE = "none";

/**
 * Returns the configuration in effect, the first of `configs`, with the real path of the folder of prompts, and the language models that
 * texts of each folder may be sent to. Throws as {@linkcode consentedFor} and {@linkcode promptsFolder} do.
 */
export async function languageModelsFor(
  { asksConsent, answers }: FolderCommand,
  { configs, roots, named, stateDir, needs, ...context }:
    & Pick<Context, "io" | "flags" | "language" | "signal">
    & Pick<Request, "roots" | "named" | "stateDir">
    & { readonly configs: readonly Config[]; readonly needs: WorkerNeeds | undefined },
): Promise<Pick<Request, "config" | "consented">> {
  const { io: { terminal }, flags } = context;
  const [config, ...compared] = configs as [Config, ...Config[]];
  const isAskable = terminal.stdin && terminal.stderr && !flags.json && !flags.quiet && !flags.yes;
  const prompts = needs?.llm ? await promptsFolder(config, { roots, stateDir }) : config.llm.prompts;
  const consented = await consentedFor({
    ...{ ...context, config, compared, stateDir },
    answers: answers ?? false,
    asks: (asksConsent ?? false) && isAskable,
    places: roots.length > 0 ? roots : named,
  });
  return { config: { ...config, llm: { ...config.llm, prompts } }, consented };
}

interface ConsentInput extends Pick<Context, "io" | "flags" | "language" | "signal"> {
  readonly config: Config;
  /** Those of `--compare`. */
  readonly compared: readonly Config[];
  readonly stateDir: string;
  /** Real paths of the folders, or of the data where there is no folder. */
  readonly places: readonly string[];
  /** Whether the command answers questions with the model, also without a task in the configuration. */
  readonly answers: boolean;
  /** Whether consent may be asked for. */
  readonly asks: boolean;
}

/**
 * Finds out which servers the texts of each folder may be sent to, keeps what `--consent` says, and asks for what is missing.
 * Throws `UsageError` `llm_consent_unknown`, and the errors of writing.
 */
async function consentedFor(input: ConsentInput): Promise<Consented> {
  const { config, compared, stateDir, places, flags, answers } = input;
  const named = flags.consent ?? [];
  const configured = [config, ...compared].flatMap((one) => serversIn(one));
  const origins = originsNamed(named, configured);
  const consented: Record<string, readonly string[]> = {};
  for (const place of places) {
    let consent = await consentOf(stateDir, place);
    if (named.length > 0) {
      const before = named.includes(NONE) ? [] : consent.given;
      const given = [...new Set([...before, ...origins])];
      consent = { given, declined: consent.declined.filter((origin) => !given.includes(origin)) };
      await setConsent(stateDir, place, consent);
    }
    const needed = distinct([config, ...compared].flatMap((one) => serversFor(one, place, answers)));
    for (const { origin, host, isLocal } of needed) {
      if (isLocal || consent.given.includes(origin) || consent.declined.includes(origin)) continue;
      if (!input.asks || named.includes(NONE)) continue;
      const isGiven = await isAgreed(input, place, host);
      const list = isGiven ? "given" : "declined";
      consent = { ...consent, [list]: [...consent[list], origin] };
      await setConsent(stateDir, place, consent);
    }
    const local = configured.filter(({ isLocal }) => isLocal).map(({ origin }) => origin);
    consented[place] = [...new Set([...consent.given, ...local])];
  }
  return consented;
}

function serversIn(config: Config): TextServer[] {
  const { llm, vision_llm: vision } = config;
  return [textServer(llm), textServer(vision), rerankingServer(config)].filter((server) =>
    server !== undefined
  );
}

/** The servers that the tasks of a folder and its searches need. */
function serversFor(config: Config, root: string, answers = false): TextServer[] {
  const { llm, vision_llm: vision } = folderConfig(config, root);
  const usesText = answers || llm.tasks.some((task) => task !== "caption");
  return [
    ...(usesText ? [textServer(llm)] : []),
    ...(llm.tasks.includes("caption") ? [textServer(vision)] : []),
    rerankingServer(config),
  ].filter((server) => server !== undefined);
}

/**
 * Returns why the language model of `rerank` must not get texts of these folders, or of the data of an evaluation: the user has not agreed
 * for one of them. `undefined` if it may.
 */
export function rerankRefusal(
  config: Pick<Config, "search" | "rerank">,
  { consented }: Pick<Request, "consented">,
  places: readonly string[],
): UserError | undefined {
  const server = rerankingServer(config);
  if (server === undefined || server.isLocal) return undefined;
  const dir = places.find((place) => !consented[place]?.includes(server.origin));
  return dir === undefined ? undefined : new UserError("llm_consent_missing", { dir, host: server.host });
}

function distinct(servers: readonly TextServer[]): TextServer[] {
  return servers.filter(({ origin }, i) => servers.findIndex((other) => other.origin === origin) === i);
}

/** The origins of the hosts that `--consent` names. */
function originsNamed(named: readonly string[], configured: readonly TextServer[]): string[] {
  return named.filter((host) => host !== NONE).flatMap((host) => {
    const found = configured.filter((server) => server.host === host.toLowerCase());
    if (found.length > 0) return found.map(({ origin }) => origin);
    const hosts = [...new Set(configured.map(({ host }) => host))].join(", ");
    throw new UsageError(hosts === "" ? "llm_consent_no_model" : "llm_consent_unknown", { host, hosts });
  });
}

async function isAgreed(
  { io, language, signal, flags }: ConsentInput,
  dir: string,
  host: string,
): Promise<boolean> {
  io.err(printableMessage(language, "llm_consent_question", { dir, host }));
  const answer = await io.readLine(signal);
  signal.throwIfAborted();
  const isGiven = answer?.trim().toLowerCase() === host;
  if (!isGiven) warn({ io, language, flags }, "llm_consent_declined", { dir, host });
  return isGiven;
}

/**
 * Returns the real path of the folder of `llm.prompts`. Throws `UsageError` for one that is missing, or in an indexed folder, whose
 * documents could then give the model instructions.
 */
async function promptsFolder(
  { llm, collections }: Config,
  { roots, stateDir }: { readonly roots: readonly string[]; readonly stateDir: string },
): Promise<string | null> {
  if (llm.prompts === null) return null;
  const dir = await realPlaceNamed(llm.prompts);
  const indexed = [
    ...roots,
    ...Object.values(collections).map(({ path }) => path),
    ...await registeredPaths(stateDir).catch(() => []),
  ];
  const root = indexed.find((root) => isInside(dir, root));
  if (root !== undefined) throw new UsageError("llm_prompts_indexed", { path: dir, root });
  if (!isNamedFolder(dir)) throw new UsageError("llm_prompts_missing", { path: dir });
  return dir;
}
