/**
 * Installs a model from files of the user: those of the catalogue by their bytes, whatever their names, or a model of the user.
 */
import { basename, dirname, extname, join } from "node:path";
import { unzipSync } from "fflate";
import { UserError } from "#foundation/errors.ts";
import {
  fileError,
  isNamedFolder,
  listNamed,
  openNamed,
  readNamed,
  statNamed,
} from "#foundation/boundary/mod.ts";
import { digestOfBytes, digestOfFile, isSame, ModelPlace } from "./model_location.ts";
import { descriptionOf } from "./state.ts";
import type { CatalogueModel, Digest, EmbeddingUse, InstalledDescription } from "./catalogue.ts";
import { MAX_DIMENSIONS } from "#foundation/constants.ts";
import { EncoderPool, type ModelFolder, readModelFolder } from "#models/neural/mod.ts";
import { type ArchiveEntry, BadArchive, gunzip, gunzipFile, isGzip, tarEntries } from "./archive.ts";

/** Options of {@linkcode installFrom}. */
interface InstallFromOptions {
  /** Real path of the folder of models. It exists, and the caller has its lock. */
  readonly dir: string;
  /** Whether an embedding model that the catalogue does not have is taken as well. */
  readonly acceptsOwn: boolean;
  readonly signal: AbortSignal;
}

/** A model that was installed from files of the user. */
export interface InstalledFrom {
  readonly path: string;
  readonly description: InstalledDescription;
  /** Whether the files are those of the catalogue. */
  readonly isOfCatalogue: boolean;
}

/**
 * Installs a model from a folder, an archive or an ONNX file. The files of the catalogue are recognised by their bytes.
 * Another embedding model needs a folder with its tokenizer and `config.json`, and must embed a text.
 *
 * Throws `UserError`: `model_not_in` if the model is not there, `model_own_unknown`, those of a model that does not work,
 * `model_disk_full`, `data_folder_unwritable`, `data_folder_unsafe`, and those of a path that cannot be read. Throws the
 * signal's reason after an abort.
 */
export async function installFrom(
  model: CatalogueModel,
  path: string,
  { dir, acceptsOwn, signal }: InstallFromOptions,
): Promise<InstalledFrom> {
  const place = new ModelPlace(dir, model.id, "from");
  await place.dropParts();
  place.begin();
  try {
    const missing = await findLocalFiles(path, model, signal, (name, bytes) => place.write(name, bytes))
      .catch((error) => {
        signal.throwIfAborted();
        throw fileError(error, path);
      });
    const isOfCatalogue = missing.length === 0;
    const description = isOfCatalogue ? descriptionOf(model) : await own(missing);
    await place.finish(description);
    return { path: place.installed.path, description, isOfCatalogue };
  } finally {
    // The next run removes what cannot be removed now.
    await place.dropParts().catch(() => {});
  }

  async function own(missing: readonly string[]): Promise<InstalledDescription> {
    try {
      if (acceptsOwn && model.use !== undefined && !await isArchive(path)) {
        return await takeOwnModel(path, place, signal);
      }
    } catch (error) {
      if (!(error instanceof UserError) || error.key !== "neural_no_model") throw error;
    }
    const packages = model.packages.map(({ name, version }) => `${name}@${version}`).join(" ");
    throw new UserError("model_not_in", { path, name: model.id, missing: missing.join(", "), packages });
  }
}

async function isArchive(path: string): Promise<boolean> {
  return (await statNamed(path)).isFile && !/\.onnx$/i.test(path);
}

/** Bytes of a JSON file beside a model that are read. */
const MAX_JSON_BYTES = 1 << 20;
/** Tokens of a text for a model that does not say how many it reads. */
const USUAL_TOKENS = 512;
/** A short text in the languages of the models. */
const PROBE = "检查 check";

/**
 * Copies an embedding model of the user into the parts of a model, and returns its description. `path`: its folder or ONNX
 * file. What the program must know about it comes from `model.json`, or from `config.json` and `1_Pooling/config.json`, as
 * they are published with BERT-like models. Throws `UserError` `neural_no_model` and others of a model that cannot be read,
 * and `model_own_unknown` if nothing tells the number of dimensions. The model embeds a text before it is copied.
 */
async function takeOwnModel(
  path: string,
  place: ModelPlace,
  signal: AbortSignal,
): Promise<InstalledDescription> {
  const folder = await readModelFolder(path);
  const { use, ...about } = folder.description === undefined
    ? await readUse(folder)
    : splitDescription(folder.description);
  const model = { path: folder.model, ...await digestAt(folder.model) };
  const tokenizer = { path: folder.tokenizer, ...await digestAt(folder.tokenizer) };
  {
    using pool = new EncoderPool({ model, tokenizer }, use);
    await pool.embed([PROBE], { signal });
  }
  const files: Record<string, Digest> = {};
  for (
    const [name, { path, ...digest }] of [["model.onnx", model], [
      basename(tokenizer.path),
      tokenizer,
    ]] as const
  ) {
    files[name] = digest;
    await place.copy(name, path);
    // The user's file may change while it is copied.
    if (!await place.hasPart(name, digest)) throw new UserError("neural_changed_file", { path });
  }
  return { ...about, ...use, files };
}

function splitDescription(
  { name, revision, licence, files: _, ...use }: NonNullable<ModelFolder["description"]>,
) {
  return { name, revision, licence, use };
}

async function readUse({ model }: ModelFolder): Promise<
  Pick<InstalledDescription, "name" | "revision" | "licence"> & { use: EmbeddingUse }
> {
  const beside = dirname(model);
  const root = basename(beside) === "onnx" ? dirname(beside) : beside;
  const config = await jsonAt(join(root, "config.json"));
  const pooling = await jsonAt(join(root, "1_Pooling", "config.json"));
  const dimensions = wholeNumber(config["hidden_size"], MAX_DIMENSIONS);
  if (dimensions === undefined) throw new UserError("model_own_unknown", { path: root });
  const name = config["_name_or_path"];
  return {
    name: typeof name === "string" && name !== "" ? name : basename(root),
    revision: "",
    licence: "",
    use: {
      pooling: pooling["pooling_mode_cls_token"] === true ? "cls" : "mean",
      dimensions,
      maxTokens: Math.min(wholeNumber(config["max_position_embeddings"], 1e6) ?? USUAL_TOKENS, USUAL_TOKENS),
      queryPrefix: "",
      documentPrefix: "",
    },
  };
}

/** The object in a JSON file; an empty one if it cannot be read. */
async function jsonAt(path: string): Promise<Record<string, unknown>> {
  try {
    const value = JSON.parse(new TextDecoder().decode(await readNamed(path, MAX_JSON_BYTES)));
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

function wholeNumber(value: unknown, most: number): number | undefined {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most
    ? value as number
    : undefined;
}

/** Depth of the folders that are looked into: a cache of the hub has `models--X/snapshots/REVISION/onnx`. */
const MAX_DEPTH = 5;
/** Files and folders that are looked at. */
const MAX_ENTRIES = 10_000;
/** Bytes of a zip archive, which is read into memory. */
const MAX_ZIP_BYTES = 512 * 1024 * 1024;

/** A form in which a file of a model may be found. */
interface Form extends Digest {
  /** Name of the file in the installed folder. */
  readonly file: string;
  /** The digest of the file itself, where this form is compressed. */
  readonly unpacked?: Digest;
}

/** Receives a file of a model, complete and checked. */
type OnLocalFile = (name: string, bytes: Uint8Array) => Promise<void>;

/**
 * Finds files of a model by their bytes, whatever their names are: in a folder, in the folder around an ONNX file, or in an
 * archive (tar.gz, zip); compressed files and archives in the folder are looked into as well. Returns the names of the files
 * that were not found. Throws the errors of the system for `path` itself.
 */
async function findLocalFiles(
  path: string,
  model: CatalogueModel,
  signal: AbortSignal,
  onFile: OnLocalFile,
): Promise<string[]> {
  const missing = new Set(Object.keys(model.files));
  const forms = formsOf(model);
  const take = async (bytes: Uint8Array<ArrayBuffer>) => {
    const found = digestOfBytes(bytes);
    const form = forms.find((form) => missing.has(form.file) && isSame(form, found));
    if (form === undefined) return;
    const content = form.unpacked === undefined ? bytes : await gunzip(bytes, form.unpacked.bytes);
    if (form.unpacked !== undefined && !isSame(digestOfBytes(content), form.unpacked)) return;
    missing.delete(form.file);
    await onFile(form.file, content);
  };
  const isWanted = (_path: string, size: number) =>
    forms.some((form) => missing.has(form.file) && form.bytes === size);
  for await (const file of filesAt(path)) {
    signal.throwIfAborted();
    if (missing.size === 0) break;
    if (isWanted(file, (await statNamed(file)).size)) await take(await readNamed(file));
    else for await (const { bytes } of entriesOf(file, isWanted)) await take(bytes);
  }
  return [...missing];
}

function formsOf({ files, packages }: CatalogueModel): Form[] {
  const plain = Object.entries(files).map(([file, digest]): Form => ({ file, ...digest }));
  const packed = packages.flatMap(({ entries }) => entries).filter(({ isGzip }) => isGzip)
    .map(({ file, bytes, sha256 }): Form => ({ file, bytes, sha256, unpacked: files[file]! }));
  return [...plain, ...packed];
}

/** The file at `path`, or the files in the folder, those that are not archives first. */
async function* filesAt(path: string): AsyncGenerator<string> {
  if (!isNamedFolder(path)) return yield path;
  const archives: string[] = [];
  let left = MAX_ENTRIES;
  const folders = [{ path, depth: 0 }];
  for (let at = folders.shift(); at !== undefined; at = folders.shift()) {
    for (const name of (await listNamed(at.path)).sort()) {
      if (left-- === 0) return;
      const entry = join(at.path, name);
      // Links may lead to places that may not be read, or nowhere.
      const info = await statNamed(entry).catch(() => undefined);
      if (info?.isDirectory && at.depth < MAX_DEPTH) folders.push({ path: entry, depth: at.depth + 1 });
      if (!info?.isFile) continue;
      if (/^\.(?:tgz|gz|zip)$/i.test(extname(name))) archives.push(entry);
      else yield entry;
    }
  }
  yield* archives;
}

/** Yields the wanted files in an archive. A damaged archive, or a file of another kind, has no entries. */
async function* entriesOf(
  path: string,
  isWanted: (path: string, size: number) => boolean,
): AsyncGenerator<ArchiveEntry> {
  const start = await readNamed(path, 4);
  try {
    if (isGzip(start)) {
      using file = await openNamed(path);
      yield* tarEntries(gunzipFile(file), isWanted);
    } else if (start[0] === 0x50 && start[1] === 0x4b) {
      if ((await statNamed(path)).size > MAX_ZIP_BYTES) return;
      const filter = ({ name, originalSize }: { name: string; originalSize: number }) =>
        isWanted(name, originalSize);
      const entries = unzipSync(await readNamed(path), { filter });
      for (const [path, bytes] of Object.entries(entries)) yield { path, bytes: new Uint8Array(bytes) };
    }
  } catch (error) {
    // The library for zip archives throws errors with a numeric code.
    const isDamaged = error instanceof BadArchive || typeof (error as { code?: unknown })?.code === "number";
    if (!isDamaged) throw error;
  }
}

/** The size and the digest of a file at a path. */
async function digestAt(path: string): Promise<Digest> {
  using file = await openNamed(path);
  return await digestOfFile(file);
}
