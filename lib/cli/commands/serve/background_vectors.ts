import type { NeuralModels } from "../../../embedding/mod.ts";
import { makeNeuralVectors } from "../../../ingest/mod.ts";
import { HashSlots } from "../../../store/mod.ts";
import type { Session } from "../../session.ts";
import { BackgroundWork } from "./background_work.ts";
import { CLOCK, type Clock } from "./clock.ts";

/** Time until a folder is tried again whose vectors could not be made or written, in milliseconds. */
const FAILED_MS = 300_000;
/** Time after which `index --wait` and `reembed` may take over, in milliseconds. */
const OFFER_MS = 2000;

/** The demand of searches, which the work yields to. */
export interface VectorDemand {
  /** Whether searches are under way, which come first. */
  readonly isBusy: () => boolean;
  /** Hashes of texts that searches have met without a vector. */
  readonly wanted?: () => readonly Uint8Array[];
}

/** Makes the vectors of local models for the folders of a server. Searches use what is there. */
export class BackgroundVectors extends BackgroundWork {
  /** Starts the work. */
  constructor(
    session: Session,
    models: NeuralModels,
    { isBusy, wanted = () => [] }: VectorDemand,
    clock: Clock = CLOCK,
  ) {
    /** The models of each folder's texts, as earlier runs found them. */
    const routes = new Map<string, HashSlots>();
    super(session, {
      async run(store, signal, pause) {
        const ofFolder = routes.get(store.root) ?? new HashSlots();
        routes.set(store.root, ofFolder);
        const options = { key: session.indexKey, signal, routes: ofFolder, wanted, pause, offerMs: OFFER_MS };
        return !(await makeNeuralVectors(store, models, options)).isStale;
      },
      isBusy,
      failedMs: FAILED_MS,
      event: "serve.vectors_failed",
      warning: "cli_serve_vectors_failed",
    }, clock);
  }
}
