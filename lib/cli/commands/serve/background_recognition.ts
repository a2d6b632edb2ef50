import { recognisePending } from "../../../ingest/mod.ts";
import type { Session } from "../../session.ts";
import { BackgroundWork } from "./background_work.ts";
import { CLOCK, type Clock } from "./clock.ts";

/** Time until a folder is tried again whose scans could not be recognised, in milliseconds. */
const FAILED_MS = 60_000;
/** Time between two updates of an index with new texts, in milliseconds. */
const UPDATE_MS = 15_000;

/** The parts of the server that the work uses. */
export interface RecognitionHost {
  /** Whether searches are under way, which come first. */
  readonly isBusy: () => boolean;
  /** Makes an update look at files of a folder soon. `paths`: relative to it. */
  readonly takeUp: (root: string, paths: ReadonlySet<string>) => void;
}

/** Recognises the text of scans for the folders of a server. */
export class BackgroundRecognition extends BackgroundWork {
  /** Starts the work. */
  constructor(session: Session, { isBusy, takeUp }: RecognitionHost, clock: Clock = CLOCK) {
    super(session, {
      async run(store, signal, pause) {
        /** Files with new texts that no update has been told of, and the time when one was. */
        let done = new Set<string>();
        let toldAt = -Infinity;
        const tell = () => {
          if (done.size === 0 || signal.aborted) return;
          takeUp(store.root, done);
          done = new Set();
          toldAt = clock.now();
        };
        try {
          await recognisePending(store.root, session.config, session, {
            signal,
            pause,
            onDone: (path) => {
              done.add(path);
              if (clock.now() - toldAt >= UPDATE_MS) tell();
            },
          });
          return true;
        } finally {
          tell();
        }
      },
      isBusy,
      failedMs: FAILED_MS,
      event: "serve.recognition_failed",
      warning: "cli_serve_recognition_failed",
    }, clock);
  }
}
