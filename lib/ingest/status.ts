import type { Config } from "../config/mod.ts";
import { message } from "../messages.ts";
import type { StoredFile } from "../index/mod.ts";
import { folderStore, type OpenIndex } from "../store/mod.ts";
import { notRead } from "./failures.ts";
import { damageOf, reasonFor, type RebuildReason, settingsChanged } from "./previous_index.ts";
import { recognitionOf } from "./recognition/recognition_state.ts";
import { ingestSettings, settingsName } from "./settings.ts";
import type { FolderStatus, IngestContext } from "./types.ts";
import { hasSameStat, planUpdate, type UpdatePlan } from "./update_plan.ts";

/** Reports on the index of `root` (a real path), its failures, and how the folder differs from it now. Writes nothing. */
export async function folderStatus(
  root: string,
  config: Config,
  { indexKey, indexDirs, ownPlaces }: Pick<IngestContext, "indexKey" | "indexDirs" | "ownPlaces">,
): Promise<FolderStatus> {
  const store = folderStore(root, indexKey, indexDirs);
  const busy = await store.isLocked();
  const loaded = await store.open();
  if (loaded.state === "missing") return { root, state: "missing", busy };
  if (loaded.state !== "ready") {
    const { key, params } = reasonFor(loaded.state, loaded.problem);
    return { root, state: loaded.state, detail: message(config.language, key, params), busy };
  }
  using index = loaded.index;
  const damage = await damageOf(index);
  if (damage !== undefined) {
    return { root, state: "damaged", detail: message(config.language, damage.key, damage.params), busy };
  }
  const { plan, other, stale } = await compareWithFolder(index, root, config, ownPlaces);
  const { statistics, vectors } = index;
  const recognition = recognitionOf(index.files);
  return {
    root,
    state: "ready",
    ...(other === undefined ? {} : { detail: message(config.language, other.key, other.params) }),
    indexedAt: new Date(index.meta.indexedAt),
    files: index.files.filter(({ status }) => status === "indexed").length,
    chunks: statistics.chunks,
    terms: statistics.terms,
    ...(vectors === undefined ? {} : { model: vectors.model, dimensions: vectors.dimensions }),
    textBytes: statistics.textBytes,
    indexBytes: statistics.bytes,
    ...(recognition === undefined ? {} : { recognition }),
    ...notRead(plan, index.files, config.language),
    stale,
    busy,
  };
}

type Stale = NonNullable<FolderStatus["stale"]>;

/** How an index differs from its folder and from the configuration. */
export interface Comparison {
  readonly plan: UpdatePlan;
  /** Set if it was made with other settings than those of the configuration. The next run rebuilds it. */
  readonly other: RebuildReason | undefined;
  /** Files that the next run reads or removes. */
  readonly stale: Stale;
}

/** Compares an open index with the folder `root` by sizes and times of the files, and with the settings. */
export async function compareWithFolder(
  index: OpenIndex,
  root: string,
  config: Config,
  ownPlaces: IngestContext["ownPlaces"],
): Promise<Comparison> {
  const settings = ingestSettings(root, config, ownPlaces);
  const plan = await planUpdate(root, settings.walk, index.files);
  const other = settingsChanged(index, settingsName(settings));
  return {
    plan,
    other,
    stale: other === undefined ? staleOf(plan, index.files) : everything(plan, index.files),
  };
}

/** Counts the files that an update of an index with the same settings would find changed. */
export function staleOf({ files, removed }: UpdatePlan, known: readonly StoredFile[]): Stale {
  const touched = files.filter(({ unchanged }) => !unchanged);
  return {
    new: touched.filter((file) => file.known === undefined).length,
    // every run tries failed files again; that alone does not make an index stale
    changed: touched.filter((file) => {
      const old = file.known === undefined ? undefined : known[file.known];
      return old !== undefined && !hasSameStat(file, old);
    }).length,
    removed: removed.filter(({ status }) => status === "indexed").length,
  };
}

/** An index with other settings is rebuilt by the next run, so every file counts as changed. */
function everything(plan: UpdatePlan, known: readonly StoredFile[]): Stale {
  return { ...staleOf(plan, known), changed: plan.files.filter((file) => file.known !== undefined).length };
}
