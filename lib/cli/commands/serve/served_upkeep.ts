import type { NeuralModels } from "../../../embedding/mod.ts";
import { UserError } from "../../../errors.ts";
import { renewNeuralVectors } from "../../../ingest/mod.ts";
import type { IngestSummary } from "../../../ingest/types.ts";
import type { ReembeddedDocument, Upkeep, UpkeepRequest } from "../../../mcp/mod.ts";
import { folderStore } from "../../../store/mod.ts";
import type { Session } from "../../session.ts";
import type { BackgroundUpdates } from "./background_updates.ts";
import type { BackgroundVectors } from "./background_vectors.ts";

/** The local models of a server, and the work that makes their vectors in the background. */
interface LocalModels {
  readonly models: NeuralModels;
  readonly vectors: BackgroundVectors;
}

/** Work on the indexes of a server that its clients ask for, beside the work in the background. */
export class ServedUpkeep implements Upkeep {
  readonly #session: Session;
  readonly #updates: BackgroundUpdates;
  readonly #local: LocalModels | undefined;

  constructor(session: Session, updates: BackgroundUpdates, local: LocalModels | undefined) {
    this.#session = session;
    this.#updates = updates;
    this.#local = local;
  }

  async update(root: string, request: UpkeepRequest): Promise<IngestSummary> {
    return await this.#updates.update(root, request);
  }

  async reembed(
    root: string,
    path: string,
    { signal, onProgress }: Omit<UpkeepRequest, "full">,
  ): Promise<ReembeddedDocument> {
    const { config, indexKey: key, indexDirs } = this.#session;
    if (config.embedding.provider === "none") throw new UserError("no_vectors_made");
    const { warnings } = await this.#updates.update(root, {
      again: new Set([path]),
      signal,
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    const store = folderStore(root, key, indexDirs);
    const loaded = await store.open();
    using index = loaded.state === "ready" ? loaded.index : undefined;
    const file = index?.files.find((file) => file.path === path && file.status === "indexed");
    if (index === undefined || file === undefined) throw new UserError("document_not_indexed", { path });
    const { chunkCount: chunks } = file;
    const ofIndex = index.vectors === undefined ? [] : [index.vectors.model];
    const told = warnings === undefined ? {} : { warnings };
    if (this.#local === undefined) return { chunks, models: ofIndex, refused: 0, ...told };
    const { models, vectors } = this.#local;
    const renewed = await vectors.instead(() => renewNeuralVectors(store, models, path, { key, signal }));
    return { chunks, models: [...ofIndex, ...renewed.models], refused: renewed.refused, ...told };
  }
}
