import type { LazyTable, NeuralModels } from "../embedding/mod.ts";
import type { Extractor } from "../extract/mod.ts";
import type { IndexKey } from "../index/mod.ts";
import type { IndexDirs, IndexStore } from "../store/mod.ts";
import type { WantedTexts } from "./neural/wanted_texts.ts";
import type { Below } from "./scope.ts";

/** Options of a library. */
export interface LibraryOptions {
  /** Returns folders that were indexed since the start. They are not served before a restart, and answers say so. */
  readonly added?: () => Promise<readonly string[]>;
  /** The key with which the indexes must be sealed. */
  readonly key: IndexKey;
  /** Data folders that are not `DIR/.muxue_rag`. */
  readonly indexDirs?: IndexDirs | undefined;
  /** The local models that questions are given to. The library does not close them. Default: none. */
  readonly models?: NeuralModels | undefined;
  /** Is told of the texts that have no vector of a local model. */
  readonly wanted?: WantedTexts | undefined;
  /** The built-in table, if it is already loaded. */
  readonly table?: LazyTable;
  /** Real paths of the program's own files and folders. Clients cannot read them, even inside a served folder. */
  readonly ownPlaces?: readonly string[] | undefined;
  /** Only files below these paths are searched, unless a request names a folder. */
  readonly below?: Below | undefined;
  /** Reads documents. Without it, documents cannot be read. The library does not close it. */
  readonly extractor?: Extractor;
  /**
   * Whether something keeps the index of a folder current. If not, its files are compared with it before a search. Default:
   * yes.
   */
  readonly isKept?: (root: string) => boolean;
  /** Opens the store of a folder. Default: `folderStore`. */
  readonly storeOf?: (root: string) => IndexStore;
}
