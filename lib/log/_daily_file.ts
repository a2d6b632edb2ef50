import { UserError } from "../errors.ts";
import { LogFolder } from "../sandbox/mod.ts";

const LOG_NAME = /^muxue_rag-(\d{4}-\d{2}-\d{2})\.jsonl$/;

/** A text file for each day, in one folder. */
export interface DailyFile extends Disposable {
  /** Appends `text` to the file of the day. Throws the error of the system; the next call opens the file again. */
  append(text: string): void;
}

/**
 * Opens `dir`, a real path, for one file a day (local time), `muxue_rag-YYYY-MM-DD.jsonl`. Creates the folder if it is
 * missing, and deletes files that are more than `retentionDays` days old, now and at every change of day. Each text is
 * written by one call to a file in append mode, so that the lines of several processes do not mix.
 *
 * `@logtape/file` has a similar sink, but it either syncs the disk after each line or holds lines back until the next one. A
 * sync costs 75 times a write on a disk that ignores it, and milliseconds on a disk that does not, in the middle of a
 * search. Also, if the folder vanishes at midnight, an unhandled rejection ends the program.
 */
export function openDailyFile(dir: string, retentionDays: number, clock: () => Date): DailyFile {
  const encoder = new TextEncoder();
  const folder = new LogFolder(dir);
  let day = "";
  let file: Deno.FsFile | undefined;

  const close = () => {
    file?.close();
    file = undefined;
  };
  const open = (): Deno.FsFile => {
    const today = dayOf(clock());
    if (file !== undefined && day === today) return file;
    close();
    file = folder.openToAppend(`muxue_rag-${today}.jsonl`);
    day = today;
    removeOld(folder, retentionDays, clock());
    return file;
  };
  open();
  return {
    append(text) {
      let rest = encoder.encode(text);
      try {
        while (rest.length > 0) rest = rest.subarray(open().writeSync(rest));
      } catch (error) {
        close();
        throw error;
      }
    },
    [Symbol.dispose]: close,
  };
}

/** Whether a file with this name is a log. */
export function isLogFile(name: string): boolean {
  return LOG_NAME.test(name);
}

function removeOld(folder: LogFolder, retentionDays: number, now: Date): void {
  const oldest = dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - retentionDays));
  for (const name of folder.names()) {
    const day = LOG_NAME.exec(name)?.[1];
    if (day === undefined || day >= oldest) continue;
    try {
      folder.remove(name);
    } catch (error) {
      // The folder was replaced.
      if (error instanceof UserError) throw error;
      // Another process deleted the file, or has it open. It is deleted the next time.
    }
  }
}

/** `YYYY-MM-DD` in local time. */
function dayOf(date: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
