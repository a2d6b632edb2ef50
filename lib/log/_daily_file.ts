import { UserError } from "../errors.ts";
import { LogFolder } from "../sandbox/mod.ts";

/** A text file a day in one folder. */
export interface DailyFile extends Disposable {
  /** Appends `text` to the file of the day. Throws what the system throws; the next call tries anew. */
  append(text: string): void;
}

/**
 * Opens `dir`, a real path, for one file a day (local time), `muxue_rag-YYYY-MM-DD.jsonl`. The folder is made when it is
 * missing, and files of more than `retentionDays` days ago are deleted, now and at every change of day. Every text is written by
 * one call on a file in append mode, so that the lines of several processes do not mix.
 *
 * `@logtape/file` has such a sink, but it either syncs the disk after each line (75 times the cost of a write on a
 * disk that lies, milliseconds on one that does not, in the middle of a search) or holds lines back until the next one
 * comes, and a folder that vanishes at midnight ends the program by an unhandled rejection.
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

function removeOld(folder: LogFolder, retentionDays: number, now: Date): void {
  const oldest = dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - retentionDays));
  for (const name of folder.names()) {
    const day = /^muxue_rag-(\d{4}-\d{2}-\d{2})\.jsonl$/.exec(name)?.[1];
    if (day === undefined || day >= oldest) continue;
    try {
      folder.remove(name);
    } catch (error) {
      // the folder has been exchanged
      if (error instanceof UserError) throw error;
      // Another process was faster, or has it open: it goes next time.
    }
  }
}

/** `YYYY-MM-DD` in local time. */
function dayOf(date: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
