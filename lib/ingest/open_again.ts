import { reasonOf, UserError } from "../errors.ts";
import type { StoredFile } from "../index/mod.ts";
import type { IndexStore, LoadedIndex, OpenIndex } from "../store/mod.ts";

/** The files of an index that is made anew, by path; none if it cannot be read. */
export async function filesOf(store: IndexStore): Promise<Map<string, StoredFile>> {
  try {
    const loaded = await store.open();
    using index = loaded.state === "ready" ? loaded.index : undefined;
    return new Map(index?.files.map((file) => [file.path, file]));
  } catch {
    return new Map();
  }
}

/** Opens the index that was just written. Throws `index_unreadable`. */
export async function openWritten(store: IndexStore): Promise<OpenIndex> {
  const unreadable = (error: string, cause?: unknown) =>
    new UserError("index_unreadable", { path: store.location, error }, { cause });
  let loaded: LoadedIndex;
  try {
    loaded = await store.open();
  } catch (error) {
    throw error instanceof UserError ? error : unreadable(reasonOf(error), error);
  }
  if (loaded.state === "ready") return loaded.index;
  throw unreadable(loaded.state === "missing" ? "" : loaded.problem);
}
