import { UserError } from "../../../errors.ts";
import type { Library, LibraryOptions } from "../../../search/mod.ts";
import type { Upkeep } from "../../../mcp/mod.ts";
import { warn } from "../../context.ts";
import { printableMessage } from "../../printable_message.ts";
import type { Session } from "../../session.ts";
import type { BackgroundVectors } from "./background_vectors.ts";
import { countedLibrary } from "./counted_library.ts";
import { updatedLibrary } from "./updated_library.ts";

/**
 * Opens the library of a server and warns of folders that cannot be searched. Without `--no-watch` it also starts to keep
 * their indexes current, until `resources` are disposed of; if they already are, since the client has left, no update
 * starts. `onUpkeep` gets what updates them when a client asks for it.
 */
export async function openServed(
  session: Session,
  resources: AsyncDisposableStack,
  added: LibraryOptions["added"],
  onUpkeep: (upkeep: Upkeep) => void = () => {},
): Promise<Library> {
  const { config, flags, language, roots, ownPlaces, indexKey: key, indexDirs } = session;
  const { openLibrary, WantedTexts } = await import("../../../search/mod.ts");
  for (const root of roots) await warnOfUnusable(session, root);
  const models = await session.models();
  const options = {
    key,
    indexDirs,
    ownPlaces,
    extractor: session.extractor,
    models,
    ...(added === undefined ? {} : { added }),
  };
  const unwatched = () => openLibrary(roots, config, { ...options, isKept: () => false });
  if (flags.noWatch) return unwatched();
  const { BackgroundUpdates } = await import("./background_updates.ts");
  if (resources.disposed) return unwatched();
  const updates = resources.use(new BackgroundUpdates(session));
  const wanted = new WantedTexts();
  const isKept = (root: string) => updates.keeps(root);
  const library = countedLibrary(
    openLibrary(roots, config, { ...options, isKept, table: updates.table, wanted }),
  );
  let vectors: BackgroundVectors | undefined;
  if (models !== undefined) {
    const { BackgroundVectors } = await import("./background_vectors.ts");
    vectors = resources.use(
      new BackgroundVectors(session, models, { isBusy: library.isBusy, wanted }),
    );
  }
  const { ServedUpkeep } = await import("./served_upkeep.ts");
  onUpkeep(new ServedUpkeep(session, updates, models && vectors && { models, vectors }));
  if (config.files.ocr !== "off") {
    const { BackgroundRecognition } = await import("./background_recognition.ts");
    const takeUp = updates.takeUp.bind(updates);
    resources.use(new BackgroundRecognition(session, { isBusy: library.isBusy, takeUp }));
  }
  return updatedLibrary(library, updates, language);
}

/** Warns of a folder whose index cannot be used. The folder is still served, because the index may be repaired meanwhile. */
async function warnOfUnusable(session: Session, root: string): Promise<void> {
  // Not lib/ingest, which a server with --no-watch never needs.
  const { dataFolder } = await import("../../../store/mod.ts");
  try {
    dataFolder(root, session.indexDirs[root]).exists();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    warn(session, "cli_index_unusable", {
      dir: root,
      text: printableMessage(session.language, error.key, error.params),
    });
  }
}
