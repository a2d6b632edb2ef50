/**
 * The models that the user can install: a catalogue with digests, downloads from several sources, and the folders of
 * installed models. Nothing here is run unless the user asks for it.
 * @module
 */
export {
  BUNDLED,
  bundledPath,
  hasBundled,
  installBundled,
  type ModelState,
  modelState,
  modelStates,
} from "./state.ts";
export {
  CATALOGUE,
  type CatalogueModel,
  type InstalledDescription,
  MODEL_IDS,
  type ModelId,
  type ModelSource,
  type SourceKind,
} from "./catalogue.ts";
export { lockModels, MODEL_LOCK, ModelPlace, SourceFailure } from "./model_location.ts";
export {
  downloadHosts,
  type FailedSource,
  type Installed,
  installModel,
  type InstallOptions,
  type InstallProgress,
  mayRedirectTo,
  modelSources,
  npmRegistry,
} from "./install.ts";
export { type InstalledFrom, installFrom } from "./install_from.ts";
