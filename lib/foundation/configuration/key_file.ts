/**
 * Files with a key, which only their owner may read: that of this installation's indexes, and that of encrypted secrets.
 */
import { dirname, join } from "node:path";
import { reasonOf, UsageError } from "#foundation/errors.ts";
import type { MessageKey } from "#foundation/messages/mod.ts";
import { SECRET_KEY_FILE } from "#foundation/constants.ts";
import { OS } from "#foundation/runtime.ts";
import {
  exists,
  isSameFile,
  isTaken,
  lookAt,
  makeNamedFolder,
  openNamed,
  writeAll,
  writeNamed,
} from "#foundation/boundary/mod.ts";

/** Errors about this key that replace those about the key of encrypted settings, whose advice would be wrong. */
const PROBLEMS: ReadonlyMap<MessageKey, MessageKey> = new Map([
  ["config_key_file_size", "index_key_damaged"],
  ["config_key_file_unreadable", "index_key_unreadable"],
  ["config_key_file_unwritable", "index_key_unwritable"],
]);

/** Path of the key of this installation's indexes. `lib/engine/index/blob/format.ts` explains its use. */
export function indexKeyPath(stateDir: string): string {
  return join(stateDir, "index.key");
}

/**
 * The key of this installation's indexes, 32 bytes from `index.key` in the state folder. If the file is missing, it is
 * created with `create`; without, the key is a new random one, so that no index is trusted.
 *
 * Throws `UsageError` with the `path` of an unusable file: `index_key_damaged`, `index_key_unreadable`,
 * `index_key_unwritable`, `config_key_file_link`, `config_key_file_not_regular`, `config_key_file_loose`.
 */
export async function indexKeyIn(
  stateDir: string,
  { create }: { readonly create: boolean },
): Promise<Uint8Array<ArrayBuffer>> {
  const path = indexKeyPath(stateDir);
  try {
    return create ? (await readOrCreateKeyFile(path)).bytes : await readKeyFile(path);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    if (error.key === "config_key_file_missing" && !create) return crypto.getRandomValues(new Uint8Array(32));
    throw new UsageError(PROBLEMS.get(error.key) ?? error.key, error.params, { cause: error });
  }
}

/** Bytes of an AES-256 key. */
const KEY_BYTES = 32;

/** Result of {@linkcode readOrCreateKeyFile}. */
interface FoundKey {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly created: boolean;
}

/** Path of the key file in the user's configuration folder. */
export function keyFilePath(configDir: string): string {
  return join(configDir, SECRET_KEY_FILE);
}

/**
 * The key in the file at `path`: 32 bytes. Only the owner may have access to the file. A link is not followed, because its
 * target may be readable by others.
 *
 * Throws `UsageError` with `path`: `config_key_file_missing`, `config_key_file_link`, `config_key_file_not_regular`,
 * `config_key_file_size`, `config_key_file_loose` (not on Windows, where access lists stand in for modes), `config_key_file_unreadable`.
 */
export async function readKeyFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const named = await lookAt(path);
    if (named === undefined) throw new UsageError("config_key_file_missing", { path });
    if (named.isSymlink) throw new UsageError("config_key_file_link", { path });
    // Opening a pipe would wait for a writer.
    if (!named.isFile) throw new UsageError("config_key_file_not_regular", { path });
    // Checked before opening, so that a file that its owner may not read is reported by its mode too.
    mustBePrivate(named, path);
    using file = await openNamed(path);
    const opened = await file.stat();
    if (!opened.isFile || !isSameFile(named, opened)) throw new UsageError("config_key_file_link", { path });
    mustBePrivate(opened, path);
    if (opened.size !== KEY_BYTES) {
      throw new UsageError("config_key_file_size", { path, size: opened.size, expected: KEY_BYTES });
    }
    const bytes = new Uint8Array(KEY_BYTES);
    const count = await file.read(bytes);
    if (count !== KEY_BYTES) {
      throw new UsageError("config_key_file_size", { path, size: count ?? 0, expected: KEY_BYTES });
    }
    return bytes;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const reason = reasonOf(error);
    throw new UsageError("config_key_file_unreadable", { path, reason }, { cause: error });
  }
}

/**
 * The key in the file at `path`. A missing file is created with 32 random bytes and mode 0600; nothing is overwritten.
 * Throws the errors of {@linkcode readKeyFile}, and `UsageError` `config_key_file_unwritable`.
 */
export async function readOrCreateKeyFile(path: string): Promise<FoundKey> {
  try {
    return { bytes: await readKeyFile(path), created: false };
  } catch (error) {
    if (!(error instanceof UsageError) || error.key !== "config_key_file_missing") throw error;
  }
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  try {
    await makeNamedFolder(dirname(path), 0o700);
    // Written in one step and synced: another run may read the file at any time, and a secret is lost if a power cut
    // destroys its key.
    await writeNamed(path, (file) => writeAll(file, bytes), { overwrite: false });
    return { bytes, created: true };
  } catch (error) {
    // Another run was faster, and its key is used.
    if (isTaken(error) && await exists(path)) return { bytes: await readKeyFile(path), created: false };
    const reason = reasonOf(error);
    throw new UsageError("config_key_file_unwritable", { path, reason }, { cause: error });
  }
}

function mustBePrivate({ mode }: Deno.FileInfo, path: string): void {
  // The runtime makes up a mode on Windows: 666, or 444 for a file that is read-only.
  if (OS === "windows" || mode === null || (mode & 0o077) === 0) return;
  throw new UsageError("config_key_file_loose", { path, mode: (mode & 0o777).toString(8).padStart(3, "0") });
}
