import { UserError } from "../errors.ts";
import { fileError, statNamed } from "../sandbox/mod.ts";
import { findLocalFiles } from "./local_files.ts";
import { ModelPlace } from "./model_place.ts";
import { takeOwnModel } from "./own_model.ts";
import { descriptionOf } from "./state.ts";
import type { CatalogueModel, InstalledDescription } from "./types.ts";

/** Options of {@linkcode installFrom}. */
export interface InstallFromOptions {
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
