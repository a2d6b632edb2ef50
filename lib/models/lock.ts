import { type OwnFolder, tryLock, writeAll } from "../sandbox/mod.ts";
import { cannotWrite } from "./failure.ts";

/** Name of the file in the folder of models that is locked. */
export const MODEL_LOCK = "lock";
/** Milliseconds between two attempts. */
const LOOK_MS = 100;

/**
 * Takes the lock of the folder of models, which a process holds while it changes something there. It ends with the process.
 * Waits while another process has it; `onWait` is called once. The file stays after the release. Throws the signal's reason,
 * `data_folder_unsafe`, `data_folder_unwritable` and `model_disk_full`.
 */
export async function lockModels(
  folder: OwnFolder,
  signal: AbortSignal,
  onWait: () => void,
): Promise<Disposable> {
  for (let waits = 0;; waits++) {
    signal.throwIfAborted();
    const file = openLock(folder);
    try {
      if (await tryLock(file, true)) {
        await file.truncate(0);
        await writeAll(file, new TextEncoder().encode(`${Deno.pid}\n`));
        return { [Symbol.dispose]: () => release(file) };
      }
    } catch (error) {
      file.close();
      throw cannotWrite(error, folder.at(MODEL_LOCK));
    }
    file.close();
    if (waits === 0) onWait();
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function openLock(folder: OwnFolder): Deno.FsFile {
  try {
    return folder.openToAppend(MODEL_LOCK);
  } catch (error) {
    throw cannotWrite(error, folder.at(MODEL_LOCK));
  }
}

function release(file: Deno.FsFile): void {
  try {
    file.unlockSync();
  } catch {
    // Closing the file is enough.
  }
  file.close();
}
