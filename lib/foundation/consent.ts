/**
 * The user's consent to send texts of a folder to a server: a small file for each folder, in the user's state folder. It is never in
 * the folder itself, so that a folder from elsewhere brings no consent.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { UserError } from "./errors.ts";
import { type Config, isLoopbackHost, serverAddress } from "#foundation/configuration/mod.ts";
import { fill, isMissing, OwnFolder, unwritable, writeAll } from "#foundation/boundary/mod.ts";

/** Greatest size of an entry in bytes. */
const MAX_ENTRY = 65_536;

/** A server that texts may be sent to. */
export interface TextServer {
  /** Such as `https://api.deepseek.com`. Consent is given for it. */
  readonly origin: string;
  /** As the user names it: `api.deepseek.com`, with the port unless it is the usual one. */
  readonly host: string;
  /** On this machine, where no consent is needed. */
  readonly isLocal: boolean;
}

/** Returns the server of a section of the configuration; `undefined` without one. */
export function textServer(
  section: { readonly provider: string; readonly base_url: string | null },
): TextServer | undefined {
  const address = serverAddress(section);
  if (address === undefined) return undefined;
  const { origin, host, hostname } = new URL(address);
  return { origin, host, isLocal: isLoopbackHost(hostname) };
}

/** Returns the server of a language model that has the section `rerank` for itself; `undefined` without one. */
export function rerankingServer(
  { search, rerank }: Pick<Config, "search" | "rerank">,
): TextServer | undefined {
  return search.rerank && rerank.provider === "llm" ? textServer(rerank) : undefined;
}

/** The user's decisions about a folder, each a list of origins. */
export interface Consent {
  readonly given: readonly string[];
  /** Refused when it was asked for, so that it is not asked for again. */
  readonly declined: readonly string[];
}

/** Path of the folder with the consents. */
export function consentDir(stateDir: string): string {
  return join(stateDir, "consent");
}

function entryName(root: string): string {
  return `${createHash("sha256").update(root).digest("hex").slice(0, 32)}.json`;
}

/** Returns what the user has decided about the folder `root`, a real path. A damaged entry counts as missing. */
export async function consentOf(stateDir: string, root: string): Promise<Consent> {
  const folder = new OwnFolder(consentDir(stateDir), { named: true });
  try {
    using file = folder.open(entryName(root), "read");
    const buffer = new Uint8Array(MAX_ENTRY);
    const entry = JSON.parse(new TextDecoder().decode(buffer.subarray(0, await fill(file, buffer))));
    const { path, given, declined } = entry ?? {};
    if (path === root) return { given: texts(given), declined: texts(declined) };
  } catch {
    // There is none, or it cannot be read: nothing is sent.
  }
  return { given: [], declined: [] };
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/**
 * Replaces what the user has decided about `root`. Without any decision its entry is removed. Throws `data_folder_unsafe`,
 * `data_folder_unwritable` or `disk_full`.
 */
export async function setConsent(
  stateDir: string,
  root: string,
  { given, declined }: Consent,
): Promise<void> {
  const folder = new OwnFolder(consentDir(stateDir), { named: true });
  const name = entryName(root);
  try {
    if (given.length + declined.length === 0) return folder.remove(name);
    folder.make();
    const entry = `${JSON.stringify({ path: root, given, declined })}\n`;
    await folder.replace(name, (file) => writeAll(file, new TextEncoder().encode(entry)));
  } catch (error) {
    if (isMissing(error)) return;
    throw error instanceof UserError ? error : unwritable(error, folder.at(name));
  }
}
