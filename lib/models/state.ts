import { DESCRIPTION_FILE, parseDescription } from "../neural/mod.ts";
import { reasonOf, UserError } from "../errors.ts";
import type { OwnFolder } from "../sandbox/mod.ts";
import { CATALOGUE } from "./catalogue.ts";
import { digestOf, isSame } from "./digest.ts";
import { ModelPlace } from "./model_place.ts";
import {
  type CatalogueModel,
  type Digest,
  type InstalledDescription,
  MODEL_IDS,
  type ModelId,
} from "./types.ts";

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
    ...{ id: model.id, state, path: folder.path, description, bytes: bytesOf(description) },
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
