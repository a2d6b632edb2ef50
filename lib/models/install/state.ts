/**
 * Which models are installed, contained in the program, or damaged.
 */
import { DESCRIPTION_FILE, parseDescription } from "#models/neural/mod.ts";
import { reasonOf, UserError } from "#foundation/errors.ts";
import { OwnFolder, readProgramBytes } from "#foundation/boundary/mod.ts";
import {
  CATALOGUE,
  type CatalogueModel,
  type Digest,
  type InstalledDescription,
  MODEL_IDS,
  type ModelId,
} from "./catalogue.ts";
import { digestOf, digestOfBytes, isSame, lockModels, ModelPlace } from "./model_location.ts";

/** A model and its state on this machine. */
export interface ModelState {
  readonly id: ModelId;
  readonly state: "installed" | "damaged" | "missing";
  /** Path of its folder. */
  readonly path: string;
  /** Languages of the texts that it is for. */
  readonly languages: readonly string[];
  /** That of the installed model; without one, that of the model in the catalogue. */
  readonly description: InstalledDescription;
  /** Bytes of its files: those on the disk, or those to download. */
  readonly bytes: number;
  /** Whether the files are those of the catalogue. */
  readonly isOfCatalogue: boolean;
  /** The file that is damaged, and why: it is missing, or its size or its digest differs. */
  readonly damage?: { readonly file: string; readonly reason: string };
}

/** Bytes of `model.json` that are read. */
const MAX_DESCRIPTION_BYTES = 1 << 20;

/** The states of all models. `verify`: the files are read and compared; otherwise only their sizes are. */
export async function modelStates(dir: string, { verify = false } = {}): Promise<ModelState[]> {
  const states: ModelState[] = [];
  for (const id of MODEL_IDS) states.push(await modelState(dir, CATALOGUE[id], { verify }));
  return states;
}

/** The state of one model in the folder of models. */
export async function modelState(
  dir: string,
  model: CatalogueModel,
  { verify = false } = {},
): Promise<ModelState> {
  const { installed: folder } = new ModelPlace(dir, model.id);
  const known = descriptionOf(model);
  const of = (
    state: ModelState["state"],
    description: InstalledDescription,
    rest: Partial<ModelState> = {},
  ) => ({
    id: model.id,
    state,
    path: folder.path,
    description,
    bytes: bytesOf(description),
    languages: model.languages,
    isOfCatalogue: isSameModel(description, known),
    ...rest,
  });
  let description: InstalledDescription;
  try {
    if (!folder.exists()) return of("missing", known);
    description = await readDescription(folder, model);
  } catch (error) {
    if (error instanceof UserError) throw error;
    return of("damaged", known, { damage: { file: DESCRIPTION_FILE, reason: reasonOf(error) } });
  }
  const damage = await damageIn(folder, description.files, verify);
  return damage === undefined ? of("installed", description) : of("damaged", description, { damage });
}

/** The description of a model in the catalogue, as it is written beside its files. */
export function descriptionOf({ name, revision, licence, use, files }: CatalogueModel): InstalledDescription {
  return { name, revision, licence, ...use, files };
}

function isSameModel(a: InstalledDescription, b: InstalledDescription): boolean {
  const names = Object.keys(b.files);
  return Object.keys(a.files).length === names.length &&
    names.every((name) => a.files[name] !== undefined && isSame(a.files[name], b.files[name]!));
}

function bytesOf({ files }: InstalledDescription): number {
  return Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Throws an error that says what is wrong with `model.json`. */
async function readDescription(folder: OwnFolder, { use }: CatalogueModel): Promise<InstalledDescription> {
  const size = folder.look(DESCRIPTION_FILE)?.size ?? 0;
  if (size > MAX_DESCRIPTION_BYTES) throw new RangeError(`${size} bytes`);
  const text = await folder.readText(DESCRIPTION_FILE);
  if (use !== undefined) return parseDescription(text);
  // The rules for names and digests are the same. What only embedding models have is filled in.
  const filler = { pooling: "mean", dimensions: 1, maxTokens: 1, queryPrefix: "", documentPrefix: "" };
  const { name, revision, licence, files } = parseDescription(
    JSON.stringify({ ...JSON.parse(text), ...filler }),
  );
  return { name, revision, licence, files };
}

async function damageIn(
  folder: OwnFolder,
  files: Readonly<Record<string, Digest>>,
  verify: boolean,
): Promise<ModelState["damage"]> {
  for (const [file, expected] of Object.entries(files)) {
    const found = folder.look(file);
    if (found?.isFile !== true) return { file, reason: "missing" };
    if (found.size !== expected.bytes) return { file, reason: "size" };
    if (verify && !isSame(await digestOf(folder, file), expected)) return { file, reason: "sha256" };
  }
  return undefined;
}

/** The models that an executable can contain (`deno task compile --with-models`). */
export const BUNDLED: readonly ModelId[] = ["zh", "en"];

/** Milliseconds to wait for another process. One that takes the models out of the program as well needs about one second. */
const WAIT_MS = 3000;

/** Returns the path of a bundled file, relative to the program's root. */
export function bundledPath(id: ModelId, file: string): string {
  return `models/${id}/${file}`;
}

/** Returns whether this program contains models. */
export async function hasBundled(): Promise<boolean> {
  return await readProgramBytes(bundledPath("zh", "tokenizer.json")) !== undefined;
}

/**
 * Installs the models that this executable contains and the folder of models lacks. Returns their names; empty for a program
 * without models. `dir`: real path of the folder, which exists. `read` returns the bytes of a file of the program, or
 * `undefined` if there is none. Throws `model_busy` if another process changes the folder for more than three seconds,
 * `data_folder_unwritable`, `data_folder_unsafe`, `model_disk_full` or the reason of the signal.
 */
export async function installBundled(
  dir: string,
  signal: AbortSignal,
  read: (path: string) => Promise<Uint8Array | undefined> = readProgramBytes,
): Promise<ModelId[]> {
  const missing = BUNDLED.filter((id) => !new ModelPlace(dir, id).installed.exists());
  const installed: ModelId[] = [];
  for (const id of missing) {
    const model = CATALOGUE[id];
    const files: [name: string, bytes: Uint8Array][] = [];
    for (const [name, digest] of Object.entries(model.files)) {
      const bytes = await read(bundledPath(id, name));
      // A damaged executable is not worth an error: the model can still be downloaded.
      if (bytes === undefined || !isSame(digestOfBytes(bytes), digest)) break;
      files.push([name, bytes]);
    }
    if (files.length < Object.keys(model.files).length) continue;
    using _lock = await lockSoon(dir, signal);
    const place = new ModelPlace(dir, id);
    // Another process may have installed it meanwhile.
    if (place.installed.exists()) continue;
    place.begin();
    for (const [name, bytes] of files) await place.write(name, bytes);
    await place.finish(descriptionOf(model));
    installed.push(id);
  }
  return installed;
}

/** Takes the lock. Another process may hold it for minutes, while it downloads models. */
async function lockSoon(dir: string, signal: AbortSignal): Promise<Disposable> {
  const limit = AbortSignal.timeout(WAIT_MS);
  try {
    return await lockModels(new OwnFolder(dir), AbortSignal.any([signal, limit]), () => {});
  } catch (error) {
    throw error === limit.reason ? new UserError("model_busy") : error;
  }
}
