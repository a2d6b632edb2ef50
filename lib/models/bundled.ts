import { UserError } from "../errors.ts";
import { OwnFolder, readProgramBytes } from "../sandbox/mod.ts";
import { CATALOGUE } from "./catalogue.ts";
import { digestOfBytes, isSame } from "./digest.ts";
import { lockModels } from "./lock.ts";
import { ModelPlace } from "./model_place.ts";
import { descriptionOf } from "./state.ts";
import type { ModelId } from "./types.ts";

/** The models that an executable can contain (`deno task compile --with-models`). */
export const BUNDLED: readonly ModelId[] = ["zh", "en"];

/** Milliseconds to wait for another process. One that takes the models out of the program as well needs about one second. */
const WAIT_MS = 3000;

/** Returns the path of a bundled file, relative to the program's root. */
export function bundledPath(id: ModelId, file: string): string {
  return `models/${id}/${file}`;
}

/** Returns whether this program contains models. */
export async function hasBundled(): Promise<boolean> {
  return await readProgramBytes(bundledPath("zh", "tokenizer.json")) !== undefined;
}

/**
 * Installs the models that this executable contains and the folder of models lacks. Returns their names; empty for a program
 * without models. `dir`: real path of the folder, which exists. `read` returns the bytes of a file of the program, or
 * `undefined` if there is none. Throws `model_busy` if another process changes the folder for more than three seconds,
 * `data_folder_unwritable`, `data_folder_unsafe`, `model_disk_full` or the reason of the signal.
 */
export async function installBundled(
  dir: string,
  signal: AbortSignal,
  read: (path: string) => Promise<Uint8Array | undefined> = readProgramBytes,
): Promise<ModelId[]> {
  const missing = BUNDLED.filter((id) => !new ModelPlace(dir, id).installed.exists());
  const installed: ModelId[] = [];
  for (const id of missing) {
    const model = CATALOGUE[id];
    const files: [name: string, bytes: Uint8Array][] = [];
    for (const [name, digest] of Object.entries(model.files)) {
      const bytes = await read(bundledPath(id, name));
      // A damaged executable is not worth an error: the model can still be downloaded.
      if (bytes === undefined || !isSame(digestOfBytes(bytes), digest)) break;
      files.push([name, bytes]);
    }
    if (files.length < Object.keys(model.files).length) continue;
    using _lock = await lockSoon(dir, signal);
    const place = new ModelPlace(dir, id);
    // Another process may have installed it meanwhile.
    if (place.installed.exists()) continue;
    place.begin();
    for (const [name, bytes] of files) await place.write(name, bytes);
    await place.finish(descriptionOf(model));
    installed.push(id);
  }
  return installed;
}

/** Takes the lock. Another process may hold it for minutes, while it downloads models. */
async function lockSoon(dir: string, signal: AbortSignal): Promise<Disposable> {
  const limit = AbortSignal.timeout(WAIT_MS);
  try {
    return await lockModels(new OwnFolder(dir), AbortSignal.any([signal, limit]), () => {});
  } catch (error) {
    throw error === limit.reason ? new UserError("model_busy") : error;
  }
}
