/** The objects that the pages work with. */
import type { UserError } from "#foundation/errors.ts";
import type { Config } from "#foundation/configuration/mod.ts";
import type { Language } from "#foundation/messages/mod.ts";
import type { Log } from "#foundation/log.ts";
import type { IndexKey } from "#engine/index/mod.ts";
import type { Extractor } from "#library/extract/mod.ts";
import type { Library } from "#library/search/mod.ts";
import type { IndexDirs } from "#library/store/mod.ts";
import type { NeuralModels } from "#models/embedding/mod.ts";
import type { Answering, Upkeep } from "#server/mod.ts";
import type { Traces } from "#traces/mod.ts";
import type { DoctorAnswer } from "./wire/overview.ts";

/** The parts of the pages of all clients with the same rights. */
export interface PagesParts {
  /** The served library: its limits of access hold, and its indexes are kept current. */
  readonly library: Library;
  /** The configuration, without secrets. */
  readonly config: Config;
  /** The language of the program; that of an answer is `languageOf` its request. */
  readonly language: Language;
  readonly version: string;
  readonly log: Log;
  /** Aborts when the program ends. */
  readonly signal: AbortSignal;
  /** Updates the indexes. Absent where the client has limits, or nothing may be written. */
  readonly upkeep?: Upkeep | undefined;
  /** The language model that answers questions. Absent without one. */
  readonly answering?: Answering | undefined;
  /** Work on whole folders, past the library. Absent where the client has limits. */
  readonly work?: PagesWork | undefined;
}

/** The parts that work on whole folders needs: the session of the command, as far as the pages use it. */
export interface PagesWork {
  /** The configuration with its secrets, which never leave the program. */
  readonly config: Config;
  /** Real paths of the folders. */
  readonly roots: readonly string[];
  readonly indexDirs: IndexDirs;
  readonly indexKey: IndexKey;
  readonly ownPlaces: readonly string[];
  readonly stateDir: string;
  readonly modelsDir: string | null;
  readonly extractor: Extractor;
  readonly models: (config?: Config) => Promise<NeuralModels | undefined>;
  /** Real paths of the folders that files may be added to. */
  readonly uploads: readonly string[];
  /** The recorder of traces; `undefined` where nothing is traced. */
  readonly traces: () => Promise<Traces | undefined>;
  /** Returns why the reranker must not get texts of a folder in an evaluation; `undefined` if it may. */
  readonly rerankRefusal: (root: string) => Promise<UserError | undefined>;
  /** Tries out all components and checks the indexes, as the command `doctor` does. */
  readonly doctor: (language: Language, signal: AbortSignal) => Promise<DoctorAnswer>;
  /** Shows a file in the file manager. Absent where there is none. */
  readonly reveal?: ((path: string) => void) | undefined;
}
