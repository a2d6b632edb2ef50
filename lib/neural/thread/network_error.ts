import type { Failure } from "./messages.ts";

/** A model that cannot be used. */
export class NetworkError extends Error {
  readonly failure: Failure;

  constructor(kind: Failure["kind"], params: Failure["params"] = {}) {
    super(kind);
    this.failure = { kind, params };
  }
}
