import { UserError } from "../../../errors.ts";
import { type Language, message } from "../../../messages.ts";
import type { Library } from "../../../search/types.ts";
import type { BackgroundUpdates } from "./background_updates.ts";

/**
 * A library whose answers name those of the searched folders that are being updated. Where no folder has an index yet, the
 * error `index_not_ready` has that text as its parameter `updating`.
 */
export function updatedLibrary(
  library: Library,
  updates: Pick<BackgroundUpdates, "underWay" | "pending" | "isCurrent">,
  language: Language,
): Library {
  const noticeOf = (folders: readonly string[]) =>
    folders.length === 0 ? [] : [message(language, "folders_updating", { folders: folders.join(", ") })];
  return {
    get roots() {
      return library.roots;
    },
    get collections() {
      return library.collections;
    },
    async search(request, signal) {
      // An update that ends during the search may have come too late for its answer.
      const before = new Set(library.roots.filter((root) => updates.isCurrent([root])));
      try {
        const answer = await library.search(request, signal);
        const { freshness, roots } = answer;
        const updating = noticeOf(updates.underWay(roots));
        const state = updating.length > 0
          ? "updating"
          : freshness?.state === "unknown" && updates.isCurrent(roots) &&
              (roots ?? library.roots).every((root) => before.has(root))
          ? "current"
          : freshness?.state;
        return {
          ...answer,
          notices: [...answer.notices, ...updating],
          ...(freshness === undefined || state === undefined ? {} : { freshness: { ...freshness, state } }),
        };
      } catch (error) {
        const { pending } = updates;
        if (!(error instanceof UserError) || error.key !== "index_not_ready" || pending.length === 0) {
          throw error;
        }
        const updating = message(language, "folders_first_update", { folders: pending.join(", ") });
        throw new UserError(error.key, { ...error.params, updating }, { cause: error });
      }
    },
    readRawFile: (path, range, signal) => library.readRawFile(path, range, signal),
    readDocument: (path, signal) => library.readDocument(path, signal),
    readOriginal: (path, maxBytes, signal) => library.readOriginal(path, maxBytes, signal),
    catalog: () => library.catalog(),
    close: () => library.close(),
  };
}
