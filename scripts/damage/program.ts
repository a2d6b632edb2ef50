/** The program as the series uses it: the library, the index run and the registry, with the state folder they need. */
import { type Config, indexKeyIn, loadConfig } from "../../lib/config/mod.ts";
import { LazyTable } from "../../lib/embedding/mod.ts";
import { UserError } from "../../lib/errors.ts";
import type { IndexKey } from "../../lib/index/mod.ts";
import { ingest } from "../../lib/ingest/mod.ts";
import { NO_LOG } from "../../lib/log/mod.ts";
import { message } from "../../lib/messages.ts";
import { registeredRoots } from "../../lib/registry/mod.ts";
import { type Library, openLibrary } from "../../lib/search/mod.ts";

/** Matches the notice about a folder that an answer was not taken from. */
const REFUSALS = ["folder_index_unusable", "folder_index_elsewhere", "folder_without_index"] as const;

/** The equipment of the tries. */
export class Program {
  readonly #table = new LazyTable();

  private constructor(readonly stateDir: string, readonly config: Config, readonly indexKey: IndexKey) {}

  /** The program with its default configuration and this state folder, in which its key is made where there is none. */
  static async start(stateDir: string): Promise<Program> {
    const { config } = await loadConfig({ cwd: "/no/such/folder", env: {}, flags: { language: "en" } });
    return new Program(stateDir, config, await indexKeyIn(stateDir, { create: true }));
  }

  /** The library over folders. */
  open(...roots: string[]): Library {
    return openLibrary(roots, this.config, { key: this.indexKey, table: this.#table });
  }

  /** An index run. */
  async index(root: string, full: boolean): Promise<void> {
    const { stateDir, indexKey } = this;
    const context = { stateDir, indexKey, log: NO_LOG, version: "0.0.0", table: this.#table };
    await ingest(root, this.config, context, { full });
  }

  /** The folders that were processed on this machine. */
  registered(): Promise<readonly string[]> {
    return registeredRoots(this.stateDir);
  }

  /** Whether an error, or one of an answer's notices, says that the index of `root` cannot be used. */
  isRefusal(what: unknown, root: string): boolean {
    if (what instanceof UserError) return what.key === "index_not_ready";
    return REFUSALS.some((key) => what === message("en", key, { path: root }));
  }
}
