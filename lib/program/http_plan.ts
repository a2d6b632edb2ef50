/**
 * Where a server over HTTP listens and who may use it, as the flags say.
 */
import { resolve } from "node:path";
import { type Config, homeFolder } from "#foundation/configuration/mod.ts";
import { present } from "#foundation/present.ts";
import { UsageError } from "#foundation/errors.ts";
import { expandHome, fileError, readNamed } from "#foundation/boundary/mod.ts";
import { addressesOf, isLoopbackAddress } from "#foundation/boundary/http_listener.ts";
import type { AccessLimit } from "#library/search/types.ts";
import type { Io } from "./io.ts";
import type { Flags } from "./options.ts";

/** Port of the server unless the command line names one. */
const DEFAULT_PORT = 7368;

/** Shortest token that is accepted, in characters. */
const MIN_TOKEN_CHARS = 16;

/** Longest file with a certificate or key, in bytes. */
const MAX_PEM_BYTES = 1024 * 1024;

/** Where a server listens and who may use it, as the launcher found out. It is plain data for the locked worker. */
export interface HttpPlan {
  /** An IP address. */
  readonly host: string;
  /** IP addresses that clients can open: `host`, or those of this machine where the server listens on all of them. */
  readonly addresses: readonly string[];
  /** 0 for any free port. */
  readonly port: number;
  /** `host:port` for the permission to listen. */
  readonly listen: string;
  /** Names of the server in the `Host` header, beside those of this machine. */
  readonly names: readonly string[];
  /** SHA-256 of the token that requests need; null without one. */
  readonly tokenHash: Uint8Array | null;
  /** Further tokens, with the limits of what their clients may know of. Absent if there are none. */
  readonly limitedTokens?: readonly { readonly hash: Uint8Array; readonly access: AccessLimit }[];
  /** Whether the tokens of people alone guard it, which need not be there any more when it starts. */
  readonly isForPeople?: true;
  /** The environment variable that the token was read from. */
  readonly tokenEnv?: string;
  /** The token, if it was made for this run and must be shown. */
  readonly newToken?: string;
  /** Certificate and key in PEM; null for connections without encryption. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
}

/**
 * The plan that the flags ask for. Without `--token-env`, `mcp.tokens` and tokens of people, a token is made for a server that other machines
 * can reach. `hasPeople`: whether there are tokens of people; asked where it matters. Throws `UsageError`, and the error of reading a file.
 */
export async function httpPlanOf(
  flags: Flags,
  { env, cwd }: Pick<Io, "env" | "cwd">,
  tokens: Config["mcp"]["tokens"] = [],
  hasPeople: () => Promise<boolean> = () => Promise.resolve(false),
): Promise<HttpPlan> {
  const { tokenEnv, port = DEFAULT_PORT } = flags;
  const host = hostOf(flags.host);
  const given = tokenEnv === undefined ? undefined : tokenIn(env, tokenEnv);
  const limitedTokens = await Promise.all(tokens.map(async ({ env: name, ...access }) => ({
    hash: await hashOf(tokenIn(env, name)),
    access,
  })));
  const isOpen = given === undefined && limitedTokens.length === 0 && !isLoopbackAddress(host);
  const isForPeople = isOpen && await hasPeople();
  const newToken = isOpen && !isForPeople
    ? crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url", omitPadding: true })
    : undefined;
  const token = given ?? newToken;
  const read = (file: string) => pemIn(resolve(cwd, expandHome(file, homeFolder(env, Deno.build.os))));
  return {
    host,
    addresses: addressesOf(host),
    port,
    listen: `${host.includes(":") ? `[${host}]` : host}:${port}`,
    names: flags.allowHost ?? [],
    tokenHash: token === undefined ? null : await hashOf(token),
    ...(limitedTokens.length > 0 && { limitedTokens }),
    ...(isForPeople && { isForPeople }),
    ...present({ tokenEnv, newToken }),
    tls: flags.tlsCert === undefined || flags.tlsKey === undefined
      ? null
      : { cert: await read(flags.tlsCert), key: await read(flags.tlsKey) },
  };
}

async function hashOf(token: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token)));
}

/** The IP address, in its usual form. */
function hostOf(host: string | undefined): string {
  if (host === undefined || host === "localhost") return "127.0.0.1";
  const bare = host.replace(/^\[|\]$/g, "");
  const address = `http://${bare.includes(":") ? `[${bare}]` : bare}`;
  const name = URL.canParse(address) ? new URL(address).hostname.replace(/^\[|\]$/g, "") : "";
  if (!/^(?:\d+(?:\.\d+){3}|[0-9a-f:.]*:[0-9a-f:.]*)$/.test(name)) {
    throw new UsageError("cli_bad_host", { host });
  }
  return name;
}

function tokenIn(env: Io["env"], name: string): string {
  const token = env[name] ?? "";
  if (token === "") throw new UsageError("cli_token_missing", { name });
  if (token.length < MIN_TOKEN_CHARS) {
    throw new UsageError("cli_token_short", { name, limit: MIN_TOKEN_CHARS });
  }
  if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageError("cli_token_characters", { name });
  return token;
}

async function pemIn(path: string): Promise<string> {
  let text: string;
  try {
    text = new TextDecoder().decode(await readNamed(path, MAX_PEM_BYTES));
  } catch (error) {
    throw fileError(error, path);
  }
  if (!text.includes("-----BEGIN ")) throw new UsageError("cli_not_pem", { path });
  return text;
}
