import type { Config } from "../config/mod.ts";
import type { NeuralModels } from "../embedding/mod.ts";
import type { Extractor } from "../extract/mod.ts";
import type { Log } from "../log/mod.ts";
import type { Context } from "./context.ts";
import type { Request } from "./request.ts";

/** Input of a command on folders: the request, and the means to carry it out. */
export interface Session extends Request, Context {
  readonly log: Log;
  /** Reads documents. */
  readonly extractor: Extractor;
  /**
   * Opens the neural models that a configuration names, once. Default: the one in effect. Returns `undefined` where it names
   * none, and, with a warning, where they cannot be used.
   */
  readonly models: (config?: Config) => Promise<NeuralModels | undefined>;
}
