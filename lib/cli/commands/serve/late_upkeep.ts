import { UserError } from "../../../errors.ts";
import type { IngestSummary } from "../../../ingest/types.ts";
import type { ReembeddedDocument, Upkeep, UpkeepRequest } from "../../../mcp/mod.ts";

/** Updates by a server whose library is opened on first use. */
export class LateUpkeep implements Upkeep {
  readonly #open: () => Promise<unknown>;
  #upkeep: Upkeep | undefined;

  /** `open` opens the library, and calls {@linkcode set}. */
  constructor(open: () => Promise<unknown>) {
    this.#open = open;
  }

  /** Sets what does the work. */
  set(upkeep: Upkeep): void {
    this.#upkeep = upkeep;
  }

  async update(root: string, request: UpkeepRequest): Promise<IngestSummary> {
    return await (await this.#opened()).update(root, request);
  }

  async reembed(
    root: string,
    path: string,
    request: Omit<UpkeepRequest, "full">,
  ): Promise<ReembeddedDocument> {
    return await (await this.#opened()).reembed(root, path, request);
  }

  async #opened(): Promise<Upkeep> {
    await this.#open();
    if (this.#upkeep === undefined) throw new UserError("ingest_not_allowed");
    return this.#upkeep;
  }
}
