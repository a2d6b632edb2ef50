/** The parts of the program that the series uses: library, indexing and registry, with their state folder. */
import { type Config, indexKeyIn, loadConfig } from "#foundation/configuration/mod.ts";
import { LazyTable } from "#models/embedding/mod.ts";
import { UserError } from "#foundation/errors.ts";
import type { IndexKey } from "#engine/index/mod.ts";
import { ingest } from "#library/ingest/mod.ts";
import { NO_LOG } from "#foundation/log.ts";
import { message } from "#foundation/messages/mod.ts";
import { registeredRoots } from "#foundation/registry.ts";
import { type Library, openLibrary } from "#library/search/mod.ts";

/** Messages which say that the index of a folder cannot be used. */
const REFUSALS = ["folder_index_unusable", "folder_index_elsewhere", "folder_without_index"] as const;

/** The program, as the tries call it. */
export class Program {
  readonly #table = new LazyTable();

  private constructor(readonly stateDir: string, readonly config: Config, readonly indexKey: IndexKey) {}

  /** Starts the program with its default configuration and this state folder. Creates its key if the folder has no key. */
  static async start(stateDir: string): Promise<Program> {
    const { config } = await loadConfig({ cwd: "/no/such/folder", env: {}, flags: { language: "en" } });
    return new Program(stateDir, config, await indexKeyIn(stateDir, { create: true }));
  }

  /** Opens the library of folders. */
  open(...roots: string[]): Library {
    return openLibrary(roots, this.config, { key: this.indexKey, table: this.#table });
  }

  /** Indexes a folder. */
  async index(root: string, full: boolean): Promise<void> {
    const { stateDir, indexKey } = this;
    const context = { stateDir, indexKey, log: NO_LOG, version: "0.0.0", table: this.#table };
    await ingest(root, this.config, context, { full });
  }

  /** Returns the folders that were indexed with this state folder. */
  registered(): Promise<readonly string[]> {
    return registeredRoots(this.stateDir);
  }

  /** Returns whether an error, or a notice of an answer, says that the index of `root` cannot be used. */
  isRefusal(what: unknown, root: string): boolean {
    if (what instanceof UserError) return what.key === "index_not_ready";
    return REFUSALS.some((key) => what === message("en", key, { path: root }));
  }
}
