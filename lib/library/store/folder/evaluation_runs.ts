/** The runs of evaluations: a file of JSON for each, named by its time, that a person may copy elsewhere. */
import { join } from "node:path";
import { UserError } from "#foundation/errors.ts";
import { fileError, fill, isMissing, OwnFolder, unwritable, writeAll } from "#foundation/boundary/mod.ts";
import { type EvaluationRuns, RUN_LIMITS } from "../store.ts";
import { takeAwayOdd } from "./data_folder.ts";

/** Name of the folder of the runs, in the data folder. */
const EVALUATIONS_FOLDER = "evaluations";
const END = ".json";
/** Names of runs. They begin with the time, so that their order is that of the runs. */
const NAME = /^\d{4}[0-9A-Za-z-]{1,60}$/;

/** Keeps runs in `.muxue_rag/evaluations/NAME.json`. Several processes may write at once. */
export class FolderRuns implements EvaluationRuns {
  readonly #parent: OwnFolder;
  readonly #folder: OwnFolder;

  /** `parent`: the data folder. */
  constructor(parent: OwnFolder) {
    this.#parent = parent;
    this.#folder = new OwnFolder(join(parent.path, EVALUATIONS_FOLDER));
  }

  names(): Promise<string[]> {
    return Promise.try(() => {
      if (!this.#folder.exists()) return [];
      const files = this.#folder.names().filter((name) => name.endsWith(END));
      return files.map((name) => name.slice(0, -END.length)).filter((name) => NAME.test(name)).sort();
    });
  }

  async get(name: string): Promise<string | undefined> {
    const file = name + END;
    try {
      if (!NAME.test(name) || !this.#folder.exists() || this.#folder.look(file) === undefined) {
        return undefined;
      }
      using opened = this.#folder.open(file, "read");
      const { size } = opened.statSync();
      if (size > RUN_LIMITS.bytes) return undefined;
      const bytes = new Uint8Array(size);
      return new TextDecoder().decode(bytes.subarray(0, await fill(opened, bytes)));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error instanceof UserError ? error : fileError(error, this.#folder.at(file));
    }
  }

  async set(name: string, text: string): Promise<boolean> {
    const bytes = new TextEncoder().encode(text);
    if (bytes.length > RUN_LIMITS.bytes) return false;
    if (!NAME.test(name)) throw new TypeError(`no name of a run: ${name}`);
    const file = name + END;
    try {
      if (!this.#parent.exists()) return false;
      takeAwayOdd(this.#parent, [EVALUATIONS_FOLDER], ({ isDirectory }) => !isDirectory);
      this.#folder.make();
      takeAwayOdd(this.#folder, [file]);
      await this.#folder.replace(file, (opened) => writeAll(opened, bytes));
    } catch (error) {
      throw error instanceof UserError ? error : unwritable(error, this.#folder.at(file));
    }
    await this.#removeOldest();
    return true;
  }

  async #removeOldest(): Promise<void> {
    const names = await this.names();
    let runs = 0;
    let bytes = 0;
    for (const name of names.reverse()) {
      runs++;
      bytes += this.#folder.look(name + END)?.size ?? 0;
      if (runs <= RUN_LIMITS.runs && bytes <= RUN_LIMITS.allBytes) continue;
      try {
        this.#folder.remove(name + END);
      } catch {
        // The next run tries again.
      }
    }
  }
}
