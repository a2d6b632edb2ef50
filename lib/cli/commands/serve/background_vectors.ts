import type { NeuralModels } from "../../../embedding/mod.ts";
import { makeNeuralVectors, type NeuralProgress } from "../../../ingest/mod.ts";
import { WantedTexts } from "../../../search/mod.ts";
import { HashSlots } from "../../../store/mod.ts";
import { note } from "../../context.ts";
import { estimatedTime } from "../../make_vectors.ts";
import type { Session } from "../../session.ts";
import { BackgroundWork } from "./background_work.ts";
import { CLOCK, type Clock } from "./clock.ts";

/**
 * Time until a folder is tried again whose vectors could not be made or written, in milliseconds: by a model in this program, and by
 * a server, which may be started at any time.
 */
const FAILED_MS = 300_000, SERVER_FAILED_MS = 15_000;
/** Time after which `index --wait` and `reembed` may take over, in milliseconds. */
const OFFER_MS = 2000;
/** Estimated tokens of texts from which a folder's vectors take minutes, and the user is told. */
const MANY_TOKENS = 100_000;
/** Time after which another folder gets a turn, in milliseconds. */
const TURN_MS = 30_000;

/** The demand of searches, which the work yields to. */
export interface VectorDemand {
  /** Whether searches are under way, which come first. */
  readonly isBusy: () => boolean;
  /** The texts that searches have met without a vector. */
  readonly wanted?: WantedTexts;
}

/** Makes the vectors of neural models for the folders of a server. Searches use what is there. */
export class BackgroundVectors extends BackgroundWork {
  /** Starts the work. */
  constructor(
    session: Session,
    models: NeuralModels,
    { isBusy, wanted = new WantedTexts() }: VectorDemand,
    clock: Clock = CLOCK,
  ) {
    /** The models of each folder's texts, as earlier runs found them. */
    const routes = new Map<string, HashSlots>();
    const told = new Set<string>();
    const tell = (dir: string, { done, total, tokensLeft }: NeuralProgress) => {
      if (models.server !== undefined || tokensLeft < MANY_TOKENS || told.has(dir)) return;
      told.add(dir);
      note(session, "cli_serve_vectors_begin", {
        ...{ dir, count: total - done, left: estimatedTime(tokensLeft, 1) },
      });
    };
    super(session, {
      async run(store, signal, pause) {
        const ofFolder = routes.get(store.root) ?? new HashSlots();
        routes.set(store.root, ofFolder);
        const summary = await makeNeuralVectors(store, models, {
          ...{ key: session.indexKey, signal, routes: ofFolder, pause, offerMs: OFFER_MS },
          wanted: () => wanted.take(store.root),
          onProgress: (progress) => tell(store.root, progress),
          turnMs: session.roots.length > 1 ? TURN_MS : Infinity,
        });
        return !summary.isStale;
      },
      isBusy,
      isUrgent: (root) => wanted.has(root),
      failedMs: models.server === undefined ? FAILED_MS : SERVER_FAILED_MS,
      event: "serve.vectors_failed",
      warning: models.server === undefined ? "cli_serve_vectors_failed" : "cli_serve_server_failed",
    }, clock);
  }
}
