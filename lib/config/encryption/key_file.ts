import { dirname, join } from "node:path";
import { reasonOf, UsageError } from "../../errors.ts";

const NAME = "secret.key";

/** Bytes of an AES-256 key. */
const KEY_BYTES = 32;

/** A key, and whether its file was made just now. */
export interface FoundKey {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly created: boolean;
}

/** Where the key file lies: in the user's configuration folder. */
export function keyFilePath(configDir: string): string {
  return join(configDir, NAME);
}

/**
 * The key in the file at `path`: 32 bytes that nobody but the file's owner can read. A link is not followed, for what it
 * leads to may lie where others can read it.
 *
 * Throws `UsageError`, each with `path`: `config_key_file_missing`, `config_key_file_link`, `config_key_file_not_regular`,
 * `config_key_file_size`, `config_key_file_loose` (not on Windows, which keeps no such mode), `config_key_file_unreadable`.
 */
export async function readKeyFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const named = await Deno.lstat(path);
    if (named.isSymlink) throw new UsageError("config_key_file_link", { path });
    // Opening a pipe would wait for its writer.
    if (!named.isFile) throw new UsageError("config_key_file_not_regular", { path });
    // Before it is opened: a file that its owner may not read is told by its mode too.
    mustBePrivate(named, path);
    using file = await Deno.open(path);
    const opened = await file.stat();
    if (!opened.isFile || opened.ino !== named.ino) throw new UsageError("config_key_file_link", { path });
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
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      throw new UsageError("config_key_file_missing", { path }, { cause: error });
    }
    const reason = reasonOf(error);
    throw new UsageError("config_key_file_unreadable", { path, reason }, { cause: error });
  }
}

/**
 * The key in the file at `path`, which is made when it is missing: 32 random bytes, mode 0600, never in the place of
 * anything. Throws what {@linkcode readKeyFile} throws, and `UsageError` `config_key_file_unwritable`.
 */
export async function readOrCreateKeyFile(path: string): Promise<FoundKey> {
  try {
    return { bytes: await readKeyFile(path), created: false };
  } catch (error) {
    if (!(error instanceof UsageError) || error.key !== "config_key_file_missing") throw error;
  }
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  try {
    await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await create(path, bytes);
    return { bytes, created: true };
  } catch (error) {
    // Another run was faster, and its key is the one.
    if (error instanceof Deno.errors.AlreadyExists) return { bytes: await readKeyFile(path), created: false };
    const reason = reasonOf(error);
    throw new UsageError("config_key_file_unwritable", { path, reason }, { cause: error });
  }
}

/** Makes the file whole or not at all: another run may look for it at any time. */
async function create(path: string, bytes: Uint8Array): Promise<void> {
  const fresh = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    await writeNew(fresh, bytes);
    // Unlike a rename, a link never takes the place of a file. Some file systems have none.
    await Deno.link(fresh, path).catch((error) => {
      if (error instanceof Deno.errors.AlreadyExists) throw error;
      return writeNew(path, bytes);
    });
  } finally {
    await Deno.remove(fresh).catch(() => {});
  }
}

async function writeNew(path: string, bytes: Uint8Array): Promise<void> {
  using file = await Deno.open(path, { createNew: true, write: true, mode: 0o600 });
  try {
    if (await file.write(bytes) !== bytes.length) throw new Error("short write");
    // What is encrypted with a key that a power cut then takes is lost.
    await file.sync();
  } catch (error) {
    await Deno.remove(path).catch(() => {});
    throw error;
  }
}

function mustBePrivate({ mode }: Deno.FileInfo, path: string): void {
  if (mode === null || (mode & 0o077) === 0) return;
  throw new UsageError("config_key_file_loose", { path, mode: (mode & 0o777).toString(8).padStart(3, "0") });
}
